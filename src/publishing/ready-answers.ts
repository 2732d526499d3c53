import { localTime } from '../calendar/local-time.ts'
import { collectionKey } from '../domain/copy.ts'
import type { BasisFound, BasisNames } from '../domain/ledger.ts'
import { type FeedLink, linkName, type LinkStore } from '../domain/link.ts'
import { addDays } from '../domain/plain-date.ts'
import type { Clock, Instant } from '../domain/world.ts'
import {
  basisOf,
  type CalendarForm,
  type CalendarValidators,
  type EncodedBody,
} from './publication.ts'
import { type Ages, type CalendarState, freshUntil } from './serviceability.ts'

const bytesMaxOfAll = 64 * 1024 * 1024
/** What an answer takes beside its body. */
const bytesOfEntry = 2048

/** What an answer stands on: as long as that holds, it is what would be made again. */
export interface Grounds extends BasisNames {
  /** As the link store finds it. */
  readonly basis: string
  /** When it was found: a clock that is set back to before that sees another day, and copies from the future. */
  readonly since: Instant
  /** When the Read API was first asked for any of it. */
  readonly askedAt: Instant
  /** From then on more than the store has to be asked. */
  readonly until: Instant
}

/** What a poll is answered with. */
export interface Answer {
  readonly validators: CalendarValidators
  /** null where only who has the calendar has asked: they are told so without it. */
  readonly body: EncodedBody | null
}

/** A link's answer in one form. */
export interface ReadyAnswer extends Answer {
  readonly link: FeedLink
}

interface Entry extends ReadyAnswer {
  readonly grounds: Grounds | null
  /** What had been written when the grounds held last. */
  seen: BasisFound['seen']
  /** Whether it has gone out since it was last to be removed. */
  isUsed: boolean
}

interface ReadyAnswersDeps {
  readonly links: Pick<LinkStore, 'findBasis'>
  readonly clock: Clock
}

/**
 * The answers given last, by link and form, within a fixed number of bytes of all codings: the oldest go first, but
 * those that are used get a second chance. One goes out again as it was made while one read of the store shows that all it stands on is as it was.
 */
export class ReadyAnswers {
  readonly #deps: ReadyAnswersDeps
  readonly #bytesMax: number
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  #forgottenAt: Instant = -Infinity

  constructor(deps: ReadyAnswersDeps, bytesMax = bytesMaxOfAll) {
    this.#deps = deps
    this.#bytesMax = bytesMax
  }

  /** What the link of that name is answered with now; undefined where that has to be found out. */
  find(link: string, form: CalendarForm): Promise<ReadyAnswer | undefined> | undefined {
    const name = `${link} ${form}`
    const entry = this.#entries.get(name)
    if (!entry?.grounds || entry.grounds.askedAt <= this.#forgottenAt) return undefined
    if (!isWithin(entry.grounds, this.#deps.clock.now())) return undefined
    return this.#confirmed(name, entry, entry.grounds)
  }

  /** Has everything found out anew that stands on what was asked for until now. */
  forget(): void {
    this.#forgottenAt = this.#deps.clock.now()
  }

  /** The body of that calendar, whether or not it is still what the link is answered with. */
  findBody(link: FeedLink, form: CalendarForm, etag: string): EncodedBody | null {
    const name = nameOf(link, form)
    const entry = this.#entries.get(name)
    if (entry?.validators.etag !== etag) return null
    entry.isUsed = true
    return entry.body
  }

  /** One that is larger than all may be together is not kept, and takes no other's place. */
  keep(answer: ReadyAnswer, form: CalendarForm, grounds: Grounds | null): void {
    const name = nameOf(answer.link, form)
    const { validators, body } = answer
    const kept = body ?? this.findBody(answer.link, form, validators.etag)
    this.#remove(name)
    const entry = { ...answer, body: kept, grounds, seen: null, isUsed: false }
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
    return entry
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    for (const [name, entry] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) break
      if (entry.isUsed) this.#postpone(name, entry)
      else this.#remove(name)
    }
  }

  /** The next time it goes, unless it is used until then. */
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

function nameOf(link: Pick<FeedLink, 'tokenHash'>, form: CalendarForm): string {
  return `${linkName(link)} ${form}`
}

function weightOf({ body }: Entry): number {
  return bytesOfEntry + (body?.bytes ?? 0)
}

/**
 * What that state's answer stands on; null where the store cannot tell for a while that it is still the same, and of a link
 * whose first poll by a calendar program has still to be noted.
 */
export function groundsOf(state: CalendarState, settings: Ages): Grounds | null {
  const { feed, link, source, states, proof, departed, at } = state
  const until = Math.min(
    freshUntil(states, settings),
    nextMidnight(at, feed.timezone),
    ...[link.endsAt, feed.revokedAt, feed.closedAt].map((end) => end ?? Infinity),
    proof.state === 'disproved' ? proof.since + settings.staleMs : Infinity,
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

function isWithin({ since, until }: Grounds, now: Instant): boolean {
  return since <= now && now < until
}

/** When another day begins, of which the calendar's window may be another. */
function nextMidnight(now: Instant, timezone: string): Instant {
  const local = localTime(timezone)
  return local.instantAt(addDays(local.dateAt(now), 1), 0)
}

/** As both databases sort texts. */
function inByteOrder<T>(things: readonly T[], textOf: (thing: T) => string): readonly T[] {
  return things
    .map((thing) => ({ thing, bytes: Buffer.from(textOf(thing)) }))
    .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ thing }) => thing)
}
