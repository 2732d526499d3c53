import type { ActivityStore, ClientFamily, LinkPolls } from '../domain/activity.ts'
import { type FeedLink, linkName } from '../domain/link.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'

const pauseMs = 2000
/** Links and families waiting to be written; beyond it the oldest are lost. */
const waitingMax = 20_000
/** More than there are programs, and longer than what they call themselves. */
const agentsMax = 1000
const agentLengthMax = 200

/** In order: what calls itself a browser too comes before the browsers. */
const families: readonly (readonly [ClientFamily, RegExp])[] = [
  ['google', /Google-Calendar-Importer|Google-iCal/i],
  ['nextcloud', /Nextcloud/i],
  ['home-assistant', /Home ?Assistant/i],
  ['icsx5', /ICSx5|icsdroid/i],
  ['thunderbird', /Thunderbird|Lightning\//i],
  ['outlook', /Microsoft[ .](?:Office|Outlook|Exchange)|Outlook|MSOffice|\bExchange\//i],
  ['apple', /CalendarAgent|dataaccessd|accountsd|remindd|iCal\/|calaccessd|^(?:iOS|mac ?OS)\b/i],
  ['browser', /^Mozilla\/5\.0 \(/i],
]

/** One answered poll. */
export interface Poll {
  readonly link: Pick<FeedLink, 'tokenHash'>
  readonly userAgent: string | undefined
  readonly status: number
  /** Last-Modified of the calendar that the client has by this answer; null where it gave none. */
  readonly hasChangeOf: Instant | null
}

interface ActivityRecorderDeps {
  readonly activity: Pick<ActivityStore, 'addActivity'>
  readonly clock: Clock
  readonly log: Log
}

/** Notes who polled what, without holding up an answer: written together every two seconds, the last at the end. */
export class ActivityRecorder {
  readonly #deps: ActivityRecorderDeps
  readonly #ending = new AbortController()
  readonly #families = new Map<string, ClientFamily>()
  #waiting = new Map<string, WaitingPolls>()
  #writing: Promise<void> | undefined

  constructor(deps: ActivityRecorderDeps) {
    this.#deps = deps
  }

  note({ link: { tokenHash }, userAgent, status, hasChangeOf }: Poll): void {
    const now = this.#deps.clock.now()
    this.#add({
      tokenHash,
      client: this.#familyOf(userAgent),
      firstPolledAt: now,
      lastPolledAt: now,
      lastStatus: status,
      polls: 1,
      hasChangeOf,
    })
    this.#writing ??= this.#writeSoon()
  }

  /** Writes what is waiting, and ends. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('closing'))
    await this.#writing
  }

  /** Programs call themselves the same again and again. */
  #familyOf(userAgent = ''): ClientFamily {
    const known = this.#families.get(userAgent)
    if (known) return known
    const family = clientFamily(userAgent)
    const isUsual = userAgent.length <= agentLengthMax && this.#families.size < agentsMax
    if (isUsual) this.#families.set(userAgent, family)
    return family
  }

  #add(polls: LinkPolls): void {
    const name = `${linkName(polls)} ${polls.client}`
    const before = this.#waiting.get(name)
    if (before) return addTo(before, polls)
    this.#waiting.set(name, { ...polls })
    if (this.#waiting.size <= waitingMax) return
    const oldest = this.#waiting.keys().next().value
    if (oldest !== undefined) this.#waiting.delete(oldest)
  }

  async #writeSoon(): Promise<void> {
    const { clock } = this.#deps
    const { signal } = this.#ending
    do {
      await clock.sleep(pauseMs, signal).catch(() => undefined)
      await this.#write()
    } while (this.#waiting.size > 0 && !signal.aborted)
    this.#writing = undefined
  }

  /** What cannot be written waits for the next time. */
  async #write(): Promise<void> {
    const polls = [...this.#waiting.values()]
    this.#waiting = new Map()
    try {
      await this.#deps.activity.addActivity(polls)
    } catch (error) {
      this.#deps.log.warn({ error, links: polls.length }, 'activity_not_written')
      const since = [...this.#waiting.values()]
      this.#waiting = new Map()
      for (const unwritten of [...polls, ...since]) this.#add(unwritten)
    }
  }
}

type WaitingPolls = { -readonly [Name in keyof LinkPolls]: LinkPolls[Name] }

function addTo(
  waiting: WaitingPolls,
  { lastPolledAt, lastStatus, polls, hasChangeOf }: LinkPolls,
): void {
  waiting.lastPolledAt = lastPolledAt
  waiting.lastStatus = lastStatus
  waiting.polls += polls
  waiting.hasChangeOf = hasChangeOf ?? waiting.hasChangeOf
}

/** The family of calendar programs that a `User-Agent` (RFC 9110 section 10.1.5) speaks of. */
export function clientFamily(userAgent = ''): ClientFamily {
  return families.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'other'
}
