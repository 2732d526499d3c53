/* Makes the calendars and brings them to their people; the only replies that show the addresses. */
import { MailQueue } from '../../access/mail/mail-queue.ts'
import { MailNotTaken } from '../../access/mail/mailer.ts'
import { AppError } from '../../domain/errors.ts'
import { oldEndOf } from '../../domain/link.ts'
import type { ImportedRow, PlannedRow } from '../../feeds/bulk/feed-import.ts'
import { createRests } from '../../json/rest.ts'
import { isolated } from '../../text/plain-text.ts'
import { takesAccounts } from '../pages/account.ts'
import { timesOf } from '../pages/calendar-view.ts'
import type { PageDeps } from '../pages/page.ts'
import { qrCode } from '../pages/subscribe.ts'
import { fill } from '../pages/words/words.ts'
import { sendConsole, type Visit } from './console.ts'
import type { Entry } from './hand-out-entry.ts'
import { sendTable } from './send-table.ts'
import { consoleLanguages } from './words/words.ts'

export const deliveries = ['mail', 'csv', 'sheets'] as const
export type Delivery = (typeof deliveries)[number]

/** All sheets stand in one reply, each with its code. */
export const sheetsMax = 250

interface Order {
  readonly delivery: Delivery
  readonly rows: readonly PlannedRow[]
  readonly key: string
  readonly label: string
  readonly renews: boolean
  readonly graceDays: number
  readonly entry: Entry
}

export async function deliver(deps: PageDeps, visit: Visit, order: Order): Promise<void> {
  const made = await deps.administrationBy(visit.by).handOut.make(order.rows, order)
  if ('madeAt' in made) return sendMadeBefore(deps, visit, order, made.madeAt)
  const rows = inOrder(made, order.rows)
  if (rows.every(({ status }) => status === 'skipped')) return sendResult(deps, visit, rows)
  if (order.delivery === 'csv') return sendCsv(visit, rows)
  if (order.delivery === 'sheets') return sendSheets(deps, visit, rows)
  const mails = await mailAll(deps, visit, rows, order.graceDays)
  sendResult(deps, visit, rows, mails)
}

/** As they were named. */
function inOrder(
  made: readonly ImportedRow[],
  planned: readonly PlannedRow[],
): readonly ImportedRow[] {
  const places = new Map(planned.map(({ draft }, place) => [draft.feed.userIds[0], place]))
  const placeOf = ({ userId }: ImportedRow): number => places.get(userId) ?? 0
  return made.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function sendMadeBefore(deps: PageDeps, visit: Visit, { entry }: Order, madeAt: number): void {
  const { again } = visit.words.handOut
  sendConsole(deps, visit, {
    template: 'hand-out-again',
    title: again.title,
    place: 'handOut',
    openable: '/hand-out',
    text: fill(again.text, { at: sayWhen(deps, visit, madeAt) }),
    entry,
  })
}

async function sendCsv(visit: Visit, rows: readonly ImportedRow[]): Promise<void> {
  const { response, words } = visit
  const { csv } = words.handOut
  response.setHeader('Cache-Control', 'no-store')
  const lines = rows.map((row) => {
    const { email, link, status } = row
    const said = status === 'failed' ? `${csv.failed}: ${sayWhy(visit, row).text}` : csv[status]
    return [nameOf(row), email, link?.page ?? '', link?.url ?? '', said]
  })
  await sendTable(response, csv.file, csv.columns, inOnePart(lines))
}

async function* inOnePart<T>(rows: T): AsyncGenerator<T> {
  yield rows
}

async function sendSheets(
  deps: PageDeps,
  visit: Visit,
  rows: readonly ImportedRow[],
): Promise<void> {
  const { sheets: words } = visit.words.handOut
  const sheets: object[] = []
  const rests = createRests()
  for (const row of rows) {
    const { link, feed } = row
    if (link?.page === undefined) continue
    const { locale } = feed
    sheets.push({
      locale,
      words: consoleLanguages[locale].handOut.sheet,
      name: isolated(nameOf(row)),
      calendar: isolated(feed.name),
      page: link.page,
      code: await qrCode(link.page, 'paper'),
    })
    if (rests.isDue()) await rests.take()
  }
  const count = amount(visit, sheets.length)
  sendConsole(deps, visit, {
    template: 'hand-out-sheets',
    styles: ['hand-out.css'],
    title: words.title,
    place: 'handOut',
    openable: '/hand-out',
    mayBeAccount: takesAccounts(deps.publicUrl),
    sheets,
    print: sheets.length === 1 ? words.printOne : fill(words.print, { count }),
    skipped: rows.filter(({ status }) => status === 'skipped').length,
    failed: rows
      .filter(({ status }) => status === 'failed')
      .map((row) => ({
        text: fill(words.failed, { who: isolated(nameOf(row)) }),
        why: sayWhy(visit, row),
      })),
  })
}

function nameOf({ displayName, userId }: ImportedRow): string {
  return displayName || userId
}

type MailFault = keyof Visit['words']['handOut']['result']['faults']
/** By row; null for a mail that was taken. */
type Mails = ReadonlyMap<ImportedRow, MailFault | null>

async function mailAll(
  deps: PageDeps,
  { by }: Visit,
  rows: readonly ImportedRow[],
  graceDays: number,
): Promise<Mails> {
  const { mailing } = deps.access
  if (!mailing) throw new AppError('conflict', 'No mail server is set.')
  const invitations = mailing.invitationsBy(by, deps.administrationBy(by).names())
  // The mails are sent even if the sender of the form has gone.
  const queue = new MailQueue(new AbortController().signal)
  const mails = new Map<ImportedRow, MailFault | null>()
  for (const row of rows) {
    const { link, feed, status } = row
    if (link?.page === undefined) continue
    const { label, page } = link
    const kind = status === 'rotated' ? 'renewed' : 'invitation'
    const oldEndsAt = kind === 'renewed' ? oldEndOf(link, graceDays) : undefined
    await queue.add(async () => {
      const failed = queue.refusal('')
        ? 'stopped'
        : await queue.send(() => invitations.send({ kind, feed, label, page, oldEndsAt }))
      mails.set(row, failed === undefined ? null : faultOf(failed, row))
    })
  }
  await queue.end()
  return mails
}

function faultOf(failed: Error | 'stopped', { feed, email }: ImportedRow): MailFault {
  if (failed === 'stopped') return failed
  if (failed instanceof MailNotTaken) return failed.fault
  if (feed.audience !== 'own') return 'for_others'
  return email === '' || failed instanceof AppError ? 'no_address' : 'other'
}

function sendResult(
  deps: PageDeps,
  visit: Visit,
  rows: readonly ImportedRow[],
  mails: Mails = new Map(),
): void {
  const { result } = visit.words.handOut
  const refused = rows.filter((row) => mails.get(row))
  const count = (status: ImportedRow['status']): number =>
    rows.filter((row) => row.status === status).length
  const sayRow = (row: ImportedRow): object => {
    const fault = mails.get(row)
    if (fault) return { tone: 'bad', text: result.faults[fault] }
    if (fault === null) return { tone: 'good', text: result.wasMailed }
    if (row.status === 'skipped') return { tone: '', text: result.wasSkipped }
    return { tone: 'bad', text: result.wasFailed, why: sayWhy(visit, row) }
  }
  const isNothing = rows.every(({ status }) => status === 'skipped')
  const mailed = [...mails.values()].filter((fault) => fault === null).length
  sendConsole(deps, visit, {
    template: 'hand-out-result',
    title: isNothing ? result.nothingTitle : result.title,
    place: 'handOut',
    openable: '/hand-out',
    isNothing,
    stats: [
      [result.mailed, mailed],
      [result.refused, refused.length],
      [result.skipped, count('skipped')],
      [result.failed, count('failed')],
    ]
      .filter(([, number], place) => place === 0 || number !== 0)
      .map(([text, number]) => [text, amount(visit, Number(number))]),
    rows: [...refused, ...rows.filter((row) => !mails.get(row))].map((row) => ({
      name: isolated(nameOf(row)),
      email: row.email,
      ...sayRow(row),
    })),
    refused: refused.length,
    refusedText: amount(visit, refused.length),
    again: refused.map(({ userId }) => userId).join('\n'),
  })
}

/** Why a row failed, in English only where only English is known. */
function sayWhy(
  { words, locale }: Visit,
  { failure, reason }: ImportedRow,
): { readonly text: string; readonly isEnglish: boolean } {
  const { why } = words.handOut.result
  const isKnown = failure === 'conflict' || failure === 'not_found' || failure === 'unavailable'
  if (isKnown) return { text: why[failure], isEnglish: false }
  return { text: reason ?? '', isEnglish: locale !== 'en' }
}

export function amount({ locale }: Visit, count: number): string {
  return count.toLocaleString(locale === 'en' ? 'en-GB' : locale)
}

/** The time of day in the company's zone, with the date unless it is today. */
function sayWhen(deps: PageDeps, { request, companyId, locale }: Visit, at: number): string {
  const timezone = deps.connections.get(companyId)?.company.timezone ?? 'UTC'
  return timesOf(deps, request, timezone, locale).at(at)
}
