/* The filter of a calendar query (RFC 4791 section 9.7). Events have no recurrences, no parameters to ask for and no free-busy time. */
import { asObject } from '../calendar/render.ts'
import type { Instant } from '../domain/world.ts'
import type { CalendarObject } from '../publishing/calendar-objects.ts'
import { invalidFilter, unsupportedCollation, unsupportedFilter } from './preconditions.ts'
import { caldav, childrenOf, type XmlElement } from './xml.ts'

export type Matches = (object: CalendarObject) => boolean

/** Returns the test of the filter's events; fails if the filter makes no sense or cannot be answered. */
export function readFilter(filter: XmlElement): Matches {
  const [calendar, ...others] = childrenOf(filter, caldav, 'comp-filter')
  if (!calendar || others.length > 0 || nameOf(calendar) !== 'VCALENDAR') {
    throw invalidFilter('A filter has one comp-filter, for VCALENDAR.')
  }
  if (isNotDefined(calendar)) return () => false
  if (childrenOf(calendar, caldav, 'time-range').length > 0) {
    throw invalidFilter('A time-range belongs into the comp-filter of VEVENT.')
  }
  const ofCalendar = propertyTests(calendar)
  const ofComponents = childrenOf(calendar, caldav, 'comp-filter').map(componentTest)
  return (object) => {
    const header = asObject('')
    return ofCalendar.every((test) => test(header)) && ofComponents.every((test) => test(object))
  }
}

function componentTest(filter: XmlElement): Matches {
  const name = nameOf(filter)
  if (isNotDefined(filter)) return () => name !== 'VEVENT'
  const within = childrenOf(filter, caldav, 'time-range').map(readTimeRange)
  const properties = propertyTests(filter)
  const inner = childrenOf(filter, caldav, 'comp-filter').map(alarmTest)
  if (name !== 'VEVENT') return () => false
  return (object) => {
    const own = object.vevent.replace(/BEGIN:VALARM\r\n.*?END:VALARM\r\n/gs, '')
    return (
      within.every((test) => test(object)) &&
      properties.every((test) => test(own)) &&
      inner.every((test) => test(object))
    )
  }
}

/** Only whether there is an alarm can be asked. */
function alarmTest(filter: XmlElement): Matches {
  if (filter.children.some((child) => child.local !== 'is-not-defined')) {
    throw unsupportedFilter('Of a component in an event, only whether it is there can be asked.')
  }
  const begin = `BEGIN:${nameOf(filter)}\r\n`
  const isWanted = !isNotDefined(filter)
  return ({ vevent }) => vevent.slice(1).includes(begin) === isWanted
}

/** RFC 4791 section 9.9: both are UTC, and one may be left out. */
function readTimeRange({ attributes }: XmlElement): Matches {
  const { start: from, end: until } = attributes
  const start = from === undefined ? -Infinity : readUtc(from)
  const end = until === undefined ? Infinity : readUtc(until)
  if (start === -Infinity && end === Infinity) {
    throw invalidFilter('A time-range needs a start, an end or both.')
  }
  if (start >= end) throw invalidFilter('The start of a time-range must be before its end.')
  return (object) => object.start < end && object.end > start
}

const utcPattern = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

function readUtc(text: string): Instant {
  const instant = Date.parse(text.replace(utcPattern, '$1-$2-$3T$4:$5:$6Z'))
  if (utcPattern.test(text) && !Number.isNaN(instant)) return instant
  throw invalidFilter('A time-range is in UTC, such as 20260131T080000Z.')
}

type TextTest = (component: string) => boolean

function propertyTests(filter: XmlElement): readonly TextTest[] {
  return childrenOf(filter, caldav, 'prop-filter').map((property) => {
    const name = nameOf(property)
    const valueTests = property.children
      .filter((child) => child.local !== 'is-not-defined')
      .map(valueTest)
    if (isNotDefined(property)) return (component) => valuesOf(component, name).length === 0
    return (component) =>
      valuesOf(component, name).some((value) => valueTests.every((test) => test(value)))
  })
}

function valueTest(child: XmlElement): TextTest {
  if (child.local !== 'text-match') {
    throw unsupportedFilter('Properties can only be filtered by text-match and is-not-defined.')
  }
  const { collation = 'i;ascii-casemap', 'negate-condition': negate = 'no' } = child.attributes
  const fold = foldings[collation]
  if (!fold) throw unsupportedCollation()
  const wanted = fold(child.text)
  return (value) => fold(value).includes(wanted) !== (negate === 'yes')
}

/** RFC 4790 section 9. */
export const foldings: Readonly<Record<string, (text: string) => string>> = {
  'i;ascii-casemap': (text) => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
  'i;octet': (text) => text,
}

/** The values of the component's properties with that name, without escapes (RFC 5545 sections 3.1 and 3.3.11). */
function valuesOf(component: string, name: string): readonly string[] {
  const lines = component.replaceAll(/\r\n[ \t]/g, '').split('\r\n')
  return lines.flatMap((line) => {
    const [, property, value] = /^([A-Z0-9-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/is.exec(line) ?? []
    if (property?.toUpperCase() !== name || value === undefined) return []
    return [
      value.replaceAll(/\\(.)/g, (_, character: string) =>
        /n/i.test(character) ? '\n' : character,
      ),
    ]
  })
}

function nameOf({ attributes, local }: XmlElement): string {
  const name = attributes['name']
  if (name === undefined || name === '') throw invalidFilter(`A ${local} needs a name.`)
  return name.toUpperCase()
}

function isNotDefined(filter: XmlElement): boolean {
  return childrenOf(filter, caldav, 'is-not-defined').length > 0
}
