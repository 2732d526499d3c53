/* Commands over a table of feeds. Each row is printed as soon as it is done, and an interrupted run says how to continue. */
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'

import { type CommandUnknownOpts } from '@commander-js/extra-typings'

import { type Invitations, NoReminder } from '../../access/mail/invitations.ts'
import { MailQueue, mailsAtOnce } from '../../access/mail/mail-queue.ts'
import type { Mailing } from '../../access/mail/mailing.ts'
import { commandLine } from '../../domain/access/staff.ts'
import { AppError, asAppError, cannotRead } from '../../domain/errors.ts'
import { mailedLabel, oldEndOf } from '../../domain/link.ts'
import {
  type ChangedRow,
  type ChosenFeed,
  viewChanged,
  type TableChange,
} from '../../feeds/bulk/bulk-changes.ts'
import {
  type ImportedRow,
  rowWarnings,
  viewRow,
  unknownColumns,
} from '../../feeds/bulk/feed-import.ts'
import { decodeTable, readCsv, tableBytesMax } from '../../feeds/bulk/read-table.ts'
import { linkLines, type LinkRow, linkTable, sayOthersGoOn } from '../../feeds/bulk/write-table.ts'
import type { CommandContext, UseCases } from '../context.ts'
import { counted, printJson, printText, printWarnings } from '../output.ts'
import { listAll } from './feed-list.ts'
import { mailingFor, notMailed, warnOfAssumed, warnOfNoCompany } from './one-feed.ts'

interface Form {
  readonly json?: boolean | undefined
  readonly excel?: boolean | undefined
}

async function readTable(file: string): ReturnType<typeof readCsv> {
  // One byte over the limit is enough to refuse a larger file, even an endless one.
  const bytes = await buffer(createReadStream(file, { end: tableBytesMax })).catch((cause) => {
    throw cannotRead(file, cause)
  })
  return readCsv(decodeTable(bytes, `The file ${file}`))
}

/** Effect of running the same command again after some rows are done. */
const again = {
  create:
    'You can safely run the same command again: it skips what exists and creates the rest. Write to another file.',
  rotate:
    'Running the same command again gives finished feeds yet another address: first remove their rows from the table.',
  update: 'You can safely run the same command again: it leaves what is changed already.',
  revoke: 'You can safely run the same command again: it skips what has ended.',
  remind: 'You can safely run the same command again: nobody gets two mails a day.',
  plan: 'Nothing was changed.',
} as const

/**
 * Passes `work` a function that prints each finished row. If the run ends before the last row, the error says how to
 * continue.
 */
async function run<Row extends LinkRow>(
  context: CommandContext,
  kind: keyof typeof again,
  things: `${number} ${'rows' | 'feeds'}`,
  view: (row: Row) => object,
  { json = false, excel = false }: Form,
  work: (print: (row: Row) => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ended = new AppError('unavailable', 'Stopped before the end.')
  const signal = context.interruption(ended)
  let count = 0
  const print = (row: Row): void => {
    count += 1
    if (json) context.print((count === 1 ? '{"data": [\n' : ', ') + JSON.stringify(view(row)))
    else {
      printText(context, (count === 1 ? linkTable : linkLines)([row], excel ? 'excel' : 'plain'))
    }
  }
  try {
    await work(print, signal)
  } catch (error) {
    const known = asAppError(error)
    // Faults of the table are reported before any change.
    if (!known || (count === 0 && !signal.aborted)) throw error
    throw new AppError(known.code, `${known.message} ${howToContinue()}`, { cause: error })
  } finally {
    if (json && count > 0) context.print(']}')
  }

  function howToContinue(): string {
    const showsAddresses = kind === 'create' || kind === 'rotate'
    const done = `${count} of ${things} are done`
    // If standard output failed, addresses are lost with it.
    if (signal.aborted && signal.reason !== ended && showsAddresses) {
      return `${done}, and not all of them are in the output: feed rotate --from gives those new addresses.`
    }
    if (count === 0) return 'Nothing was changed; the same command starts over.'
    if (count >= Number.parseInt(things)) return again[kind]
    const kept = showsAddresses ? ': keep it, no address is shown twice' : ''
    return `${done} and in the output so far${kept}. ${again[kind]}`
  }
}

/** Returns the feeds that a table names, and prints notes about the choice. */
async function chooseFeeds(
  { warn }: CommandContext,
  { administration }: UseCases,
  file: string,
  change: TableChange | { readonly kind: 'remind' },
  company: string | undefined,
): Promise<readonly ChosenFeed[]> {
  const records = await readTable(file)
  const { feeds, notes } = await administration.tableChanges.choose(records, change, company)
  for (const note of notes) warn(`Note: ${note}`)
  return feeds
}

/** `feed update --from`, `feed rotate --from` and `feed revoke --from`; fails with `unavailable` if a feed failed. */
export async function changeFromTable(
  context: CommandContext,
  file: string,
  change: TableChange,
  options: Form & { readonly company?: string | undefined; readonly dryRun?: boolean | undefined },
): Promise<void> {
  const { company, dryRun = false } = options
  await context.withUseCases(async (useCases) => {
    const { tableChanges } = useCases.administration
    const feeds = await chooseFeeds(context, useCases, file, change, company)
    if (change.kind === 'rotate') {
      if (!dryRun) warnOfAssumed(context, useCases)
      const all = feeds.map(({ feed }) => feed)
      const open = all.filter(({ revokedAt, closedAt }) => revokedAt === null && closedAt === null)
      warnOfNoCompany(context, useCases, open)
    }
    const rows = dryRun ? tableChanges.plan(feeds, change) : tableChanges.run(feeds, change)
    const kind = dryRun ? 'plan' : change.kind
    const total = feeds.length
    await run(context, kind, `${total} feeds`, viewChanged, options, async (print, signal) => {
      const done: ChangedRow[] = []
      for await (const row of rows) {
        print(row)
        done.push(row)
        // SQLite returns at once: without a pause, no signal could interrupt the run.
        await setImmediate()
        context.progress(dryRun ? 'Checked' : 'Changed', done.length, total)
        if (done.length < total) signal.throwIfAborted()
      }
      if (change.kind === 'rotate') printWarnings(context, sayOthersGoOn(done))
      sayOutcome(context, summaryOf('feed', done), done)
    })
  })
}

/** `feed create --from`: creates a feed for each row; fails with `unavailable` if one failed. */
export async function createFromTable(
  context: CommandContext,
  file: string,
  options: Form & {
    readonly company?: string | undefined
    readonly rotateExisting?: boolean | undefined
    readonly graceDays?: number | undefined
    readonly mail?: boolean | undefined
  },
  command: CommandUnknownOpts,
): Promise<void> {
  const { company: companyId, rotateExisting = false, graceDays = 0 } = options
  const records = await readTable(file)
  const unread = unknownColumns(records)
  printWarnings(context, unread)
  await context.withUseCases(async (useCases) => {
    const invitations = mailingFor(useCases, options, command)
    warnOfAssumed(context, useCases)
    const kind = rotateExisting ? 'rotate' : 'create'
    const things = `${records.length} rows` as const
    await run<ImportedRow>(context, kind, things, viewRow, options, async (print, signal) => {
      const mails = invitations && rowMails(context, invitations, graceDays, print, signal)
      const importing = useCases.administration.feedImport.run(records, {
        companyId,
        rotateExisting,
        graceDays,
        signal,
        ...(mails && {
          atOnce: mailsAtOnce,
          refusal: () => mails.queue.refusal('not created and not mailed'),
        }),
        onRow: (row) => (mails ? mails.add(row) : print(row)),
        onProgress: ({ step, count, total }) =>
          context.progress(step === 'checked' ? 'Checked' : 'Created', count, total),
      })
      // Mails in progress are still printed if the import fails.
      await Promise.allSettled([importing])
      await mails?.queue.end()
      const { rows, warnings } = await importing
      const others = warnings.filter((warning) => !unread.includes(warning))
      printWarnings(context, [...others, ...rowWarnings(rows)])
      const said = [summaryOf('row', rows), mails?.summary() ?? []].flat().join(' ')
      sayOutcome(context, said, rows, mails?.hasRefused())
    })
  })
}

/** Such as "3 feeds: 2 rotated, 1 skipped." */
function summaryOf(noun: string, rows: readonly LinkRow[]): string {
  const byStatus = Map.groupBy(rows, ({ status }) => status.replace(/:.*/s, ''))
  const counts = [...byStatus].map(([status, { length }]) => `${length} ${status}`)
  return `${counted(rows.length, noun)}: ${counts.join(', ')}.`
}

/** Prints how the run ended; fails with that text if a row failed or a mail was refused. */
function sayOutcome(
  { warn }: CommandContext,
  said: string,
  rows: readonly LinkRow[],
  hasRefused = false,
): void {
  const hasFailed = rows.some(({ status }) => /^(?:failed|mail refused)/.test(status))
  if (hasRefused || hasFailed) throw new AppError('unavailable', said)
  warn(said)
}

/** Mails the pages of new links, and prints each row once its mail is accepted or refused. */
function rowMails(
  { warn }: CommandContext,
  invitations: Invitations,
  graceDays: number,
  print: (row: ImportedRow) => void,
  signal: AbortSignal,
) {
  const queue = new MailQueue(signal)
  const counts = { mailed: 0, refused: 0, unmailed: 0 }

  /** Adds a note to skipped rows of people who may never have been mailed. */
  const withNote = async (row: ImportedRow): Promise<ImportedRow> => {
    const { status, feed, reason } = row
    if (status !== 'skipped' || feed.audience !== 'own') return row
    if (await invitations.wasMailed(feed.id)) return row
    counts.unmailed += 1
    const note = `not known to have been mailed; feed rotate ${feed.id} --mail mails a new address`
    return { ...row, reason: reason === null ? note : `${reason}; ${note}` }
  }

  return {
    queue,
    hasRefused: () => counts.refused > 0,
    /** Resolves once another row may start. */
    add: async (row: ImportedRow): Promise<void> => {
      const { link, feed, displayName, userId } = row
      if (link?.page === undefined) return print(await withNote(row))
      const { label, page } = link
      const kind = row.status === 'rotated' ? 'renewed' : 'invitation'
      const oldEndsAt = kind === 'renewed' ? oldEndOf(link, graceDays) : undefined
      await queue.add(async () => {
        const invitation = { kind, feed, label, page, oldEndsAt } as const
        const failed = await queue.send(() => invitations.send(invitation))
        counts[failed ? 'refused' : 'mailed'] += 1
        if (failed) warn(notMailed(displayName, [userId], failed.message))
        print({ ...row, mail: failed ? `mail refused: ${failed.message}` : 'mailed' })
      })
    },
    summary: (): string => {
      const { mailed, refused, unmailed } = counts
      const parts = [`${mailed} mailed${refused === 0 ? '' : `, ${refused} not mailed`}.`]
      if (unmailed > 0) parts.push(`${unmailed} of those skipped may never have got a mail.`)
      if (refused + unmailed > 0) {
        parts.push('Run a table of those rows with --rotate-existing --mail to mail a new address.')
      }
      return parts.join(' ')
    },
  }
}

/** `feed remind`: mails a new link to the people of the feeds; fails with `unavailable` if a mail was refused. */
export async function remindFeeds(
  context: CommandContext,
  useCases: UseCases,
  mailing: Mailing,
  options: Form & { readonly from?: string | undefined; readonly company?: string | undefined },
): Promise<void> {
  const names = useCases.administration.names()
  const reminders = mailing.invitationsBy(commandLine, names)
  const { from, company } = options
  const unused = { companyId: company, state: 'open', neverPolled: 'true' }
  const feeds =
    from === undefined
      ? (await listAll(useCases, unused)).feeds
      : (await chooseFeeds(context, useCases, from, { kind: 'remind' }, company)).map(
          ({ feed }) => feed,
        )
  const total = feeds.length
  if (total === 0) {
    if (options.json) printJson(context, { data: [] })
    return context.warn('Somebody has subscribed to every open feed.')
  }
  await run(context, 'remind', `${total} feeds`, viewReminder, options, async (print, signal) => {
    const queue = new MailQueue(signal)
    const done: LinkRow[] = []
    for (const { id: feedId, companyId, userIds } of feeds) {
      if (signal.aborted) break
      await queue.add(async () => {
        const failed =
          queue.refusal('not tried') ?? (await queue.send(() => reminders.remind(feedId)))
        const isRefused = failed !== undefined && !(failed instanceof NoReminder)
        const [userId = ''] = userIds
        // Only now, since sending has refreshed the person.
        const person = await names.find(companyId, userId)
        if (isRefused) context.warn(notMailed(person.displayName, userIds, failed.message))
        const status = failed
          ? `${isRefused ? 'mail refused' : 'skipped'}: ${failed.message}`
          : 'mailed'
        const label = failed ? '' : mailedLabel
        const row = { ...person, userId, feedId, label, link: null, status, reason: null }
        print(row)
        done.push(row)
        context.progress('Checked', done.length, total)
      })
    }
    await queue.end()
    signal.throwIfAborted()
    sayOutcome(context, summaryOf('feed', done), done)
  })
}

function viewReminder({ userId, displayName, email, feedId, label, status }: LinkRow): object {
  return { userId, displayName, email, feedId, label, status }
}
