import type { Invitations } from '../../access/mail/invitations.ts'
import { AppError } from '../../domain/errors.ts'
import type { ImportedRow } from '../../feeds/import/import-result.ts'
import { MailQueue } from './mail-queue.ts'
import { notMailed, oldEndOf } from './mailing.ts'

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
  readonly #queue: MailQueue
  #mailed = 0
  #refused = 0
  #unmailed = 0

  constructor(deps: MailedRowsDeps) {
    this.#deps = deps
    this.#queue = new MailQueue(deps.signal)
  }

  /** Why nothing more should be made: the mail server has failed too often; undefined where it has not. */
  refusal(): AppError | undefined {
    const reason = this.#queue.refusal()
    return reason === undefined
      ? undefined
      : new AppError('unavailable', `not made and not mailed, ${reason}`)
  }

  /** Resolves once there is room for another row. */
  async add(row: ImportedRow): Promise<void> {
    const { label, page } = row.link ?? {}
    if (label === undefined || page === undefined)
      return this.#deps.print(await this.#withNote(row))
    await this.#queue.add(
      () => this.#send(row, label, page),
      (failed) => this.#done(row, failed?.message),
    )
  }

  /** Resolves once all rows are printed. */
  end(): Promise<void> {
    return this.#queue.end()
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

  #send(row: ImportedRow, label: string, page: string): Promise<string> {
    const { invitations, graceDays } = this.#deps
    const kind = row.status === 'rotated' ? 'renewed' : 'invitation'
    const oldEndsAt = row.link && kind === 'renewed' ? oldEndOf(row.link, graceDays) : undefined
    return invitations.send({ kind, feed: row.feed, label, page, oldEndsAt })
  }

  #done(row: ImportedRow, refused: string | undefined): void {
    if (refused === undefined) this.#mailed += 1
    else this.#noteRefused(row, refused)
    this.#deps.print({
      ...row,
      mail: refused === undefined ? 'mailed' : `mail refused: ${refused}`,
    })
  }

  #noteRefused({ displayName, userId }: ImportedRow, reason: string): void {
    this.#refused += 1
    this.#deps.warn(notMailed({ displayName, userIds: [userId] }, reason))
  }
}

const mailAnew =
  'a table of those rows alone, with --rotate-existing --mail, gives each a new address and mails it'
