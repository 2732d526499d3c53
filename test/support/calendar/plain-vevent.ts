import type { Instant } from '../../../src/domain/world.ts'
/** An event's component by RFC 5545, line by line and without any library: what every release has written. */
import type { RevisedEvent } from './revised-event.ts'

/** RFC 5545 section 3.1 has 75 at most, of which a line that goes on spends one on its space. */
const lineOctetsMax = 74

export function plainVevent(event: RevisedEvent): string {
  const { time, title, busy, description, categories, url, status, priority } = event
  const [sequence, ...changed] = revisionLines(event)
  const lines = [
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    sequence,
    changed[0],
    ...(time.allDay
      ? [
          `DTSTART;VALUE=DATE:${time.start.replaceAll('-', '')}`,
          `DTEND;VALUE=DATE:${time.end.replaceAll('-', '')}`,
          'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
          'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:TRUE',
        ]
      : [`DTSTART:${utc(time.start)}`, `DTEND:${utc(time.end)}`]),
    `SUMMARY:${escaped(title)}`,
    `TRANSP:${busy === 'FREE' ? 'TRANSPARENT' : 'OPAQUE'}`,
    ...(description === null ? [] : [`DESCRIPTION:${escaped(description)}`]),
    ...(categories.length > 0 ? [`CATEGORIES:${categories.map(escaped).join()}`] : []),
    ...(url === null ? [] : [`URL;VALUE=URI:${escaped(url)}`]),
    `STATUS:${status}`,
    `X-MICROSOFT-CDO-BUSYSTATUS:${busy}`,
    ...(priority === null ? [] : [`PRIORITY:${priority}`]),
    ...(event.color === null ? [] : [`COLOR:${event.color}`]),
    changed[1],
    ...alarmLines(event),
    'END:VEVENT',
  ]
  return lines.map((line) => `${folded(line ?? '')}\r\n`).join('')
}

/** SEQUENCE, DTSTAMP and LAST-MODIFIED. */
export function revisionLines({ sequence, changedAt }: RevisedEvent): readonly string[] {
  const time = utc(changedAt)
  return [`SEQUENCE:${sequence}`, `DTSTAMP:${time}`, `LAST-MODIFIED:${time}`]
}

/** None on whole days, and behind all properties (RFC 5545 section 3.6.1). */
function alarmLines({ time, title, reminderMinutes }: RevisedEvent): readonly string[] {
  if (time.allDay || reminderMinutes === null) return []
  return [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `TRIGGER:${before(reminderMinutes)}`,
    `DESCRIPTION:${escaped(title)}`,
    'END:VALARM',
  ]
}

/** RFC 5545 section 3.3.6. */
function before(minutes: number): string {
  if (minutes === 0) return 'PT0S'
  const [days, hours, rest] = [
    Math.floor(minutes / 1440),
    Math.floor(minutes / 60) % 24,
    minutes % 60,
  ]
  const time = `${hours > 0 ? `${hours}H` : ''}${rest > 0 ? `${rest}M` : ''}`
  return `-P${days > 0 ? `${days}D` : ''}${time === '' ? '' : `T${time}`}`
}

/** RFC 5545 section 3.3.11. */
function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
}

/** Never inside a code point: Google drops the whole feed at one that is. */
function folded(line: string): string {
  const lines = ['']
  for (const character of line) {
    const last = lines.at(-1) ?? ''
    if (Buffer.byteLength(last + character) > lineOctetsMax) lines.push(character)
    else lines.splice(-1, 1, last + character)
  }
  return lines.join('\r\n ')
}

function utc(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}
