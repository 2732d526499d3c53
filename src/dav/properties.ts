/* The properties of each resource. */
import { tzlib_get_ical_block } from 'timezones-ical-library'

import { asObject } from '../calendar/render.ts'
import { memo } from '../domain/memo.ts'
import type { CalendarObject, PublicationName } from '../publishing/calendar-objects.ts'
import { foldings } from './filters.ts'
import type { Hrefs, Place } from './places.ts'
import type { Wanted } from './questions.ts'
import { syncToken } from './sync-token.ts'
import { caldav, caldavTag, dav, davTag, tag, Markup, names, type XmlName } from './xml.ts'

/** What a link's account shows of its calendar. */
export interface Account {
  readonly hrefs: Hrefs
  readonly feedId: string
  readonly name: string
  readonly timezone: string
  /** `#rrggbb` */
  readonly color: string
}

/** A resource that properties are asked of; the last two only where they exist. */
export interface Resource {
  readonly account: Account
  readonly place: Place
  readonly served?: PublicationName | undefined
  readonly object?: CalendarObject | undefined
}

type Content = Parameters<typeof tag>[1]

interface Property extends XmlName {
  /** Only if it is asked for by name (RFC 4791 section 5.2). */
  readonly isOnRequest?: boolean
  /** Undefined if that resource has no such property. */
  write(resource: Resource): Content | undefined
}

type Kind = Place['kind']

function of(
  name: XmlName,
  kinds: readonly Kind[],
  write: Property['write'],
  isOnRequest = false,
): Property {
  const isOf = new Set(kinds)
  return {
    ...name,
    isOnRequest,
    write: (resource) => (isOf.has(resource.place.kind) ? write(resource) : undefined),
  }
}

const ofDav = (local: string): XmlName => ({ uri: dav, local })
const ofCaldav = (local: string): XmlName => ({ uri: caldav, local })
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
  of(ofDav('resourcetype'), all, ({ place }) => types[place.kind]),
  of(ofDav('displayname'), ['principal', 'home', 'calendar'], ({ account }) => account.name),
  of(ofDav('current-user-principal'), all, ({ account }) => hrefTo(account.hrefs.principal)),
  of(ofDav('principal-URL'), ['principal'], ({ account }) => hrefTo(account.hrefs.principal)),
  of(ofDav('owner'), all, ({ account }) => hrefTo(account.hrefs.principal)),
  of(ofDav('current-user-privilege-set'), all, () => privileges),
  of(ofDav('supported-report-set'), all, ({ place }) => (place.kind === 'calendar' ? reports : '')),
  of(ofCaldav('calendar-home-set'), ['principal'], ({ account }) => hrefTo(account.hrefs.home)),
  of(ofCaldav('calendar-user-address-set'), ['principal'], ({ account }) =>
    hrefTo(account.hrefs.principal),
  ),
  of(ofCaldav('supported-calendar-component-set'), ['calendar'], () => [
    new Markup('<c:comp name="VEVENT"/>'),
  ]),
  of(
    ofCaldav('supported-calendar-data'),
    ['calendar'],
    () => [new Markup('<c:calendar-data content-type="text/calendar" version="2.0"/>')],
    true,
  ),
  of(
    ofCaldav('supported-collation-set'),
    ['calendar'],
    () => [...foldings.keys()].map((name) => caldavTag('supported-collation', name)),
    true,
  ),
  of(
    ofCaldav('calendar-timezone'),
    ['calendar'],
    ({ account }) => timezoneOf(account.timezone) || undefined,
    true,
  ),
  of(names.calendarColor, ['calendar'], ({ account }) => `${account.color.toUpperCase()}FF`),
  of(names.getctag, ['calendar'], ({ served }) => served && syncToken(served)),
  of(ofDav('sync-token'), ['calendar'], ({ served }) => served && syncToken(served)),
  of(ofDav('getetag'), ['event'], ({ object }) => object?.etag),
  of(ofDav('getcontenttype'), ['event'], () => objectType),
  of(
    ofDav('getcontentlength'),
    ['event'],
    ({ object }) => object && String(Buffer.byteLength(asObject(object.vevent))),
  ),
  of(ofCaldav('calendar-data'), ['event'], ({ object }) => object && asObject(object.vevent), true),
]

export const objectType = 'text/calendar; charset=utf-8; component=VEVENT'

const byName = new Map(properties.map((property) => [keyOf(property), property]))

function keyOf({ uri, local }: XmlName): string {
  return `${uri} ${local}`
}

/** What was found of the wanted properties, and the names of what was not. */
export interface Found {
  readonly found: readonly Markup[]
  readonly missing: readonly Markup[]
}

/** Returns what finds the wanted properties of each resource. */
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
    // Of each resource that has none.
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

/** How many characters the names take in the answer about one resource, or `enough` and more. */
export function lengthOf(wanted: Wanted, enough: number): number {
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

/** More than the zones that companies work in. */
const zonesMax = 100

/** An iCalendar object with the zone (RFC 4791 section 5.2.2); empty if the zone is not known. */
const timezoneOf = memo(zonesMax, (timezone: string): string => {
  const [zone = ''] = tzlib_get_ical_block(timezone)
  return zone === '' ? '' : asObject(`${zone.replaceAll(/\r?\n/g, '\r\n')}\r\n`)
})
