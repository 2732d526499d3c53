import type { ActivityStore, ClientFamily, LinkPolls } from '../domain/activity.ts'
import { type FeedLink, linkName } from '../domain/link.ts'
import { memo } from '../domain/memo.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'

const pauseMs = 2000
/** Links and families waiting to be written; beyond that the oldest are lost. */
const waitingMax = 20_000
/** More than there are programs, and longer than their names. */
const agentsMax = 1000
const agentLengthMax = 200

/** In order: programs that also call themselves a browser come before the browsers. */
const families: readonly (readonly [ClientFamily, RegExp])[] = [
  ['google', /Google-Calendar-Importer|Google-iCal/i],
  ['nextcloud', /Nextcloud/i],
  ['home-assistant', /Home ?Assistant/i],
  ['icsx5', /ICSx5|icsdroid/i],
  ['davx5', /DAVx5/i],
  ['gnome', /\bEvolution\//i],
  ['thunderbird', /Thunderbird|Lightning\//i],
  ['outlook', /Microsoft[ .](?:Office|Outlook|Exchange)|Outlook|MSOffice|\bExchange\//i],
  ['apple', /CalendarAgent|dataaccessd|accountsd|remindd|iCal\/|calaccessd|^(?:iOS|mac ?OS)\b/i],
  ['browser', /^Mozilla\/5\.0 \(/i],
]

/** The family of calendar programs that a `User-Agent` (RFC 9110 section 10.1.5) belongs to. */
export function clientFamily(userAgent = ''): ClientFamily {
  return userAgent.length <= agentLengthMax ? usualFamily(userAgent) : familyOf(userAgent)
}

/** Programs send the same names again and again. */
const usualFamily = memo(agentsMax, familyOf)

function familyOf(userAgent: string): ClientFamily {
  return families.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'other'
}

/** One answered poll. */
export interface Poll {
  readonly link: Pick<FeedLink, 'tokenHash'>
  readonly userAgent: string | undefined
  readonly status: number
  /** Last-Modified of the calendar that the client has by this answer; null if it got none. */
  readonly hasChangeOf: Instant | null
  /** Whether it is a CalDAV request: a synchronisation takes several, so those between two writes count as one poll. */
  readonly isOfAccount: boolean
}

/** Records which clients polled which link, without delaying an answer: writes every two seconds, and at the end. */
export class ActivityRecorder {
  readonly #activity: Pick<ActivityStore, 'addActivity'>
  readonly #clock: Clock
  readonly #log: Log
  readonly #ending = new AbortController()
  #waiting = new Map<string, { -readonly [Name in keyof LinkPolls]: LinkPolls[Name] }>()
  #writing: Promise<void> | undefined

  constructor(activity: Pick<ActivityStore, 'addActivity'>, clock: Clock, log: Log) {
    this.#activity = activity
    this.#clock = clock
    this.#log = log
  }

  /** Links and families with polls that are not written yet. */
  get waiting(): number {
    return this.#waiting.size
  }

  note({ link: { tokenHash }, userAgent, status, hasChangeOf, isOfAccount }: Poll): void {
    const now = this.#clock.now()
    const family = clientFamily(userAgent)
    // Browsers send no CalDAV requests, but KDE's programs claim to be one.
    const client = isOfAccount && family === 'browser' ? 'other' : family
    const isCounted = isOfAccount && this.#waiting.has(keyOf({ tokenHash, client }))
    this.#add({
      tokenHash,
      client,
      firstPolledAt: now,
      lastPolledAt: now,
      lastStatus: status,
      polls: isCounted ? 0 : 1,
      hasChangeOf,
    })
    this.#writing ??= this.#writeSoon()
  }

  /** Writes what is waiting, then ends. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('closing'))
    await this.#writing
  }

  #add(polls: LinkPolls): void {
    const key = keyOf(polls)
    const before = this.#waiting.get(key)
    if (before) {
      before.lastPolledAt = polls.lastPolledAt
      before.lastStatus = polls.lastStatus
      before.polls += polls.polls
      before.hasChangeOf = polls.hasChangeOf ?? before.hasChangeOf
      return
    }
    this.#waiting.set(key, { ...polls })
    if (this.#waiting.size <= waitingMax) return
    const oldest = this.#waiting.keys().next().value
    if (oldest !== undefined) this.#waiting.delete(oldest)
  }

  async #writeSoon(): Promise<void> {
    const { signal } = this.#ending
    do {
      await this.#clock.sleep(pauseMs, signal).catch(() => undefined)
      await this.#write()
    } while (this.#waiting.size > 0 && !signal.aborted)
    this.#writing = undefined
  }

  /** What cannot be written waits for the next time. */
  async #write(): Promise<void> {
    const polls = [...this.#waiting.values()]
    this.#waiting = new Map()
    try {
      await this.#activity.addActivity(polls)
    } catch (error) {
      this.#log.warn({ error, links: polls.length }, 'activity_not_written')
      const since = [...this.#waiting.values()]
      this.#waiting = new Map()
      for (const unwritten of [...polls, ...since]) this.#add(unwritten)
    }
  }
}

function keyOf(polls: Pick<LinkPolls, 'tokenHash' | 'client'>): string {
  return `${linkName(polls)} ${polls.client}`
}
