/* WebDAV properties (RFC 4918 section 4) of each resource. */
import { tzlib_get_ical_block } from 'timezones-ical-library'

import { vcalendarOf } from '../calendar/render.ts'
import { memo } from '../domain/memo.ts'
import type { CalendarObject, PublicationName } from '../publishing/calendar-objects.ts'
import { collations } from './filters.ts'
import type { Hrefs, Place } from './places.ts'
import type { Wanted } from './questions.ts'
import { syncToken } from './sync-token.ts'
import {
  apple,
  caldavName,
  caldavTag,
  calendarServer,
  davName,
  davTag,
  Markup,
  tag,
  type XmlName,
} from './xml.ts'

/** What the properties of a link's account need. */
export interface Account {
  readonly hrefs: Hrefs
  readonly feedId: string
  readonly name: string
  readonly timezone: string
  /** `#rrggbb` */
  readonly color: string
}

/** `served` of a calendar, `object` of an event. */
export interface Resource {
  readonly account: Account
  readonly place: Place
  readonly served?: PublicationName | undefined
  readonly object?: CalendarObject | undefined
}

type Content = Parameters<typeof tag>[1]

interface Property extends XmlName {
  /** Whether `allprop` leaves it out (RFC 4791 section 5.2). */
  readonly isOnRequest?: boolean
  /** Undefined if the resource has no such property. */
  write(resource: Resource): Content | undefined
}

type Kind = Place['kind']

function propertyOf(
  name: XmlName,
  kinds: readonly Kind[],
  write: Property['write'],
  isOnRequest = false,
): Property {
  const holders = new Set(kinds)
  return {
    ...name,
    isOnRequest,
    write: (resource) => (holders.has(resource.place.kind) ? write(resource) : undefined),
  }
}

/** The content type of an event. */
export const objectType = 'text/calendar; charset=utf-8; component=VEVENT'

const all = ['principal', 'home', 'calendar', 'event'] as const

const types: Readonly<Record<Kind, readonly Markup[]>> = {
  principal: [davTag('collection'), davTag('principal')],
  home: [davTag('collection')],
  calendar: [davTag('collection'), caldavTag('calendar')],
  event: [],
}

const reports = [
  caldavTag('calendar-query'),
  caldavTag('calendar-multiget'),
  davTag('sync-collection'),
].map((report) => davTag('supported-report', davTag('report', report)))

const privileges = ['read', 'read-current-user-privilege-set'].map((name) =>
  davTag('privilege', davTag(name)),
)

const properties: readonly Property[] = [
  propertyOf(davName('resourcetype'), all, ({ place }) => types[place.kind]),
  propertyOf(
    davName('displayname'),
    ['principal', 'home', 'calendar'],
    ({ account }) => account.name,
  ),
  propertyOf(davName('current-user-principal'), all, ({ account }) =>
    hrefTo(account.hrefs.principal),
  ),
  propertyOf(davName('principal-URL'), ['principal'], ({ account }) =>
    hrefTo(account.hrefs.principal),
  ),
  propertyOf(davName('owner'), all, ({ account }) => hrefTo(account.hrefs.principal)),
  propertyOf(davName('current-user-privilege-set'), all, () => privileges),
  propertyOf(davName('supported-report-set'), all, ({ place }) =>
    place.kind === 'calendar' ? reports : '',
  ),
  propertyOf(caldavName('calendar-home-set'), ['principal'], ({ account }) =>
    hrefTo(account.hrefs.home),
  ),
  propertyOf(caldavName('calendar-user-address-set'), ['principal'], ({ account }) =>
    hrefTo(account.hrefs.principal),
  ),
  propertyOf(caldavName('supported-calendar-component-set'), ['calendar'], () => [
    new Markup('<c:comp name="VEVENT"/>'),
  ]),
  propertyOf(
    caldavName('supported-calendar-data'),
    ['calendar'],
    () => [new Markup('<c:calendar-data content-type="text/calendar" version="2.0"/>')],
    true,
  ),
  propertyOf(
    caldavName('supported-collation-set'),
    ['calendar'],
    () => [...collations.keys()].map((name) => caldavTag('supported-collation', name)),
    true,
  ),
  propertyOf(
    caldavName('calendar-timezone'),
    ['calendar'],
    ({ account }) => timezoneOf(account.timezone) || undefined,
    true,
  ),
  propertyOf(
    { uri: apple, local: 'calendar-color' },
    ['calendar'],
    ({ account }) => `${account.color.toUpperCase()}FF`,
  ),
  propertyOf(
    { uri: calendarServer, local: 'getctag' },
    ['calendar'],
    ({ served }) => served && syncToken(served),
  ),
  propertyOf(davName('sync-token'), ['calendar'], ({ served }) => served && syncToken(served)),
  propertyOf(davName('getetag'), ['event'], ({ object }) => object?.etag),
  propertyOf(davName('getcontenttype'), ['event'], () => objectType),
  propertyOf(
    davName('getcontentlength'),
    ['event'],
    ({ object }) => object && String(Buffer.byteLength(vcalendarOf(object.vevent))),
  ),
  propertyOf(
    caldavName('calendar-data'),
    ['event'],
    ({ object }) => object && vcalendarOf(object.vevent),
    true,
  ),
]

const byName = new Map(properties.map((property) => [keyOf(property), property]))

function keyOf({ uri, local }: XmlName): string {
  return `${uri} ${local}`
}

/** The wanted properties that a resource has, and the names of those that it has not. */
export interface Found {
  readonly found: readonly Markup[]
  readonly missing: readonly Markup[]
}

/** Returns a function that finds the wanted properties of a resource. */
export function finderOf(wanted: Wanted): (resource: Resource) => Found {
  if (wanted.kind === 'names') {
    return (resource) => {
      const present = properties.filter((property) => property.write(resource) !== undefined)
      return { found: present.map((property) => tag(property)), missing: [] }
    }
  }
  const usual = wanted.kind === 'all' ? properties.filter(({ isOnRequest }) => !isOnRequest) : []
  const named = wanted.kind === 'all' ? wanted.also : wanted.names
  const asked = new Map([...usual, ...named].map((name) => [keyOf(name), name]))
  const isNamed = new Set(named.map(keyOf))
  const sought = [...asked].map(([key, name]) => {
    // Only what is asked for by name can be missing.
    const missing = isNamed.has(key) ? [tag(name)] : []
    return { name, property: byName.get(key), missing }
  })
  return (resource) => {
    const found: Markup[] = []
    const missing: Markup[] = []
    for (const it of sought) {
      const content = it.property?.write(resource)
      if (content === undefined) missing.push(...it.missing)
      else found.push(tag(it.name, content))
    }
    return { found, missing }
  }
}

/** The length of the names in the answer about one resource; counting stops at `enough`. */
export function namesLength(wanted: Wanted, enough: number): number {
  if (wanted.kind === 'names') return 0
  let length = 0
  for (const name of wanted.kind === 'all' ? wanted.also : wanted.names) {
    if (length >= enough) break
    length += tag(name).text.length
  }
  return length
}

function hrefTo(path: string): Markup {
  return davTag('href', path)
}

/** More than companies work in. */
const zonesMax = 100

/** An iCalendar object with the time zone (RFC 4791 section 5.2.2); empty if it is unknown. */
const timezoneOf = memo(zonesMax, (timezone: string): string => {
  const [zone = ''] = tzlib_get_ical_block(timezone)
  return zone === '' ? '' : vcalendarOf(`${zone.replaceAll(/\r?\n/g, '\r\n')}\r\n`)
})
