/* What every CalDAV client can do, however it is driven. */
import ICAL from 'ical.js'

export interface ClientAccount {
  /** Of the server alone. */
  readonly url: string
  readonly user: string
  readonly password: string
}

/** `refused` is what a client says that then asks for another password. */
export type SyncResult = 'done' | 'refused'

export interface RealClient {
  /** Adds the account, and finds its calendar by itself. */
  add(account: ClientAccount): Promise<void>
  sync(): Promise<SyncResult>
  /** The iCalendar text of each event that it holds. */
  held(): Promise<readonly string[]>
  /** The person gives it another password for the same account. */
  usePassword(password: string): Promise<void>
  close(): Promise<void>
}

/** What must be the same wherever an event is shown. */
export interface HeldEvent {
  readonly uid: string
  readonly summary: string
  readonly start: string
  readonly sequence: number
}

/** The events of these calendars or single events, by UID. */
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
