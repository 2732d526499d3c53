/* Renders as many calendars as it is told to with ical-generator alone, from JavaScript's own dates, and tells how many microseconds of the processor that took. */
import ical, {
  ICalEventBusyStatus,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'

const dayMs = 86_400_000
const begin = Date.UTC(2026, 0, 5, 8)

export interface Calendars {
  readonly count: number
  readonly events: number
}

process.on('message', ({ count, events }: Calendars) => {
  const all = Array.from({ length: events }, (_, index) => eventOf(index))
  const begun = process.cpuUsage()
  for (let calendar = 0; calendar < count; calendar += 1) render(all)
  const { user, system } = process.cpuUsage(begun)
  process.send?.(user + system)
})

function render(events: readonly ICalEventData[]): string {
  const calendar = ical({ name: "Ada's work calendar", ttl: 3600 })
  for (const event of events) calendar.createEvent(event)
  return calendar.toString()
}

/** Says what a shift of the bridge's calendars says. */
function eventOf(index: number): ICalEventData {
  const start = begin + index * dayMs
  const date = new Date(start).toISOString().slice(0, 10).replaceAll('-', '')
  return {
    id: `shift-sch_day-usr_000000-${date}@main.calendar-feed-bridge`,
    sequence: 0,
    stamp: new Date(begin),
    lastModified: new Date(begin),
    start: new Date(start),
    end: new Date(start + dayMs / 3),
    summary: 'Day shift',
    status: ICalEventStatus.CONFIRMED,
    transparency: ICalEventTransparency.OPAQUE,
    busystatus: ICalEventBusyStatus.BUSY,
    categories: [{ name: 'Shift' }],
  }
}
