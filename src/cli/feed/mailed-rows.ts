import type { Invitations } from '../../access/mail/invitations.ts'
import { AppError, asAppError } from '../../domain/errors.ts'
import type { ImportedRow } from '../../feeds/import/import-result.ts'
import { notMailed, oldEndOf } from './mailing.ts'
import { ServerFailures } from './server-failures.ts'

/** As many as the mailer has connections: of what is made, few wait for their mail. */
export const mailedAtOnce = 5

interface MailedRowsDeps {
  readonly invitations: Invitations
  readonly graceDays: number
  readonly print: (row: ImportedRow) => void
  /** Takes a sentence for standard error. */
  readonly warn: (text: string) => void
  /** Ends the mailing: rows that wait are printed all the same. */
  readonly signal: AbortSignal
}

/** Mails the pages of rows that got one, a few at once, and prints each row once it is known what became of its mail. */
export class MailedRows {
  readonly #deps: MailedRowsDeps
  readonly #underWay = new Set<Promise<void>>()
  readonly #failures = new ServerFailures()
  #mailed = 0
  #refused = 0
  #unmailed = 0
  readonly #ended: Promise<string>

  constructor(deps: MailedRowsDeps) {
    this.#deps = deps
    this.#ended = endOf(deps.signal)
  }

  /** Why nothing more should be made: the mail server has failed too often; undefined where it has not. */
  refusal(): AppError | undefined {
    return this.#failures.refusal()
  }

  /** Resolves once there is room for another row. */
  async add(row: ImportedRow): Promise<void> {
    if (row.link?.page === undefined) return this.#deps.print(await this.#withNote(row))
    while (this.#underWay.size >= mailedAtOnce) await Promise.race(this.#underWay)
    const mailing = this.#mail(row, row.link.label, row.link.page)
    this.#underWay.add(mailing)
    void mailing.finally(() => this.#underWay.delete(mailing))
  }

  /** Resolves once all rows are printed. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  /** How many were mailed, and how many were not, in sentences. */
  summary(): string {
    const refused = this.#refused === 0 ? '' : `, ${this.#refused} not mailed`
    const before =
      this.#unmailed === 0
        ? ''
        : ` Of those skipped, ${this.#unmailed} ${this.#unmailed === 1 ? 'is' : 'are'} not known to have been mailed: ${mailAnew}.`
    return `${this.#mailed} mailed${refused}.${before}`
  }

  /** `unavailable` where a mail was refused. */
  refuse(): void {
    if (this.#refused === 0) return
    const mails = this.#refused === 1 ? '1 mail was' : `${this.#refused} mails were`
    throw new AppError(
      'unavailable',
      `${mails} refused: the status says why. The addresses stand in the output and go on; ${mailAnew}.`,
    )
  }

  /** Whoever was mailed when the table was run before is not mailed again; of all others it says so. */
  async #withNote(row: ImportedRow): Promise<ImportedRow> {
    const { status, feed, reason } = row
    if (status !== 'skipped' || feed.audience !== 'own') return row
    if (await this.#deps.invitations.wasMailed(feed.id)) return row
    this.#unmailed += 1
    const note = `not known to have been mailed; feed rotate ${feed.id} --mail mails a new address`
    return { ...row, reason: reason === null ? note : `${reason}; ${note}` }
  }

  async #mail(row: ImportedRow, label: string, page: string): Promise<void> {
    const reason = await this.#send(row, label, page)
    if (reason === null) this.#mailed += 1
    else this.#noteRefused(row, reason)
    this.#deps.print({ ...row, mail: reason === null ? 'mailed' : `mail refused: ${reason}` })
  }

  #noteRefused({ displayName, userId }: ImportedRow, reason: string): void {
    this.#refused += 1
    this.#deps.warn(notMailed({ displayName, userIds: [userId] }, reason))
  }

  /** Why it was refused; null where it was not. */
  async #send(row: ImportedRow, label: string, page: string): Promise<string | null> {
    const { invitations, graceDays, signal } = this.#deps
    if (signal.aborted) return 'It was ended before it was mailed.'
    const kind = row.status === 'rotated' ? 'renewed' : 'invitation'
    const oldEndsAt = row.link && kind === 'renewed' ? oldEndOf(row.link, graceDays) : undefined
    const sending = this.#failures.watch(
      invitations.send({ kind, feed: row.feed, label, page, oldEndsAt }),
    )
    return Promise.race([sending.then(() => null, reasonOf), this.#ended])
  }
}

const mailAnew =
  'a table of those rows alone, with --rotate-existing --mail, gives each a new address and mails it'

function reasonOf(error: unknown): string {
  return asAppError(error)?.message ?? String(error)
}

async function endOf(signal: AbortSignal): Promise<string> {
  const ended = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => ended.resolve(), { once: true })
  await ended.promise
  return 'It was ended before it was known whether the mail was taken.'
}
