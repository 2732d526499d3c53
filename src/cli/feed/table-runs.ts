import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'

import { type CommandUnknownOpts } from '@commander-js/extra-typings'

import { type Invitations, NoReminder } from '../../access/mail/invitations.ts'
import { MailNotTaken } from '../../access/mail/mailer.ts'
import type { Mailing } from '../../access/mail/mailing.ts'
import { commandLine } from '../../domain/access/staff.ts'
import { AppError, asAppError, cannotRead } from '../../domain/errors.ts'
/* Commands over a table of feeds: each row is printed as soon as it is done, and an interrupted run says how to continue. */
import { mailedLabel } from '../../domain/link.ts'
import { type ChangedRow, viewChanged, type TableChange } from '../../feeds/bulk/bulk-changes.ts'
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
import {
  type CreateOptions,
  type RemindOptions,
  mailingFor,
  notMailed,
  oldEndOf,
  warnOfAssumed,
  warnOfNoCompany,
} from './one-feed.ts'

type Records = Awaited<ReturnType<typeof readCsv>>

async function readTable(file: string): Promise<Records> {
  const bytes = await readBegin(file)
  return readCsv(decodeTable(bytes, `The file ${file}`))
}

/** One byte more than a table may have, which is enough to refuse a larger file, even an endless one. */
async function readBegin(file: string): Promise<Uint8Array> {
  try {
    return await buffer(createReadStream(file, { end: tableBytesMax }))
  } catch (cause) {
    throw cannotRead(file, cause)
  }
}

/** Prints rows as they are done: what is printed stays, even if the run ends early. */
class RowPrinter<Row extends LinkRow> {
  count = 0
  readonly #context: CommandContext
  readonly #view: (row: Row) => object
  readonly #form: 'json' | 'excel' | 'plain'

  constructor(
    context: CommandContext,
    view: (row: Row) => object,
    { json = false, excel = false }: { readonly json?: boolean; readonly excel?: boolean },
  ) {
    this.#context = context
    this.#view = view
    this.#form = json ? 'json' : excel ? 'excel' : 'plain'
  }

  readonly print = (row: Row): void => {
    this.count += 1
    const isFirst = this.count === 1
    if (this.#form === 'json') {
      this.#context.print((isFirst ? '{"data": [\n' : ', ') + JSON.stringify(this.#view(row)))
    } else printText(this.#context, (isFirst ? linkTable : linkLines)([row], this.#form))
  }

  /** Ends the JSON, so that it can be read however few rows there are. */
  end(): void {
    if (this.#form === 'json' && this.count > 0) this.#context.print(']}')
  }
}

/** What running the same command again does to a table of which some rows are done. */
const again = {
  create:
    'You can safely run the same command again: it skips what exists and creates the rest. Write to another file.',
  rotate:
    'Running the same command again gives finished feeds yet another address: first remove their rows from the table.',
  revoke: 'You can safely run the same command again: it skips what has ended.',
  remind: 'You can safely run the same command again: nobody gets two mails a day.',
  plan: 'Nothing was changed.',
} as const

/** Runs until the process is told to end; if it ends before the last row, says how to continue. */
async function run(
  { interruption, warn }: CommandContext,
  things: 'rows' | 'feeds',
  kind: keyof typeof again,
  total: number,
  printer: { readonly count: number },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ended = new AppError('unavailable', 'Stopped before the end.')
  const signal = interruption(ended)
  const showsAddresses = kind === 'create' || kind === 'rotate'
  try {
    await work(signal)
  } catch (error) {
    const { count } = printer
    const known = asAppError(error)
    // Faults of the table itself are reported before anything is done.
    if (count === 0 && !signal.aborted) throw error
    // If standard output is what failed, addresses are lost with it.
    const isLost = signal.aborted && signal.reason !== ended && showsAddresses
    const said = isLost
      ? `${count} of ${total} ${things} are done, and not all of them are in the output: feed rotate --from gives those new addresses.`
      : howToContinue()
    if (known) throw new AppError(known.code, `${known.message} ${said}`, { cause: error })
    warn(said)
    throw error
  }

  function howToContinue(): string {
    const { count } = printer
    if (count === 0) return 'Nothing was changed; the same command starts over.'
    if (count >= total) return again[kind]
    const kept = showsAddresses ? ': keep it, no address is shown twice' : ''
    return `${count} of ${total} ${things} are done and in the output so far${kept}. ${again[kind]}`
  }
}

interface TableOptions {
  readonly company?: string
  readonly dryRun?: boolean
  readonly excel?: boolean
  readonly json?: boolean
}

/** `feed rotate --from` and `feed revoke --from`; `unavailable` if a feed failed. */
export async function changeFromTable(
  context: CommandContext,
  file: string,
  change: TableChange,
  { company, dryRun = false, ...form }: TableOptions,
): Promise<void> {
  const records = await readTable(file)
  await context.withUseCases(async (useCases) => {
    const { tableChanges } = useCases.administration
    if (change.kind === 'rotate' && !dryRun) warnOfAssumed(context, useCases)
    const { feeds, notes } = await tableChanges.choose(records, change, company)
    for (const note of notes) context.warn(`Note: ${note}`)
    if (change.kind === 'rotate') {
      const open = feeds.filter(({ feed }) => feed.revokedAt === null && feed.closedAt === null)
      warnOfNoCompany(
        context,
        useCases,
        open.map(({ feed }) => feed),
      )
    }
    const rows = dryRun ? tableChanges.plan(feeds, change) : tableChanges.run(feeds, change)
    const printer = new RowPrinter(context, viewChanged, form)
    const kind = dryRun ? 'plan' : change.kind
    await run(context, 'feeds', kind, feeds.length, printer, async (signal) => {
      const done: ChangedRow[] = []
      try {
        for await (const row of rows) {
          printer.print(row)
          done.push(row)
          // SQLite answers at once: without a pause nobody could interrupt the run.
          await setImmediate()
          context.progress(dryRun ? 'Checked' : 'Changed', done.length, feeds.length)
          if (done.length < feeds.length) signal.throwIfAborted()
        }
      } finally {
        printer.end()
        printWarnings(context, sayOthersGoOn(done))
      }
      const byStatus = Map.groupBy(done, ({ status }) => status)
      const counts = [...byStatus].map(([status, { length }]) => `${length} ${status}`)
      const said = `${counted(done.length, 'feed')}: ${counts.join(', ')}.`
      if (byStatus.has('failed')) throw new AppError('unavailable', said)
      context.warn(said)
    })
  })
}

/** `feed create --from`: a feed for each row; fails if one of them failed. */
export async function createFromTable(
  context: CommandContext,
  file: string,
  options: CreateOptions,
  command: CommandUnknownOpts,
): Promise<void> {
  const { company: companyId, rotateExisting = false, graceDays = 0 } = options
  const records = await readTable(file)
  const unread = unknownColumns(records)
  printWarnings(context, unread)
  await context.withUseCases(async (useCases) => {
    const invitations = mailingFor(useCases, options, command)
    warnOfAssumed(context, useCases)
    const printer = new RowPrinter(context, viewRow, options)
    const kind = rotateExisting ? 'rotate' : 'create'
    await run(context, 'rows', kind, records.length, printer, async (signal) => {
      const mailed =
        invitations && new MailedRows(context, invitations, graceDays, printer.print, signal)
      const importing = useCases.administration.feedImport.run(records, {
        companyId,
        rotateExisting,
        graceDays,
        signal,
        ...(mailed && { atOnce: mailsAtOnce, refusal: () => mailed.refusal() }),
        onRow: (row) => (mailed ? mailed.add(row) : printer.print(row)),
        onProgress: ({ step, count, total }) =>
          context.progress(step === 'checked' ? 'Checked' : 'Created', count, total),
      })
      await Promise.allSettled([importing])
      await mailed?.end()
      printer.end()
      const { rows, warnings } = await importing
      const others = warnings.filter((warning) => !unread.includes(warning))
      printWarnings(context, [...others, ...rowWarnings(rows)])
      const said = [createdSummary(rows), ...(mailed ? [mailed.summary()] : [])].join(' ')
      if (rows.some(({ status }) => status === 'failed')) throw new AppError('unavailable', said)
      context.warn(said)
      mailed?.failIfRefused()
    })
  })
}

function createdSummary(rows: readonly ImportedRow[]): string {
  const parts = (['created', 'rotated', 'skipped', 'failed'] as const).flatMap((status) => {
    const some = rows.filter((row) => row.status === status)
    if (status === 'failed') return some.length === 0 ? [] : `${some.length} failed`
    const noted = some.filter(({ reason }) => reason !== null).length
    const differ = noted === 1 ? 'differs' : 'differ'
    const note = status === 'created' ? 'with another calendar' : differ
    return `${some.length} ${status}${noted > 0 ? ` (${noted} ${note})` : ''}`
  })
  return `${counted(rows.length, 'row')}: ${parts.join(', ')}.`
}

const mailAgain =
  'to give them a new address by mail, run a table of those rows with --rotate-existing --mail'

/** Mails the pages of new links and prints each row once its mail was taken or refused. */
class MailedRows {
  readonly #context: CommandContext
  readonly #invitations: Invitations
  readonly #graceDays: number
  readonly #print: (row: ImportedRow) => void
  readonly #queue: MailQueue
  #mailed = 0
  #refused = 0
  #unmailed = 0

  constructor(
    context: CommandContext,
    invitations: Invitations,
    graceDays: number,
    print: (row: ImportedRow) => void,
    signal: AbortSignal,
  ) {
    this.#context = context
    this.#invitations = invitations
    this.#graceDays = graceDays
    this.#print = print
    this.#queue = new MailQueue(signal)
  }

  /** Why no more feeds should be created; undefined while they should. */
  refusal(): AppError | undefined {
    const reason = this.#queue.refusal()
    if (reason === undefined) return undefined
    return new AppError('unavailable', `not created and not mailed, ${reason}`)
  }

  /** Resolves once there is room for another row. */
  async add(row: ImportedRow): Promise<void> {
    const { label, page } = row.link ?? {}
    if (!row.link || label === undefined || page === undefined) {
      return this.#print(await this.#withNote(row))
    }
    const kind = row.status === 'rotated' ? 'renewed' : 'invitation'
    const oldEndsAt = kind === 'renewed' ? oldEndOf(row.link, this.#graceDays) : undefined
    await this.#queue.add(
      () => this.#invitations.send({ kind, feed: row.feed, label, page, oldEndsAt }),
      (failed) => {
        if (!failed) {
          this.#mailed += 1
          return this.#print({ ...row, mail: 'mailed' })
        }
        this.#refused += 1
        this.#context.warn(notMailed(row.displayName, [row.userId], failed.message))
        this.#print({ ...row, mail: `mail refused: ${failed.message}` })
      },
    )
  }

  /** Resolves once all rows are printed. */
  end(): Promise<void> {
    return this.#queue.end()
  }

  summary(): string {
    const refused = this.#refused === 0 ? '' : `, ${this.#refused} not mailed`
    const unmailed =
      this.#unmailed === 0
        ? ''
        : ` Of those skipped, ${this.#unmailed} may never have got a mail; ${mailAgain}.`
    return `${this.#mailed} mailed${refused}.${unmailed}`
  }

  /** `unavailable` if a mail was refused. */
  failIfRefused(): void {
    if (this.#refused === 0) return
    const mails = this.#refused === 1 ? '1 mail was' : `${this.#refused} mails were`
    throw new AppError(
      'unavailable',
      `${mails} refused; the status says why. The addresses in the output work; ${mailAgain}.`,
    )
  }

  /** People who were mailed in an earlier run are not mailed again; for all others the row says so. */
  async #withNote(row: ImportedRow): Promise<ImportedRow> {
    const { status, feed, reason } = row
    if (status !== 'skipped' || feed.audience !== 'own') return row
    if (await this.#invitations.wasMailed(feed.id)) return row
    this.#unmailed += 1
    const note = `not known to have been mailed; feed rotate ${feed.id} --mail mails a new address`
    return { ...row, reason: reason === null ? note : `${reason}; ${note}` }
  }
}

const reminderStatus = {
  mailed: 'mailed',
  skipped: 'skipped: ',
  refused: 'mail refused: ',
} as const

/** `feed remind`: mails a new link to the people of the feeds; `unavailable` if a mail was refused. */
export async function remindFeeds(
  context: CommandContext,
  useCases: UseCases,
  mailing: Mailing,
  options: RemindOptions,
): Promise<void> {
  const names = useCases.administration.names()
  const reminders = mailing.invitationsBy(commandLine, names)
  const feeds = await feedsToRemind(context, useCases, options)
  if (feeds.length === 0) {
    if (options.json) printJson(context, { data: [] })
    return context.warn('Somebody has subscribed to every open feed.')
  }
  const printer = new RowPrinter(context, viewReminder, options)
  await run(context, 'feeds', 'remind', feeds.length, printer, async (signal) => {
    const queue = new MailQueue(signal)
    const counts = { mailed: 0, skipped: 0, refused: 0 }
    for (const { id, companyId, userIds } of feeds) {
      if (signal.aborted) break
      const remind = async (): Promise<void> => {
        const refusal = queue.refusal()
        if (refusal !== undefined) throw new AppError('unavailable', `not tried, ${refusal}`)
        await reminders.remind(id)
      }
      await queue.add(remind, async (failed) => {
        const refused = failed instanceof NoReminder ? 'skipped' : 'refused'
        const outcome = failed ? refused : 'mailed'
        const reason = failed?.message ?? ''
        counts[outcome] += 1
        const [userId = ''] = userIds
        const { displayName, email } = await names.find(companyId, userId)
        if (outcome === 'refused') context.warn(notMailed(displayName, userIds, reason))
        const label = outcome === 'mailed' ? mailedLabel : ''
        const status = reminderStatus[outcome] + reason
        const row = { userId, displayName, email, feedId: id, label, link: null }
        printer.print({ ...row, status, reason: null })
        context.progress('Checked', printer.count, feeds.length)
      })
    }
    await queue.end()
    printer.end()
    signal.throwIfAborted()
    const { mailed, skipped, refused } = counts
    const others = refused > 0 ? `, ${refused} not mailed` : ''
    const said = `${counted(feeds.length, 'feed')}: ${mailed} mailed, ${skipped} skipped${others}.`
    if (refused === 0) return context.warn(said)
    throw new AppError(
      'unavailable',
      `${said} Run the same command again to mail the rest; nobody gets two mails a day.`,
    )
  })
}

function viewReminder({ userId, displayName, email, feedId, label, status }: LinkRow): object {
  return { userId, displayName, email, feedId, label, status }
}

async function feedsToRemind(
  context: CommandContext,
  useCases: UseCases,
  { from, company }: RemindOptions,
): Promise<
  readonly {
    readonly id: string
    readonly companyId: string
    readonly userIds: readonly string[]
  }[]
> {
  if (from === undefined) {
    const filter = { companyId: company, state: 'open', neverPolled: 'true' }
    return (await listAll(useCases, filter)).feeds
  }
  const records = await readTable(from)
  const { tableChanges } = useCases.administration
  const chosen = await tableChanges.choose(records, { kind: 'remind' }, company)
  for (const note of chosen.notes) context.warn(`Note: ${note}`)
  return chosen.feeds.map(({ feed }) => feed)
}

/** As many as the mailer has connections. */
const mailsAtOnce = 5
/** So many mails in a row that the server does not take, to whatever recipients, are no accident. */
const failuresMax = 10

/** Sends a few mails at once. */
class MailQueue {
  readonly #signal: AbortSignal
  readonly #inFlight = new Set<Promise<void>>()
  readonly #ended = Promise.withResolvers<never>()
  #failuresInARow = 0
  #lastFailure = ''

  /** Once the signal is aborted, mails in flight count as not known to be taken, and no more are sent. */
  constructor(signal: AbortSignal) {
    this.#signal = signal
    const message = 'Stopped before the mail server had answered.'
    signal.addEventListener(
      'abort',
      () => this.#ended.reject(new AppError('unavailable', message)),
      { once: true },
    )
    // There may be no mail that waits for it.
    this.#ended.promise.catch(() => undefined)
  }

  /** Why no more mails should be sent: each failure may take a minute, and a table has thousands of rows. */
  refusal(): string | undefined {
    if (this.#failuresInARow < failuresMax) return undefined
    return `since the mail server failed ${this.#failuresInARow} times in a row (${this.#lastFailure}); run the same command again once it works`
  }

  /** Resolves once there is room for another; `done` gets the reason if the mail was not sent. */
  async add(
    send: () => Promise<unknown>,
    done: (failed: Error | undefined) => void | Promise<void>,
  ): Promise<void> {
    while (this.#inFlight.size >= mailsAtOnce) await Promise.race(this.#inFlight)
    const sending = (async () => done(await this.#send(send)))()
    this.#inFlight.add(sending)
    // One that fails stays, so that all who wait fail.
    void sending.then(
      () => this.#inFlight.delete(sending),
      () => undefined,
    )
  }

  /** Resolves once `done` was called for all. */
  async end(): Promise<void> {
    await Promise.all(this.#inFlight)
  }

  async #send(send: () => Promise<unknown>): Promise<Error | undefined> {
    if (this.#signal.aborted) {
      return new AppError('unavailable', 'Stopped before the mail was sent.')
    }
    try {
      await Promise.race([this.#counting(send()), this.#ended.promise])
      return undefined
    } catch (error) {
      return asAppError(error) ?? new Error(String(error), { cause: error })
    }
  }

  async #counting(sending: Promise<unknown>): Promise<void> {
    try {
      await sending
      this.#failuresInARow = 0
    } catch (error) {
      if (error instanceof MailNotTaken) {
        this.#failuresInARow = error.isOfRecipient ? 0 : this.#failuresInARow + 1
        this.#lastFailure = error.message.replace(/\.$/, '')
      }
      throw error
    }
  }
}
