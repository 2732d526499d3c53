import { localTime } from '../calendar/local-time.ts'
import { collectionKey } from '../domain/copy.ts'
import type { Feed } from '../domain/feed.ts'
import {
  type BasisFound,
  type BasisNames,
  choicesText,
  type FeedLink,
  linkName,
  type LinkOfFeed,
  type LinkStore,
} from '../domain/link.ts'
import { dayNumber } from '../domain/plain-date.ts'
import type { Clock, Instant } from '../domain/world.ts'
import {
  basisOf,
  type CalendarForm,
  calendarForms,
  type CalendarValidators,
  type EncodedBody,
} from './publication.ts'
import { type Ages, type CalendarState, freshUntil, servedUntil } from './serviceability.ts'

const bytesMaxOfAll = 64 * 1024 * 1024
/** Memory besides the body. */
const bytesOfEntry = 2048

/** What an answer depends on: while it is the same, the answer would be, too. */
export interface Grounds extends BasisNames {
  /** As `findBasis` returns it. */
  readonly basis: string
  /** Invalid before that: a clock set back sees another day, and copies from the future. */
  readonly since: Instant
  /** When the oldest of its copies was requested. */
  readonly askedAt: Instant
  /** Valid until then; after that the store alone cannot tell. */
  readonly until: Instant
}

export interface Answer {
  readonly validators: CalendarValidators
  /** null if all clients that asked had the calendar already. */
  readonly body: EncodedBody | null
}

export interface ReadyAnswer extends Answer {
  readonly link: FeedLink
  readonly feed: Pick<Feed, 'name' | 'timezone' | 'companyId'>
}

/** How long an answer is valid. */
export interface Validity {
  /** null if the store cannot tell whether it is still valid. */
  readonly grounds: Grounds | null
  /** When all of it was up to date. */
  readonly newAt: Instant
  /** How long it may be served while the store does not answer. */
  readonly until: Instant
  /** Of the feed and the company's defaults. */
  readonly revision: string
}

/** An answer that the store could not confirm. */
export interface LastAnswer {
  readonly answer: ReadyAnswer
  readonly staleForMs: number
}

interface Entry extends ReadyAnswer, Omit<Validity, 'newAt'> {
  /** When it was last confirmed; null if its feed was changed here since. */
  heldAt: Instant | null
  /** `seen` of the last confirmation. */
  seen: BasisFound['seen']
  /** Sent since its last chance to be removed. */
  isUsed: boolean
}

interface ReadyAnswersDeps {
  readonly links: Pick<LinkStore, 'findBasis'>
  readonly clock: Clock
  /** How long an unconfirmed answer is served. */
  readonly staleMs: number
}

/** A poll may take so long that it read the feed before a change. */
const pollMsMax = 60_000

/**
 * The last answers by link and form, limited by bytes of all codings: the oldest are removed first, but used ones get a
 * second chance. An answer is sent again as long as one read of the store confirms it, and for a while if the store does
 * not answer.
 */
export class ReadyAnswers {
  readonly #deps: ReadyAnswersDeps
  readonly #bytesMax: number
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  #forgottenAt: Instant = -Infinity
  /** Recent changes of feeds on this node, oldest first. */
  readonly #changes = new Map<string | null, Instant>()

  constructor(deps: ReadyAnswersDeps, bytesMax = bytesMaxOfAll) {
    this.#deps = deps
    this.#bytesMax = bytesMax
  }

  /** The answer for the link with that name; undefined if it has to be made. */
  find(link: string, form: CalendarForm): Promise<ReadyAnswer | undefined> | undefined {
    const name = `${link} ${form}`
    const entry = this.#entries.get(name)
    if (!entry?.grounds || entry.grounds.askedAt <= this.#forgottenAt) return undefined
    const { since, until } = entry.grounds
    const now = this.#deps.clock.now()
    if (now < since || now >= until) return undefined
    return this.#confirmed(name, entry, entry.grounds)
  }

  /** The last answer that can be sent without the store. */
  findLast(link: string, form: CalendarForm): LastAnswer | undefined {
    const entry = this.#entries.get(`${link} ${form}`)
    if (!entry || entry.heldAt === null) return undefined
    // A client must not get an older calendar than before.
    const all = calendarForms.flatMap((one) => this.#entries.get(`${link} ${one}`) ?? [])
    if (all.some((other) => changedAt(other) > changedAt(entry))) return undefined
    const staleForMs = Math.max(0, this.#deps.clock.now() - entry.heldAt)
    const isOver = this.#deps.clock.now() >= entry.until || staleForMs > this.#deps.staleMs
    return isOver ? undefined : { answer: entry, staleForMs }
  }

  /** Call it when the link has ended. */
  drop(link: string): void {
    for (const form of calendarForms) this.#remove(`${link} ${form}`)
  }

  /** To be called when the feed has changed on this node; null if any feed may have. */
  dropFeed(feedId: string | null): void {
    const now = this.#deps.clock.now()
    this.#changes.delete(feedId)
    this.#changes.set(feedId, now)
    for (const [id, at] of this.#changes) {
      if (now - at < pollMsMax) break
      this.#changes.delete(id)
    }
    for (const [name, { link }] of this.#entries) {
      if (feedId === null || link.feedId === feedId) this.#remove(name)
    }
  }

  /** Removes answers from before a change on another node. */
  noteFound({ feed, link }: LinkOfFeed): void {
    const answered = calendarForms.flatMap((form) => this.#entries.get(nameOf(link, form)) ?? [])
    const before = answered.filter(
      (it) => it.revision !== revisionOf(feed) || !isAsSet(it.link, link),
    )
    if (before.length > 0) this.dropFeed(feed.id)
  }

  /** Has all current answers made again. */
  forget(): void {
    this.#forgottenAt = this.#deps.clock.now()
  }

  /** The body with that tag, even if the link serves another by now. */
  findBody(link: FeedLink, form: CalendarForm, etag: string): EncodedBody | null {
    const name = nameOf(link, form)
    const entry = this.#entries.get(name)
    if (entry?.validators.etag !== etag) return null
    entry.isUsed = true
    return entry.body
  }

  /** Ignores answers that are too large, or older than the kept one. */
  keep(answer: ReadyAnswer, form: CalendarForm, { newAt, ...validity }: Validity): void {
    const name = nameOf(answer.link, form)
    const before = this.#entries.get(name)
    if (before && changedAt(before) > changedAt(answer)) return
    const { validators, body } = answer
    const kept = body ?? this.findBody(answer.link, form, validators.etag)
    this.#remove(name)
    const heldAt = this.#isChangedLately(answer.link) ? null : newAt
    const entry = { ...answer, ...validity, body: kept, heldAt, seen: null, isUsed: false }
    if (weightOf(entry) > this.#bytesMax) return
    this.#add(weightOf(entry))
    this.#entries.set(name, entry)
    kept?.watch((bytes) => this.#add(bytes))
  }

  async #confirmed(name: string, entry: Entry, grounds: Grounds): Promise<Entry | undefined> {
    const { links } = this.#deps
    const { basis, seen } = await links.findBasis(grounds, entry.seen)
    const holds = basis === null || basis === grounds.basis
    if (!holds || this.#entries.get(name) !== entry) return undefined
    entry.seen = seen
    entry.isUsed = true
    entry.heldAt = this.#deps.clock.now()
    return entry
  }

  #isChangedLately({ feedId }: FeedLink): boolean {
    const now = this.#deps.clock.now()
    const changes = [this.#changes.get(feedId), this.#changes.get(null)]
    return changes.some((at) => at !== undefined && now - at < pollMsMax)
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    for (const [name, entry] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) break
      if (entry.isUsed) this.#postpone(name, entry)
      else this.#remove(name)
    }
  }

  #postpone(name: string, entry: Entry): void {
    entry.isUsed = false
    this.#entries.delete(name)
    this.#entries.set(name, entry)
  }

  #remove(name: string): void {
    const entry = this.#entries.get(name)
    if (!entry) return
    entry.body?.watch(() => undefined)
    this.#bytes -= weightOf(entry)
    this.#entries.delete(name)
  }
}

function changedAt({ link: { publication } }: ReadyAnswer): Instant {
  return publication?.lastModified ?? -Infinity
}

function revisionOf({ revision, defaults }: Feed): string {
  return `${revision} ${defaults.revision}`
}

function isAsSet(before: FeedLink, link: FeedLink): boolean {
  return before.endsAt === link.endsAt && choicesText(before.choices) === choicesText(link.choices)
}

function nameOf(link: Pick<FeedLink, 'tokenHash'>, form: CalendarForm): string {
  return `${linkName(link)} ${form}`
}

function weightOf({ body }: Entry): number {
  return bytesOfEntry + (body?.bytes ?? 0)
}

export function validityOf(state: CalendarState, settings: Ages): Validity {
  const { at, serviceability } = state
  return {
    grounds: groundsOf(state, settings),
    newAt: at - (serviceability.staleForMs ?? 0),
    until: Math.min(endOf(state, settings), servedUntil(state, settings)),
    revision: revisionOf(state.feed),
  }
}

/** null if the store cannot tell whether it is still valid, and for a link with a first poll that is not stored yet. */
function groundsOf(state: CalendarState, settings: Ages): Grounds | null {
  const { feed, link, source, states, proof, departed, at } = state
  const until = Math.min(
    freshUntil(states, settings),
    nextMidnight(at, feed.timezone),
    endOf(state, settings),
  )
  if (until <= at || link.awaitsPoll) return null
  const keys = states.map(({ request }) => collectionKey(request.collection))
  const heads = inByteOrder(
    states.flatMap(({ head }) => head ?? []),
    ({ key }) => key,
  )
  const contents = heads.map(({ key, contentHash }) => `${key}=${contentHash}`).join('\n')
  const left = inByteOrder(departed, (id) => id).join('\n')
  return {
    tokenHash: Buffer.from(link.tokenHash).toString('hex'),
    connectionId: source.connection.id,
    keys: JSON.stringify(keys),
    basis: basisOf({ feed, link, proof, contents, departed: left }),
    since: at,
    askedAt: Math.min(...heads.map(({ begunAt }) => begunAt)),
    until,
  }
}

/** When the calendar ends, or its leave is no longer believed, as far as known now. */
function endOf({ feed, link, proof }: CalendarState, { staleMs }: Ages): Instant {
  return Math.min(
    ...[link.endsAt, feed.revokedAt, feed.closedAt].map((end) => end ?? Infinity),
    proof.state === 'disproved' ? proof.since + staleMs : Infinity,
  )
}

/** The calendar's window may change then. */
function nextMidnight(now: Instant, timezone: string): Instant {
  const local = localTime(timezone)
  return local.instantOn(dayNumber(local.dateAt(now)) + 1, 0)
}

/** The order of texts in both databases. */
function inByteOrder<T>(things: readonly T[], textOf: (thing: T) => string): readonly T[] {
  return things
    .map((thing) => ({ thing, bytes: Buffer.from(textOf(thing)) }))
    .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ thing }) => thing)
}
