/** Other people's parsers, brought to one shape. */
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'

export interface ParsedEvent {
  readonly uid: string
  readonly title: string
  readonly description: string
  readonly allDay: boolean
  /** A date of an all-day event, else an instant in UTC with milliseconds. */
  readonly start: string
  readonly end: string
}

export function parseWithIcalJs(text: string): ParsedEvent[] {
  return ICAL.Component.fromString(text)
    .getAllSubcomponents('vevent')
    .map((component) => {
      const event = new ICAL.Event(component)
      return {
        uid: event.uid,
        title: event.summary,
        description: component.getFirstPropertyValue('description')?.toString() ?? '',
        allDay: event.startDate.isDate,
        start: writeTime(event.startDate),
        end: writeTime(event.endDate),
      }
    })
}

function writeTime(time: ICAL.Time): string {
  return time.isDate ? time.toString() : time.toJSDate().toISOString()
}

export function parseWithNodeIcal(text: string): ParsedEvent[] {
  return Object.values(nodeIcal.sync.parseICS(text)).flatMap((component) => {
    if (component?.type !== 'VEVENT') return []
    const allDay = component.datetype === 'date'
    const write = (date: Date): string => (allDay ? localDate(date) : date.toISOString())
    return [
      {
        uid: component.uid,
        title: textOf(component.summary),
        description: textOf(component.description),
        allDay,
        start: write(component.start),
        end: write(component.end ?? component.start),
      },
    ]
  })
}

export function parseWithTsIcs(text: string): ParsedEvent[] {
  const { events = [] } = convertIcsCalendar(undefined, text)
  return events.map(({ uid, summary, description = '', start, end }) => {
    const allDay = start.type === 'DATE'
    const write = (date: Date): string => date.toISOString().slice(0, allDay ? 10 : undefined)
    const until = end?.date ?? start.date
    return { uid, title: summary, description, allDay, start: write(start.date), end: write(until) }
  })
}

/** node-ical gives a date as midnight of the process's own zone. */
function localDate(date: Date): string {
  const month = String(date.getMonth() + 1).padStart(2, '0')
  const day = String(date.getDate()).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}`
}

function textOf(value: string | { val: string } | undefined): string {
  return typeof value === 'object' ? value.val : (value ?? '')
}
