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
import type { CopyHead } from '../domain/copy.ts'
import type { Feed } from '../domain/feed.ts'
import type { Publication } from '../domain/link.ts'
import { calendarJson, jsonContent } from './calendar-json.ts'
import type { OpenLink } from './open-link.ts'

/** `.ics` for calendar clients, `.json` for programs. */
export type CalendarForm = 'ics' | 'json'

/** RFC 9110 section 8.8. */
export type CalendarValidators = Pick<Publication, 'etag'> & Partial<Publication>

/** A calendar in one form, with its validators. */
export interface PublishedCalendar {
  readonly validators: CalendarValidators
  readonly body: EncodedBody
}

/** A calendar as it was made, before it has a form. */
export interface MadeCalendar extends RenderedCalendar {
  readonly feed: Feed
  readonly publication: Publication
}

/** RFC 9110 section 8.4.1 content codings that a body is served in. */
export type ContentCoding = 'gzip' | 'br' | 'zstd' | 'identity'

/** Raised where the same records give other bytes than before, so that nobody is told that nothing has changed. */
const wordingRevision = 2

const bytesMaxOfAll = 64 * 1024 * 1024

/** A third of the time of the usual level, for a sixth more bytes. */
const level = 3
/** A calendar is usually compressed faster than another thread is told to. */
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

/** Of everything that could change a byte: the same as long as nothing has. */
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
    JSON.stringify([versions, wordingRevision, shown, link.endsAt, company, window, content]),
  )
}

/** Of that form. What only JSON says may change without the calendar, whose date is therefore not its own. */
export function validatorsOf(
  { etag, lastModified }: Publication,
  feed: Feed,
  form: CalendarForm,
): CalendarValidators {
  return form === 'ics' ? { etag, lastModified } : { etag: weakTag(jsonContent(feed, etag)) }
}

/** The calendar in that form. */
export async function published(
  { feed, publication, text, events }: MadeCalendar,
  form: CalendarForm,
): Promise<PublishedCalendar> {
  const body = await EncodedBody.of(form === 'ics' ? text : calendarJson(feed, events))
  return { validators: validatorsOf(publication, feed, form), body }
}

/** The weak entity tag of a text: one for every content coding (RFC 9110 section 8.8.3). */
export function weakTag(text: string): string {
  return `W/"${hashText(text)}"`
}

/** Enough of a SHA-256 that no two texts share it. */
function hashText(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 27)
}

/** A text as it is kept in memory: compressed once per coding, not per request, which would cost sixty times as much. */
export class EncodedBody {
  readonly #gzipped: Buffer
  readonly #others = new Map<ContentCoding, Buffer>()
  #onGrowth: (bytes: number) => void = () => undefined

  private constructor(gzipped: Buffer) {
    this.#gzipped = gzipped
  }

  static async of(text: string): Promise<EncodedBody> {
    return new EncodedBody(await compress.gzip(Buffer.from(text)))
  }

  /** What it weighs in memory, in all codings that were asked for. */
  get bytes(): number {
    return [...this.#others.values()].reduce(
      (sum, { length }) => sum + length,
      this.#gzipped.length,
    )
  }

  /** From now on tells by how many bytes it grows, as it does when another coding is asked for. */
  watch(onGrowth: (bytes: number) => void): void {
    this.#onGrowth = onGrowth
  }

  /** The bytes in that coding. */
  async in(coding: ContentCoding): Promise<Buffer> {
    if (coding === 'gzip') return this.#gzipped
    const kept = this.#others.get(coding)
    if (kept) return kept
    const identity = await gunzipAsync(this.#gzipped)
    if (coding === 'identity') return identity
    return this.#keep(coding, await compress[coding](identity))
  }

  #keep(coding: ContentCoding, encoded: Buffer): Buffer {
    const meanwhile = this.#others.get(coding)
    if (meanwhile) return meanwhile
    this.#others.set(coding, encoded)
    this.#onGrowth(encoded.length)
    return encoded
  }
}

interface CachedBody {
  readonly etag: string
  readonly body: EncodedBody
}

/** The bodies served last, by link, within a fixed number of bytes of all codings: the least recently used go first. */
export class BodyCache {
  readonly #bytesMax: number
  readonly #bodies = new Map<string, CachedBody>()
  #bytes = 0

  constructor(bytesMax = bytesMaxOfAll) {
    this.#bytesMax = bytesMax
  }

  find(link: string, etag: string): EncodedBody | undefined {
    const cached = this.#bodies.get(link)
    if (cached?.etag !== etag) return undefined
    this.#bodies.delete(link)
    this.#bodies.set(link, cached)
    return cached.body
  }

  /** One that is larger than the whole cache is not kept, and takes no other's place. */
  keep(link: string, etag: string, body: EncodedBody): void {
    this.#remove(link)
    if (body.bytes > this.#bytesMax) return
    this.#bodies.set(link, { etag, body })
    this.#add(body.bytes)
    body.watch((bytes) => this.#add(bytes))
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    for (const oldest of this.#bodies.keys()) {
      if (this.#bytes <= this.#bytesMax) break
      this.#remove(oldest)
    }
  }

  #remove(link: string): void {
    const body = this.#bodies.get(link)?.body
    if (!body) return
    body.watch(() => undefined)
    this.#bytes -= body.bytes
    this.#bodies.delete(link)
  }
}
