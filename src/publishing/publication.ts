import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  gunzip,
  gzip,
  gzipSync,
  type ZlibOptions,
  zstdCompress,
} from 'node:zlib'

import type { CalendarWindow } from '../calendar/local-time.ts'
import type { RenderedCalendar } from '../calendar/render.ts'
import type { WrittenEvent } from '../calendar/vevent.ts'
import type { CopyHead } from '../domain/copy.ts'
import type { Feed } from '../domain/feed.ts'
import type { NextLedger, Publication, SyncHistory } from '../domain/ledger.ts'
import { type BasisParts, certainEnd, choicesText } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { writeObjects } from './calendar-objects.ts'
import type { OpenLink } from './open-link.ts'
import type { CalendarState } from './serviceability.ts'

export const calendarForms = ['ics', 'json', 'objects'] as const
/** `.ics` for calendar clients, `.json` for programs, objects for CalDAV. */
export type CalendarForm = (typeof calendarForms)[number]

/** RFC 9110 section 8.8. */
export type CalendarValidators = Pick<Publication, 'etag'> & Partial<Publication>

export interface PublishedCalendar {
  readonly validators: CalendarValidators
  readonly body: EncodedBody
}

/** A calendar before it is written in a form. */
export interface MadeCalendar extends RenderedCalendar {
  readonly feed: Feed
  readonly publication: Publication
  /** As stored with the publication. */
  readonly ledger: Pick<NextLedger, 'entries' | 'history'>
}

/** Content codings that are served (RFC 9110 section 8.4.1). */
export type ContentCoding = 'gzip' | 'br' | 'zstd' | 'identity'

/** Increase when the JSON of the same events changes. */
const jsonVersion = 1
/** Increase when the same records give other bytes, so that no client gets a 304 for the old ones. */
const wordingRevision = 2

/** A third of the time of the default level, for a sixth more bytes. */
const level = 3
/** Smaller bodies are compressed faster than they are handed to another thread. */
const bytesMaxAtOnce = 256 * 1024

const gzipAsync = promisify<Uint8Array, ZlibOptions, Buffer>(gzip)
const gunzipAsync = promisify(gunzip)
const compress = {
  gzip: async (bytes: Uint8Array): Promise<Buffer> =>
    bytes.length <= bytesMaxAtOnce ? gzipSync(bytes, { level }) : gzipAsync(bytes, { level }),
  br: (bytes: Uint8Array): Promise<Buffer> =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: promisify(zstdCompress),
} as const

/** Changes whenever a byte of the calendar could change. */
export function fingerprintOf(
  versions: string,
  { feed, link, source }: OpenLink,
  heads: readonly CopyHead[],
  window: CalendarWindow,
): string {
  const content = heads.map(({ key, contentHash }) => [key, contentHash])
  const { companyId, userIds, audience, name, timezone, locale, options } = feed
  const shown = { companyId, userIds, audience, name, timezone, locale, options }
  const { company } = source.connection
  return hashText(
    JSON.stringify([versions, wordingRevision, shown, certainEnd(link), company, window, content]),
  )
}

/** What a link serves after `before`. Validators change only with the bytes. */
export function nextPublication(
  before: Publication | null,
  etag: string,
  fingerprint: string,
  lastModified: Instant,
): Publication {
  if (before?.etag === etag) {
    return before.fingerprint === fingerprint ? before : { ...before, fingerprint }
  }
  return { fingerprint, etag, lastModified }
}

/**
 * Last-Modified of the next publication, if its bytes change: at least a second after the one before, since clients
 * revalidate by date and sync tokens name publications by it. A link that replaces another continues after that one's.
 */
export function nextModified(
  before: Publication | null,
  history: SyncHistory | undefined,
  now: Instant,
): Instant {
  const second = Math.floor(now / 1000) * 1000
  const [, , continued = -Infinity] = history?.ranges.at(-1) ?? []
  const last = Math.max(before?.lastModified ?? -Infinity, continued)
  return Math.max(second, last + 1000)
}

/** The validators of the last answer, if nothing has changed since. */
export function unchanged(
  { link: { publication }, feed, fingerprint }: CalendarState,
  form: CalendarForm,
): CalendarValidators | null {
  const isUnchanged = publication?.fingerprint === fingerprint
  return isUnchanged ? validatorsOf(publication, feed, form) : null
}

/** JSON can change while the calendar does not, so it has no date of its own. */
function validatorsOf(
  { etag, lastModified }: Publication,
  feed: Feed,
  form: CalendarForm,
): CalendarValidators {
  if (form === 'ics') return { etag, lastModified }
  // The bytes may be those of an earlier publication, but the changes since then differ.
  if (form === 'objects') return { etag: weakTag(`${etag} ${lastModified}`), lastModified }
  return { etag: weakTag(JSON.stringify([jsonVersion, etag, feed.name, feed.timezone])) }
}

/** A text that changes when any of its parts does. */
export function basisOf({ feed, link, proof, contents, departed }: BasisParts): string {
  const { fingerprint, etag, lastModified } = link.publication ?? {}
  const { revision, defaults, leavesShown, revokedAt, purgedAt } = feed
  const ofFeed = [revision, defaults.revision, Number(leavesShown), revokedAt, purgedAt]
  const ofLink = [link.endsAt, Number(link.purged), choicesText(link.choices)]
  const ofAnswer = [fingerprint, etag, lastModified]
  const ofProof = [proof.state, proof.reason, proof.since]
  return [ofFeed, feed.closedAt, ofLink, ofAnswer, ofProof, contents, departed].flat().join('|')
}

export async function published(
  made: MadeCalendar,
  form: CalendarForm,
): Promise<PublishedCalendar> {
  const body = await EncodedBody.of(contents[form](made))
  return { validators: validatorsOf(made.publication, made.feed, form), body }
}

const contents: Readonly<Record<CalendarForm, (made: MadeCalendar) => string | Buffer>> = {
  ics: ({ bytes }) => bytes,
  json: ({ feed, events }) => calendarJson(feed, events),
  objects: ({ feed, events, ledger, publication }) =>
    writeObjects(feed, events, ledger, publication),
}

/**
 * `{name, timezone, events}`. `start` and `end` are RFC 3339 instants in UTC, or dates for all-day events; the end is
 * exclusive.
 */
export function calendarJson(feed: Feed, events: readonly WrittenEvent[]): string {
  return JSON.stringify({ name: feed.name, timezone: feed.timezone, events: events.map(viewEvent) })
}

function viewEvent({ event, revision }: WrittenEvent): object {
  const { uid, kind, title, description, time, status, busy } = event
  const { sequence, changedAt } = revision
  return {
    uid,
    kind,
    title,
    description,
    start: time.allDay ? time.start : iso(time.start),
    end: time.allDay ? time.end : iso(time.end),
    allDay: time.allDay,
    status,
    busy,
    sequence,
    lastModified: iso(changedAt),
  }
}

function iso(instant: Instant): string {
  return new Date(instant).toISOString()
}

/** A weak entity tag: the same for every content coding (RFC 9110 section 8.8.3). */
export function weakTag(text: string | Buffer): string {
  return `W/"${hashText(text)}"`
}

function hashText(text: string | Buffer): string {
  return hash('sha256', text, 'base64url').slice(0, 27)
}

/** A body in memory, compressed once per coding: compressing it per request would cost sixty times as much. */
export class EncodedBody {
  readonly #ready = new Map<ContentCoding, Buffer>()
  /** The codings requested so far. */
  readonly ready: ReadonlyMap<ContentCoding, Buffer> = this.#ready
  readonly #gzipped: Buffer
  #onGrowth: (bytes: number) => void = () => undefined

  private constructor(gzipped: Buffer) {
    this.#gzipped = gzipped
    this.#ready.set('gzip', gzipped)
  }

  static async of(text: string | Buffer): Promise<EncodedBody> {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    return new EncodedBody(alone(await compress.gzip(bytes)))
  }

  /** In all codings requested so far. */
  get bytes(): number {
    return this.ready.values().reduce((sum, { length }) => sum + length, 0)
  }

  /** Calls back with the number of bytes when another coding is added. */
  watch(onGrowth: (bytes: number) => void): void {
    this.#onGrowth = onGrowth
  }

  async in(coding: ContentCoding): Promise<Buffer> {
    const kept = this.ready.get(coding)
    if (kept) return kept
    const identity = await this.decoded()
    return this.#keep(coding, coding === 'identity' ? identity : await compress[coding](identity))
  }

  /** The text; it is not kept, unlike that of `in('identity')`. */
  decoded(): Promise<Buffer> {
    return gunzipAsync(this.#gzipped)
  }

  #keep(coding: ContentCoding, encoded: Buffer): Buffer {
    const meanwhile = this.ready.get(coding)
    if (meanwhile) return meanwhile
    const kept = alone(encoded)
    this.#ready.set(coding, kept)
    this.#onGrowth(kept.length)
    return kept
  }
}

/** A copy: a small buffer would keep its large pool in memory. */
function alone(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}
