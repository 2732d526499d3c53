import ICAL from 'ical.js'

import { lintCalendar } from './ics-lint.ts'

export interface ReadEvent {
  readonly uid: string
  readonly summary: string
  readonly status: string
  readonly sequence: number
  readonly lastModified: string
  readonly start: string
  /** All its lines but those of its revision. */
  readonly content: string
}

/** The events of a calendar by UID, as ical.js reads them; throws if the text breaks any byte rule. */
export function readCalendar(text: string): ReadonlyMap<string, ReadEvent> {
  const faults = lintCalendar(text)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const calendar = new ICAL.Component(ICAL.parse(text))
  const events = calendar.getAllSubcomponents('vevent').map(readEvent)
  return new Map(events.map((event) => [event.uid, event]))
}

/** The titles of a calendar's events, each once, sorted. */
export function titlesOf(text: string): readonly string[] {
  return [...new Set([...readCalendar(text).values()].map(({ summary }) => summary))].toSorted()
}

function readEvent(component: ICAL.Component): ReadEvent {
  const value = (name: string): string => String(component.getFirstPropertyValue(name))
  return {
    uid: value('uid'),
    summary: value('summary'),
    status: value('status'),
    sequence: Number(value('sequence')),
    lastModified: value('last-modified'),
    start: value('dtstart'),
    content: component
      .toString()
      .split('\r\n')
      .filter((line) => !/^(SEQUENCE|DTSTAMP|LAST-MODIFIED)/.test(line))
      .join('\n'),
  }
}
