import { localTime } from '../calendar/local-time.ts'
import { collectionKey } from '../domain/copy.ts'
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

/** For how long an answer holds. */
export interface Validity {
  /** null where the store cannot tell for a while that it is still the same. */
  readonly grounds: Grounds | null
  /** When all of it was as new as it is to be. */
  readonly newAt: Instant
  /** Until when it may be served while the store does not answer. */
  readonly until: Instant
  /** Of the feed that it shows. */
  readonly revision: number
}

/** An answer of which the store does not say whether it still holds. */
export interface LastAnswer {
  readonly answer: ReadyAnswer
  readonly staleForMs: number
}

interface Entry extends ReadyAnswer, Omit<Validity, 'newAt'> {
  /** When it was found to hold last; null where its feed has just been changed here, and it has not been since. */
  heldAt: Instant | null
  /** What had been written when the grounds held last. */
  seen: BasisFound['seen']
  /** Whether it has gone out since it was last to be removed. */
  isUsed: boolean
}

interface ReadyAnswersDeps {
  readonly links: Pick<LinkStore, 'findBasis'>
  readonly clock: Clock
  /** For how long an answer is served that nothing confirms. */
  readonly staleMs: number
}

/** A poll that read a feed before it was changed may be under way for so long. */
const pollMsMax = 60_000

/**
 * The answers given last, by link and form, within a fixed number of bytes of all codings: the oldest go first, but
 * those that are used get a second chance. One goes out again as it was made while one read of the store shows that all it stands on is as it was,
 * and for a while where the store does not answer.
 */
export class ReadyAnswers {
  readonly #deps: ReadyAnswersDeps
  readonly #bytesMax: number
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  #forgottenAt: Instant = -Infinity
  /** When feeds were changed here lately, the oldest first. */
  readonly #changes = new Map<string, Instant>()

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

  /** What the link of that name was answered with last, where that may go out without the store. */
  findLast(link: string, form: CalendarForm): LastAnswer | undefined {
    const [entry, other] = [form, otherForm[form]].map((one) => this.#entries.get(`${link} ${one}`))
    if (!entry || entry.heldAt === null) return undefined
    // Nobody is shown an older calendar than before.
    if (other && changedAt(other) > changedAt(entry)) return undefined
    const staleForMs = Math.max(0, this.#deps.clock.now() - entry.heldAt)
    const isOver = this.#deps.clock.now() >= entry.until || staleForMs > this.#deps.staleMs
    return isOver ? undefined : { answer: entry, staleForMs }
  }

  /** Lets go of what the link of that name was answered with: it has ended. */
  drop(link: string): void {
    for (const form of calendarForms) this.#remove(`${link} ${form}`)
  }

  /** Lets go of what links of that feed were answered with before it was changed here. */
  dropFeed(feedId: string): void {
    const now = this.#deps.clock.now()
    this.#changes.delete(feedId)
    this.#changes.set(feedId, now)
    for (const [id, at] of this.#changes) {
      if (now - at < pollMsMax) break
      this.#changes.delete(id)
    }
    for (const [name, { link }] of this.#entries) {
      if (link.feedId === feedId) this.#remove(name)
    }
  }

  /** Lets go of what was answered before somebody else changed the feed or the link, now that the store has said so. */
  noteFound({ feed, link }: LinkOfFeed): void {
    const answered = calendarForms.flatMap((form) => this.#entries.get(nameOf(link, form)) ?? [])
    const before = answered.filter((it) => it.revision !== feed.revision || !isAsSet(it.link, link))
    if (before.length > 0) this.dropFeed(feed.id)
  }

  /** Has everything found out again that stands on what was asked for until now. */
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

  /** One that is larger than all may be together is not kept, and takes no other's place; an older one takes no newer one's. */
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
    const at = this.#changes.get(feedId)
    return at !== undefined && this.#deps.clock.now() - at < pollMsMax
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

const otherForm = { ics: 'json', json: 'ics' } as const

/** When what the link was answered with has changed. */
function changedAt({ link: { publication } }: ReadyAnswer): Instant {
  return publication?.lastModified ?? -Infinity
}

/** Whether the link ends and shows as it did. */
function isAsSet(before: FeedLink, link: FeedLink): boolean {
  return before.endsAt === link.endsAt && choicesText(before.choices) === choicesText(link.choices)
}

function nameOf(link: Pick<FeedLink, 'tokenHash'>, form: CalendarForm): string {
  return `${linkName(link)} ${form}`
}

function weightOf({ body }: Entry): number {
  return bytesOfEntry + (body?.bytes ?? 0)
}

/** For how long that state's answer holds. */
export function validityOf(state: CalendarState, settings: Ages): Validity {
  const { at, serviceability } = state
  return {
    grounds: groundsOf(state, settings),
    newAt: at - (serviceability.staleForMs ?? 0),
    until: Math.min(endOf(state, settings), servedUntil(state, settings)),
    revision: state.feed.revision,
  }
}

/**
 * What that state's answer stands on; null where the store cannot tell for a while that it is still the same, and of a link
 * whose first poll by a calendar program has still to be noted.
 */
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

/** When it is known now already that the calendar ends, or its leaves are no longer believed. */
function endOf({ feed, link, proof }: CalendarState, { staleMs }: Ages): Instant {
  return Math.min(
    ...[link.endsAt, feed.revokedAt, feed.closedAt].map((end) => end ?? Infinity),
    proof.state === 'disproved' ? proof.since + staleMs : Infinity,
  )
}

function isWithin({ since, until }: Grounds, now: Instant): boolean {
  return since <= now && now < until
}

/** When another day begins, of which the calendar's window may be another. */
function nextMidnight(now: Instant, timezone: string): Instant {
  const local = localTime(timezone)
  return local.instantOn(dayNumber(local.dateAt(now)) + 1, 0)
}

/** As both databases sort texts. */
function inByteOrder<T>(things: readonly T[], textOf: (thing: T) => string): readonly T[] {
  return things
    .map((thing) => ({ thing, bytes: Buffer.from(textOf(thing)) }))
    .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ thing }) => thing)
}
