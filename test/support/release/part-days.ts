/* What became of the shifts of 0.5 on days of which leave takes a part: they alone changed since, once, as ordinary revisions. */
import { calendarOf, type ReleaseLink } from './release-fixture.ts'

interface PartDay {
  /** How much is off, where the title says so. */
  readonly off?: 'half' | 'part'
  /** Times of day in the feed's time zone, where leave has some. */
  readonly hours?: string
  readonly start?: string
  readonly end?: string
}

/** By schedule, person and day; null where leave covers the whole shift, which is then left out. */
const partDays: Readonly<Record<string, PartDay | null>> = {
  'sch_day-usr_ada-20261102': { off: 'half' },
  'sch_day-usr_ada-20261105': { off: 'part' },
  'sch_day-usr_ada-20261109': { start: '20261109T110000Z', hours: '09:00–12:00' },
  'sch_day-usr_ada-20261112': { end: '20261112T130000Z', hours: '14:00–17:30' },
  'sch_night-usr_ada-20261114': { end: '20261115T030000Z', hours: '04:00–06:00' },
  'sch_day-usr_ada-20261116': { off: 'part', hours: '12:00–14:00' },
  'sch_day-usr_ada-20261119': null,
  'sch_flexible-usr_bob-20261118': { off: 'half' },
  'sch_flexible-usr_bob-20261125': { off: 'part', hours: '13:00–15:00' },
  'sch_night-usr_cleo-20261107': { off: 'part', hours: '18:00–20:00' },
  'sch_night-usr_cleo-20261121': { off: 'half' },
}

const english = { half: 'half day off', part: 'part of the day off', hours: 'Off' }
const german = { half: 'halber Tag frei', part: 'teilweise frei', hours: 'Frei' }

/** Whether shifts of the link's calendar changed because leave takes a part of their days. */
export function hasPartDays(link: ReleaseLink): boolean {
  const before = calendarOf(link)?.toString() ?? ''
  return link.release === '0.5' && withPartDays(link, 0) !== before
}

/** The release's calendar as it is now; the shifts on part days changed at that time. */
export function withPartDays(link: ReleaseLink, changedAt: number): string {
  const stamp = new Date(changedAt).toISOString().replace(/[-:]|\.\d+/g, '')
  const calendar = calendarOf(link)?.toString() ?? ''
  const words = calendar.includes('CATEGORIES:Schicht') ? german : english
  const showsLeaves = calendar.includes('UID:leave-')
  return calendar.replace(/BEGIN:VEVENT.*?END:VEVENT\r\n/gs, (event) => {
    const part = partDays[/^UID:shift-([^@]+)@/m.exec(event)?.[1] ?? '']
    if (part === null) return ''
    const hasOtherHours = part?.start !== undefined || part?.end !== undefined
    // Who hides leaves sees shorter hours, but no words about leave.
    if (!part || !(showsLeaves || hasOtherHours)) return event
    const { off, hours } = showsLeaves ? part : {}
    return event
      .replace(/(?<=^(?:DTSTAMP|LAST-MODIFIED):)\w+/gm, stamp)
      .replace(/(?<=^SEQUENCE:)\d+/m, (before) => String(Number(before) + (link.asked ? 1 : 0)))
      .replace(/(?<=^DTSTART:)\w+/m, (before) => part.start ?? before)
      .replace(/(?<=^DTEND:)\w+/m, (before) => part.end ?? before)
      .replace(/^SUMMARY:.*$/m, (line) => line + (off ? ` (${words[off]})` : ''))
      .replace(/^TRANSP:.*\r\n/m, (line) =>
        hours ? `${line}DESCRIPTION:${words.hours}: ${hours}\r\n` : line,
      )
  })
}

/** The calendar in parts, its events sorted: a shift that begins later stands further down. */
export function partsOf(calendar: string): readonly string[] {
  return calendar.split(/(?=BEGIN:VEVENT|END:VCALENDAR)/).toSorted()
}
