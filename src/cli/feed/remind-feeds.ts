import type { Mailing } from '../../access/mailing.ts'
import { NobodyToRemind, type Reminders } from '../../access/reminders.ts'
import { mailedLabel } from '../../domain/access/lost-link.ts'
import { commandLine } from '../../domain/access/staff.ts'
import { AppError } from '../../domain/errors.ts'
import type { LinkRow } from '../../feeds/import/link-table.ts'
import { readCsv } from '../../feeds/import/read-csv.ts'
import type { PersonNames } from '../../feeds/many/person-names.ts'
import type { CommandContext, UseCases } from '../context.ts'
import { printJson, printWarnings } from '../print.ts'
import { readTableFile } from '../read-input.ts'
import { listAll } from './all-feeds.ts'
import type { RemindOptions } from './feed-remind.ts'
import { sameAgain, tellingHowToGoOn } from './going-on.ts'
import { MailQueue } from './mail-queue.ts'
import { notMailed } from './mailing.ts'
import { rowPrinter } from './row-printer.ts'

/** Of a feed, what says whose it is. */
interface Reminded {
  readonly id: string
  readonly companyId: string
  readonly userIds: readonly string[]
}

/** Mails a new link to the people of the feeds that are meant. */
export async function remindFeeds(
  context: CommandContext,
  useCases: UseCases,
  { mailing, ...options }: RemindOptions & { readonly mailing: Mailing },
): Promise<void> {
  const names = useCases.administration.names()
  const reminders = mailing.remindersBy(commandLine, names)
  const feeds = await feedsOf(context, useCases, options)
  if (feeds.length > 0) return remindAll(context, feeds, { ...options, reminders, names })
  if (options.json) printJson(context, { data: [] })
  context.warn('There is no open feed that nobody has subscribed to.')
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
