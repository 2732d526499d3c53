/* What the tests do with each CalDAV client. */
import ICAL from 'ical.js'

export interface ClientAccount {
  /** Of the server, without a path. */
  readonly url: string
  readonly user: string
  readonly password: string
}

/** `refused`: the client asks for another password. */
export type SyncResult = 'done' | 'refused'

export interface RealClient {
  /** Adds the account; the client discovers its calendar. */
  add(account: ClientAccount): Promise<void>
  sync(): Promise<SyncResult>
  /** The iCalendar text of each event that it holds. */
  held(): Promise<readonly string[]>
  /** Changes the password of the same account. */
  usePassword(password: string): Promise<void>
  close(): Promise<void>
}

/** What is compared of an event. */
export interface HeldEvent {
  readonly uid: string
  readonly summary: string
  readonly start: string
  readonly sequence: number
}

/** Reads calendars or single events; the result is sorted by UID. */
export function heldEvents(texts: readonly string[]): readonly HeldEvent[] {
  const components = texts.map((text) => new ICAL.Component(ICAL.parse(text)))
  const events = components.flatMap((component) =>
    component.name === 'vevent' ? [component] : component.getAllSubcomponents('vevent'),
  )
  return events.map(heldEvent).toSorted((one, other) => one.uid.localeCompare(other.uid))
}

function heldEvent(component: ICAL.Component): HeldEvent {
  const value = (name: string): string => String(component.getFirstPropertyValue(name) ?? '')
  return {
    uid: value('uid'),
    summary: value('summary'),
    start: value('dtstart'),
    sequence: Number(value('sequence')),
  }
}
