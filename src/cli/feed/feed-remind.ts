import { Command, Option } from 'commander'

import { NobodyToRemind, type Reminders } from '../../access/reminders.ts'
import { mailedLabel } from '../../domain/access/lost-link.ts'
import { commandLine } from '../../domain/access/staff.ts'
import { AppError } from '../../domain/errors.ts'
import type { LinkRow } from '../../feeds/import/link-table.ts'
import { readCsv } from '../../feeds/import/read-csv.ts'
import type { PersonNames } from '../../feeds/many/person-names.ts'
import type { CommandContext, UseCases } from '../context.ts'
import { excelOption } from '../option-values.ts'
import { printJson, printWarnings } from '../print.ts'
import { readTableFile } from '../read-input.ts'
import { listAll } from './all-feeds.ts'
import { sameAgain, tellingHowToGoOn } from './going-on.ts'
import { MailQueue } from './mail-queue.ts'
import { notMailed, requireMailing } from './mailing.ts'
import { rowPrinter } from './row-printer.ts'

interface RemindOptions {
  readonly neverPolled?: boolean
  readonly from?: string
  readonly company?: string
  readonly excel?: boolean
  readonly json?: boolean
}

/** Of a feed, what says whose it is. */
interface Reminded {
  readonly id: string
  readonly companyId: string
  readonly userIds: readonly string[]
}

const examples = `
Examples:
  bridge feed remind --never-polled
  bridge feed remind --from quiet.csv

Each person gets a new link called mail to their own calendar by mail, once a day at most. What they have goes on; a link that
was mailed so before goes on until a calendar program asks for the new one, for seven days at most. The addresses are
mailed and not printed; status says mailed, skipped with the reason (somebody has subscribed, or left, or it is a calendar for
others), or mail refused with the reason. With --from, too, somebody who has subscribed gets nothing.

The table needs a column feedId or userId, as those have that this program prints, such as that of feed list --csv; by userId
all feeds are meant that this person has alone.`

/** `feed remind`: mails a new link to people who have not subscribed. */
export function feedRemindCommand(context: CommandContext): Command {
  return new Command('remind')
    .description('mail a new link to people who have not subscribed; needs SMTP_URL')
    .option('--never-polled', 'of all open feeds that no calendar program has asked for')
    .addOption(
      new Option('--from <file.csv>', 'of the feeds of the table, by feedId or userId').conflicts(
        'neverPolled',
      ),
    )
    .option('--company <id>', 'only of this company')
    .addOption(excelOption())
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((options: RemindOptions, command: Command) => {
      if (!options.neverPolled && options.from === undefined) {
        command.error('error: say whom with --never-polled, or --from FILE.csv')
      }
      return context.withUseCases(async (useCases) => {
        const mailing = requireMailing(useCases, 'feed remind', command)
        const names = useCases.administration.names()
        const reminders = mailing.remindersBy(commandLine, names)
        const feeds = await feedsOf(context, useCases, options)
        if (feeds.length > 0) return remindAll(context, feeds, { ...options, reminders, names })
        if (options.json) printJson(context, { data: [] })
        context.warn('There is no open feed that nobody has subscribed to.')
      })
    })
}

async function feedsOf(
  context: CommandContext,
  { administration, connections }: UseCases,
  { from, company }: RemindOptions,
): Promise<readonly Reminded[]> {
  if (from === undefined) {
    const filter = { companyId: company, state: 'open', neverPolled: 'true' }
    return (await listAll(administration.listing, connections, filter)).feeds
  }
  const table = await readTableFile(from)
  printWarnings(context, table.warnings)
  const change = { kind: 'remind' } as const
  const chosen = await administration.tableChanges.choose(
    await readCsv(table.text),
    change,
    company,
  )
  for (const note of chosen.notes) context.warn(`Note: ${note}`)
  return chosen.feeds.map(({ feed }) => feed)
}

interface Reminding extends RemindOptions {
  readonly reminders: Reminders
  readonly names: PersonNames
}

/** Prints each feed once it is known what became of its mail; fails where one was refused. */
async function remindAll(
  context: CommandContext,
  feeds: readonly Reminded[],
  { reminders, names, ...form }: Reminding,
): Promise<void> {
  const printer = rowPrinter<LinkRow>(context, { ...form, view: viewReminder })
  const run = {
    things: 'feeds',
    showsAddresses: false,
    again: sameAgain.remind,
    total: () => feeds.length,
    done: printer.count,
  } as const
  await tellingHowToGoOn(context, run, async (signal) => {
    const queue = new MailQueue(signal)
    const counts: Record<Status, number> = { mailed: 0, skipped: 0, refused: 0 }
    for (const feed of feeds) {
      if (signal.aborted) break
      const remind = async (): Promise<void> => {
        const refusal = queue.refusal()
        if (refusal !== undefined) throw new AppError('unavailable', `not tried, ${refusal}`)
        await reminders.remind(feed.id)
      }
      await queue.add(remind, async (failed) => {
        const [status, reason] = outcomeOf(failed)
        counts[status] += 1
        const row = await rowOf(feed, names)
        if (status === 'refused') context.warn(notMailed({ ...row, userIds: feed.userIds }, reason))
        const label = status === 'mailed' ? mailedLabel : ''
        printer.print({ ...row, label, status: statusWords[status] + reason })
        context.progress('Looked at', printer.count(), feeds.length)
      })
    }
    await queue.end()
    printer.end()
    signal.throwIfAborted()
    sayOutcome(context, feeds.length, counts)
  })
}

type Counts = Readonly<Record<Status, number>>
type Status = 'mailed' | 'skipped' | 'refused'

const statusWords: Readonly<Record<Status, string>> = {
  mailed: 'mailed',
  skipped: 'skipped: ',
  refused: 'mail refused: ',
}

function outcomeOf(failed: Error | undefined): readonly [Status, string] {
  if (!failed) return ['mailed', '']
  return [failed instanceof NobodyToRemind ? 'skipped' : 'refused', failed.message]
}

/** Named as other tables name it; where several are in one, by the first. */
async function rowOf({ id, companyId, userIds }: Reminded, names: PersonNames): Promise<LinkRow> {
  const [userId = ''] = userIds
  const { displayName, email } = await names.find(companyId, userId)
  const person = { userId, displayName, email }
  return { ...person, feedId: id, label: '', link: null, status: '', reason: null }
}

function viewReminder({ userId, displayName, email, feedId, label, status }: LinkRow): object {
  return { userId, displayName, email, feedId, label, status }
}

function sayOutcome(
  { warn }: Pick<CommandContext, 'warn'>,
  count: number,
  { mailed, skipped, refused }: Counts,
): void {
  const others = refused > 0 ? `, ${refused} not mailed` : ''
  const said = `${count} ${count === 1 ? 'feed' : 'feeds'}: ${mailed} mailed, ${skipped} skipped${others}.`
  if (refused === 0) return warn(said)
  throw new AppError(
    'unavailable',
    `${said} The same command again mails those who were not mailed, and nobody twice a day.`,
  )
}
