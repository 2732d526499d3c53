/* The databases that each release before wrote with its own program, and what each of their links then gave. */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import pg from 'pg'

import { weakTag } from '../../../src/publishing/publication.ts'

const fixtures = path.resolve(import.meta.dirname, '../../fixtures')

/**
 * In 0.1 options are whole; in 0.2 choices and the ledger are the feed's; in 0.3 each link has its own, statuses are in words,
 * and there are two companies, each in a zone of its own; in 0.4 people and staff have done things that the audit tells; in 0.5 people take parts of days off, and
 * calendars have default names in both languages.
 */
export const releaseNames = ['0.1', '0.2', '0.3', '0.4', '0.5', '0.6'] as const

export type ReleaseName = (typeof releaseNames)[number]

export type DatabaseKind = 'sqlite' | 'postgres'

/** What a link gives, the same in both databases. */
interface LinkAnswer {
  readonly status: number
  readonly etag: string | null
  readonly lastModified: string | null
  /** SHA-256 of the calendar, in hex; null where there is none. */
  readonly bytes: string | null
  readonly jsonEtag: string | null
  /** The status of its page. */
  readonly page: number
}

interface PolledLink {
  readonly answer: LinkAnswer
  /** Its bytes; null where it gave none. */
  readonly calendar: Buffer | null
}

export interface ReleaseLink extends LinkAnswer {
  /** Where its release lies. */
  readonly folder: string
  readonly release: ReleaseName
  /** What of the program it stands for. */
  readonly what: string
  readonly tokens: Readonly<Record<DatabaseKind, string>>
  /** The end of its path. */
  readonly file: string
  /** Whether it had been polled before; Last-Modified of one that had not is that of its first poll. */
  readonly asked: boolean
  /** The file in `calendars` with its bytes; null where there are none. */
  readonly calendar: string | null
  /** By which programs are told that its events are as they were; from 0.3 on, where that is no hash of their bytes. */
  readonly jsonTag?: string | null
}

/** What else opens something, in 0.4. */
interface ReleaseSecrets {
  /** By their names. */
  readonly apiTokens: Readonly<Record<string, string>>
  /** The cookie of Ada of the first company. */
  readonly session: string
}

interface Release {
  readonly folder: string
  readonly companyUrl: string
  /** When all was polled last: by then every copy is fresh, so no company has to answer. */
  readonly instant: number
  readonly environment: Readonly<Record<string, string>>
  readonly secrets?: Readonly<Record<DatabaseKind, ReleaseSecrets>>
  readonly links: readonly ReleaseLink[]
}

export function readRelease(name: ReleaseName): Release {
  const folder = path.join(fixtures, `release-${name}`)
  const release = JSON.parse(readFileSync(path.join(folder, 'feeds.json'), 'utf8')) as Release
  const companies = path.join(folder, 'companies.json')
  return {
    ...release,
    folder,
    environment: {
      ...release.environment,
      ...(existsSync(companies) ? { COMPANIES_FILE: companies } : {}),
    },
    links: release.links.map((link) => ({ ...link, folder, release: name })),
  }
}

/** Makes the release's database at an address at which nothing stands yet. */
export async function restoreRelease({ folder }: Release, databaseUrl: string): Promise<void> {
  if (databaseUrl.startsWith('file:')) return copySqlite(folder, databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(readFileSync(path.join(folder, 'bridge.sql'), 'utf8'))
  await client.end()
}

function copySqlite(folder: string, databaseUrl: string): void {
  const file = databaseUrl.slice('file:'.length)
  mkdirSync(path.dirname(file), { recursive: true })
  copyFileSync(path.join(folder, 'bridge.sqlite'), file)
}

/** The path of the link's calendar in that database. */
export function calendarPath({ tokens, file }: ReleaseLink, kind: DatabaseKind): string {
  return `/feeds/${tokens[kind]}/${file}`
}

/** What the link gave. */
export function answerOf(link: ReleaseLink): LinkAnswer {
  const { status, etag, lastModified, bytes, jsonEtag, page } = link
  return { status, etag, lastModified, bytes, jsonEtag, page }
}

/** The link's calendar as it was; null where it gave none. */
export function calendarOf({ folder, calendar }: ReleaseLink): Buffer | null {
  return calendar === null ? null : readFileSync(path.join(folder, 'calendars', calendar))
}

/**
 * Whether the link's calendar names a status as the Read API does, as releases before 0.3 wrote it: since then such an event
 * is written in words, and is the only thing in the calendar that has changed.
 */
export function namesStatuses(link: ReleaseLink): boolean {
  if (link.release !== '0.1' && link.release !== '0.2') return false
  return statusText.test(calendarOf(link)?.toString() ?? '')
}

/** Of a task in its description, and the one status in the fixture that timesheets do not know. */
const statusText = /(?<=^DESCRIPTION:Status: )[^\\\r\n]+|\b(?:ARCHIVED|Archived|Archiviert)\b/m

/** The release's calendar as it is now: of events that name a status this one text, one more change, and its time. */
export function withStatusesInWords(link: ReleaseLink, changedAt: number): string {
  const stamp = new Date(changedAt).toISOString().replace(/[-:]|\.\d+/g, '')
  return eventTexts(calendarOf(link)?.toString() ?? '', (event) =>
    event
      .replace(/(?<=^(?:DTSTAMP|LAST-MODIFIED):)\w+/gm, stamp)
      .replace(/(?<=^SEQUENCE:)\d+/m, (before) => String(Number(before) + (link.asked ? 1 : 0))),
  )
}

/** A calendar without folds and without the names of statuses, each event that has one changed. */
export function eventTexts(calendar: string, change = (event: string): string => event): string {
  const unfolded = calendar.replaceAll('\r\n ', '')
  return unfolded.replace(/BEGIN:VEVENT.*?END:VEVENT/gs, (event) =>
    statusText.test(event) ? change(event.replace(statusText, '…')) : event,
  )
}

/** Asks for the calendar, the events and the page of a link. */
export async function pollLink(calendarUrl: string): Promise<PolledLink> {
  const headers = { 'Accept-Encoding': 'identity' }
  const calendar = await fetch(calendarUrl, { headers })
  const body = Buffer.from(await calendar.arrayBuffer())
  const events = await fetch(calendarUrl.replace(/\.ics$/, '.json'), { headers })
  const page = await fetch(calendarUrl.replace(/\/[^/]+$/, ''), { headers })
  const answer = {
    status: calendar.status,
    etag: calendar.headers.get('ETag'),
    lastModified: calendar.headers.get('Last-Modified'),
    bytes: calendar.ok ? createHash('sha256').update(body).digest('hex') : null,
    // Before 0.3 the entity tag of the events for programs was the hash of their bytes.
    jsonEtag: events.ok ? weakTag(await events.text()) : null,
    page: page.status,
  }
  return { answer, calendar: calendar.ok ? body : null }
}
