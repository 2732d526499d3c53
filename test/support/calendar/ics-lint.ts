/**
 * Checks a feed's text byte by byte, sharing nothing with the code that writes it: by RFC 5545 and RFC 7986, and by what
 * real clients are known to need beyond them.
 */

interface Property {
  readonly name: string
  readonly parameters: string
  readonly value: string
}

interface Component {
  readonly name: string
  readonly properties: Property[]
  readonly components: Component[]
  /** Properties that stand behind a component inside this one. */
  readonly late: Property[]
}

const textProperties = new Set([
  'SUMMARY',
  'DESCRIPTION',
  'CATEGORIES',
  'NAME',
  'X-WR-CALNAME',
  'X-WR-CALDESC',
])
const eventProperties = 'UID DTSTAMP DTSTART DTEND SUMMARY SEQUENCE LAST-MODIFIED'.split(' ')
const encodedId = '(?:[A-Za-z0-9_]|=[0-9A-F]{2})+'
const uid = new RegExp(
  `^(?:shift-${encodedId}-${encodedId}-\\d{8}|absence-${encodedId}-\\d{8}|(?:leave|timesheet|timesheetdue|task|invoice|notice)-${encodedId})@${encodedId}\\.calendar-feed-bridge$`,
)

/** What is wrong, each as a sentence; empty for a sound feed. */
export function lintCalendar(text: string): string[] {
  const bytes = lintBytes(text)
  const unfolded = text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
  const calendars = parseComponents(unfolded)
  const calendar = calendars[0]
  if (calendars.length !== 1 || calendar?.name !== 'VCALENDAR') {
    return [...bytes, 'not exactly one VCALENDAR']
  }
  const all = flatten(calendar)
  const events = all.filter(({ name }) => name === 'VEVENT')
  return [
    ...bytes,
    ...all.flatMap(({ properties }) => properties).flatMap(lintValue),
    ...lintHead(calendar, events.length),
    ...events.flatMap(lintEvent),
    ...lintOrder(events),
    ...all.flatMap(({ name }) => (name === 'VTODO' ? ['there is a VTODO'] : [])),
  ]
}

function lintBytes(text: string): string[] {
  const lines = text.split('\r\n')
  const faults = lines.flatMap((line, index) =>
    lintLine(line, index + 1, index === lines.length - 1),
  )
  if (text.startsWith('\u{FEFF}')) faults.push('starts with a byte order mark')
  if (!text.endsWith('END:VCALENDAR\r\n')) faults.push('does not end with END:VCALENDAR and CRLF')
  return faults
}

function lintLine(line: string, number: number, isLast: boolean): string[] {
  const octets = Buffer.byteLength(line)
  const where = `line ${number}`
  return [
    ...when(/[\r\n]/.test(line), `${where} holds a CR or LF of its own`),
    ...when(octets > 75, `${where} has ${octets} octets`),
    ...when(/^[ \t]?$/.test(line) && !isLast, `${where} is empty`),
    ...when(/^ ?[\uDC00-\uDFFF]/.test(line), `${where} begins within a code point`),
    ...when(!line.isWellFormed(), `${where} holds a lone surrogate`),
    ...when(/(?![\t\r\n])\p{Cc}|[\u2028\u2029]/u.test(line), `${where} holds a control character`),
  ]
}

function lintValue({ name, value }: Property): string[] {
  if (name === 'URL')
    return /[\\,;]/.test(value) ? [`URL ${value} is escaped or needs encoding`] : []
  if (!textProperties.has(name)) return []
  const bare = value.replaceAll(/\\[\\;,nN]/g, '')
  const forbidden = name === 'CATEGORIES' ? /[\\;]/ : /[\\;,]/
  return forbidden.test(bare) ? [`${name} is not escaped`] : []
}

function lintHead({ properties, components, late }: Component, events: number): string[] {
  const values = (name: string): string[] =>
    properties.filter((it) => it.name === name).map(({ value }) => value)
  const zones = components.filter(({ name }) => name === 'VTIMEZONE').length
  const interval = properties.find(({ name }) => name === 'REFRESH-INTERVAL')
  return [
    ...late.map(({ name }) => `${name} stands behind a component`),
    ...when(values('VERSION').join() !== '2.0', 'no VERSION:2.0'),
    ...when(values('PRODID').length !== 1, 'not one PRODID'),
    ...['METHOD', 'TIMEZONE-ID', 'X-WR-TIMEZONE'].flatMap((name) =>
      when(values(name).length > 0, `there is a ${name}`),
    ),
    ...when(zones > 0 && events > 0, 'there is a VTIMEZONE'),
    ...lintName(values('NAME'), values('X-WR-CALNAME')),
    ...when(
      `${interval?.parameters}:${interval?.value}` !== 'VALUE=DURATION:PT1H',
      'no REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ),
    ...when(values('X-PUBLISHED-TTL').join() !== 'PT1H', 'no X-PUBLISHED-TTL:PT1H'),
    ...when(events === 0 && zones !== 1, 'an empty calendar without its one VTIMEZONE'),
  ]
}

/** The fault, if there is one. */
function when(isWrong: boolean, fault: string): string[] {
  return isWrong ? [fault] : []
}

function lintName(names: readonly string[], shown: readonly string[]): string[] {
  const [name] = names
  if (name === undefined || names.length > 1) return ['not one NAME']
  if (shown.length !== 1 || shown[0] !== name) return ['X-WR-CALNAME is not NAME']
  return name.replaceAll(/\\(.)/g, '$1').length > 255 ? ['NAME is longer than 255'] : []
}

function lintEvent({ properties, components, late }: Component): string[] {
  const values = (name: string): Property[] => properties.filter((it) => it.name === name)
  const value = (name: string): string => values(name)[0]?.value ?? ''
  const name = value('UID')
  const faults = [
    ...eventProperties.flatMap((property) =>
      when(values(property).length !== 1, `${property} is not there exactly once`),
    ),
    ...when(!uid.test(name), 'the UID is not of the grammar'),
    ...when(value('DTSTAMP') !== value('LAST-MODIFIED'), 'DTSTAMP is not LAST-MODIFIED'),
    ...when(!/^\d{8}T\d{6}Z$/.test(value('DTSTAMP')), 'DTSTAMP is not in UTC'),
    ...lintTimes(values('DTSTART')[0], values('DTEND')[0]),
    ...lintBusy(values('TRANSP'), values('X-MICROSOFT-CDO-BUSYSTATUS')),
    ...when(value('STATUS') === 'CANCELLED', 'STATUS:CANCELLED'),
    ...['ATTENDEE', 'ORGANIZER', 'RRULE'].flatMap((forbidden) =>
      when(values(forbidden).length > 0, `there is an ${forbidden}`),
    ),
    ...when(late.length > 0, 'a property stands behind an alarm (RFC 5545 section 3.6.1)'),
    ...when(
      components.some((it) => it.name !== 'VALARM'),
      'a component that is no alarm',
    ),
    ...lintSummary(value('SUMMARY')),
  ]
  return faults.map((fault) => `${fault} (${name})`)
}

function lintSummary(summary: string): string[] {
  return [
    ...when(summary.trim() === '', 'SUMMARY is empty'),
    ...when(/(?<!\\)(?:\\\\)*\\[nN]/.test(summary), 'SUMMARY has a line break'),
  ]
}

function lintTimes(start: Property | undefined, end: Property | undefined): string[] {
  if (!start || !end) return []
  const shape = start.parameters === 'VALUE=DATE' ? /^\d{8}$/ : /^\d{8}T\d{6}Z$/
  const isAllowed = ['', 'VALUE=DATE'].includes(start.parameters)
  if (!isAllowed || start.parameters !== end.parameters) return ['not two UTC times or dates']
  if (!shape.test(start.value) || !shape.test(end.value)) return ['not two UTC times or dates']
  return end.value > start.value ? [] : ['DTEND is not after DTSTART']
}

function lintBusy(transparency: readonly Property[], busy: readonly Property[]): string[] {
  if (transparency.length !== 1 || busy.length !== 1) return ['not both TRANSP and BUSYSTATUS']
  const expected = busy[0]?.value === 'FREE' ? 'TRANSPARENT' : 'OPAQUE'
  const isKnown = ['FREE', 'BUSY', 'TENTATIVE', 'OOF'].includes(busy[0]?.value ?? '')
  return isKnown && transparency[0]?.value === expected ? [] : ['TRANSP contradicts BUSYSTATUS']
}

function lintOrder(events: readonly Component[]): string[] {
  const value = (event: Component, name: string): string =>
    event.properties.find((it) => it.name === name)?.value ?? ''
  const keys = events.map(
    (event) => `${value(event, 'DTSTART').padEnd(16, 'T000000Z')} ${value(event, 'UID')}`,
  )
  const uids = events.map((event) => value(event, 'UID'))
  return [
    ...(keys.some((key, index) => key < (keys[index - 1] ?? ''))
      ? ['not sorted by start and UID']
      : []),
    ...(new Set(uids).size < uids.length ? ['a UID comes twice'] : []),
  ]
}

function parseComponents(lines: readonly string[]): Component[] {
  const root: Component = { name: '', properties: [], components: [], late: [] }
  const open = [root]
  for (const line of lines) {
    const current = open.at(-1) ?? root
    const property = parseProperty(line)
    if (property.name === 'BEGIN') {
      const component = { name: property.value, properties: [], components: [], late: [] }
      current.components.push(component)
      open.push(component)
    } else if (line === `END:${current.name}`) open.pop()
    else (current.components.length > 0 ? current.late : current.properties).push(property)
  }
  return root.properties.length > 0 || open.length > 1 ? [] : root.components
}

function parseProperty(line: string): Property {
  const [, name, parameters, value] = /^([A-Z0-9-]+)(?:;([^:]*))?:([^]*)$/.exec(line) ?? []
  return { name: name ?? '', parameters: parameters ?? '', value: value ?? '' }
}

function flatten(component: Component): Component[] {
  return [component, ...component.components.flatMap(flatten)]
}
