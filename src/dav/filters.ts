/* Filters of a calendar-query (RFC 4791 section 9.7). Recurrences are left out: no event has any. */
import { vcalendarOf } from '../calendar/render.ts'
import type { Instant } from '../domain/world.ts'
import type { CalendarObject } from '../publishing/calendar-objects.ts'
import { invalidFilter, unsupportedCollation, unsupportedFilter } from './preconditions.ts'
import { caldav, childrenOf, type XmlElement } from './xml.ts'

/** Clients send about five. Every event is compared with each. */
const filterElementsMax = 50

export type Matches = (object: CalendarObject) => boolean

/** Fails if the filter is invalid or not supported. */
export function readFilter(filter: XmlElement): Matches {
  if (elementsIn(filter) > filterElementsMax) {
    throw unsupportedFilter(`A filter has at most ${filterElementsMax} elements.`)
  }
  const [calendar, ...others] = childrenOf(filter, caldav, 'comp-filter')
  if (!calendar || others.length > 0 || nameOf(calendar) !== 'VCALENDAR') {
    throw invalidFilter('A filter has one comp-filter, for VCALENDAR.')
  }
  if (isNotDefined(calendar)) return () => false
  if (childrenOf(calendar, caldav, 'time-range').length > 0) {
    throw invalidFilter('A time-range belongs in the comp-filter of VEVENT.')
  }
  const header = propertiesOf(vcalendarOf(''))
  const ofCalendar = propertyTests(calendar)
  const ofComponents = childrenOf(calendar, caldav, 'comp-filter').map(componentTest)
  return (object) => {
    return ofCalendar.every((test) => test(header)) && ofComponents.every((test) => test(object))
  }
}

function elementsIn({ children }: XmlElement): number {
  return children.reduce((sum, child) => sum + 1 + elementsIn(child), 0)
}

function componentTest(filter: XmlElement): Matches {
  const name = nameOf(filter)
  if (isNotDefined(filter)) return () => name !== 'VEVENT'
  const within = childrenOf(filter, caldav, 'time-range').map(readTimeRange)
  const properties = propertyTests(filter)
  const inner = childrenOf(filter, caldav, 'comp-filter').map(alarmTest)
  if (name !== 'VEVENT') return () => false
  return (object) => {
    if (!within.every((test) => test(object)) || !inner.every((test) => test(object))) return false
    if (properties.length === 0) return true
    const own = propertiesOf(object.vevent.replace(alarms, '\n'))
    return properties.every((test) => test(own))
  }
}

/** Only at the start of a line, since a title may contain the same text. */
const alarms = /\nBEGIN:VALARM\r\n.*?\nEND:VALARM\r\n/gs

/** A filter may only ask whether an event has such a component. */
function alarmTest(filter: XmlElement): Matches {
  if (filter.children.some((child) => child.local !== 'is-not-defined')) {
    throw unsupportedFilter('A component in an event can only be filtered by whether it is there.')
  }
  const begin = `\nBEGIN:${nameOf(filter)}\r\n`
  const isWanted = !isNotDefined(filter)
  return ({ vevent }) => vevent.includes(begin) === isWanted
}

/** RFC 4791 section 9.9: UTC, and one of both may be left out. */
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
  const written = text.replace(utcPattern, '$1-$2-$3T$4:$5:$6.000Z')
  const instant = Date.parse(written)
  // Date.parse takes 30 February for 2 March.
  const isDate = !Number.isNaN(instant) && new Date(instant).toISOString() === written
  if (utcPattern.test(text) && isDate) return instant
  throw invalidFilter('A time-range must be in UTC, such as 20260131T080000Z.')
}

type TextTest = (value: string) => boolean
/** A component's values by property name. */
type Properties = ReadonlyMap<string, readonly string[]>

function propertyTests(filter: XmlElement): readonly ((of: Properties) => boolean)[] {
  return childrenOf(filter, caldav, 'prop-filter').map((property) => {
    const name = nameOf(property)
    const valueTests = property.children
      .filter((child) => child.local !== 'is-not-defined')
      .map(valueTest)
    if (isNotDefined(property)) return (of) => !of.has(name)
    return (of) => (of.get(name) ?? []).some((value) => valueTests.every((test) => test(value)))
  })
}

function valueTest(child: XmlElement): TextTest {
  if (child.local !== 'text-match') {
    throw unsupportedFilter('Properties can only be filtered by text-match and is-not-defined.')
  }
  const { collation = usualCollation, 'negate-condition': negate = 'no' } = child.attributes
  const fold = collations.get(collation === 'default' ? usualCollation : collation)
  if (!fold) throw unsupportedCollation()
  const wanted = fold(child.text)
  return (value) => fold(value).includes(wanted) !== (negate === 'yes')
}

/** If a client names none, or `default` (RFC 4791 section 7.5). */
const usualCollation = 'i;ascii-casemap'

/** How each collation folds text before it is compared (RFC 4790 section 9). */
export const collations: ReadonlyMap<string, (text: string) => string> = new Map([
  [usualCollation, (text) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())],
  ['i;octet', (text) => text],
])

/** Unfolds lines and removes escapes (RFC 5545 sections 3.1 and 3.3.11). */
function propertiesOf(component: string): Properties {
  const properties = new Map<string, string[]>()
  for (const line of component.replaceAll(/\r\n[ \t]/g, '').split('\r\n')) {
    const [, name, escaped] = /^([A-Z0-9-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/is.exec(line) ?? []
    if (name === undefined || escaped === undefined) continue
    const value = escaped.replaceAll(/\\(.)/g, (_, character: string) =>
      /n/i.test(character) ? '\n' : character,
    )
    const key = name.toUpperCase()
    properties.set(key, [...(properties.get(key) ?? []), value])
  }
  return properties
}

function nameOf({ attributes, local }: XmlElement): string {
  const name = attributes['name']
  if (name === undefined || name === '') throw invalidFilter(`A ${local} needs a name.`)
  return name.toUpperCase()
}

function isNotDefined(filter: XmlElement): boolean {
  return childrenOf(filter, caldav, 'is-not-defined').length > 0
}
