import { describe, expect, it } from 'vitest'

import {
  holidayPlaces,
  holidaysIn,
  isHolidayPlace,
  placeAround,
} from '../../src/calendar/holidays.ts'
import { TimeZoneProcess } from '../support/calendar/time-zone-process.ts'

function list(places: string, first: string, last: string): readonly string[] {
  const found = holidaysIn(places.split(','), first, last)
  return [...found].map(([date, name]) => `${date} ${name}`)
}

describe('public holidays', () => {
  it('of a German state in a year', () => {
    expect(list('DE-BY', '2026-01-01', '2026-12-31')).toEqual([
      '2026-01-01 Neujahr',
      '2026-01-06 Heilige Drei Könige',
      '2026-04-03 Karfreitag',
      '2026-04-06 Ostermontag',
      '2026-05-01 Maifeiertag',
      '2026-05-14 Christi Himmelfahrt',
      '2026-05-25 Pfingstmontag',
      '2026-06-04 Fronleichnam',
      '2026-10-03 Tag der Deutschen Einheit',
      '2026-11-01 Allerheiligen',
      '2026-12-25 1. Weihnachtstag',
      '2026-12-26 2. Weihnachtstag',
    ])
  })

  it.each([
    [
      'a region has more',
      'DE-BY-A',
      '2026-08',
      ['08 Augsburger Friedensfest', '15 Mariä Himmelfahrt'],
    ],
    ['no bank holidays', 'DE', '2026-12', ['25 1. Weihnachtstag', '26 2. Weihnachtstag']],
    ['no observances', 'DE', '2026-02', []],
    [
      'the Monday after a Sunday',
      'ZA',
      '2027-03',
      ['21 Human Rights Day', '22 Public Holiday', '26 Good Friday', '29 Family Day'],
    ],
    [
      'two days for two',
      'GB-ENG',
      '2027-12',
      [
        '25 Christmas Day',
        '26 Boxing Day',
        '27 Christmas Day (substitute day)',
        '28 Boxing Day (substitute day)',
      ],
    ],
    [
      'what are bank holidays there by name',
      'GB',
      '2026-05',
      ['04 Early May bank holiday', '25 Spring bank holiday'],
    ],
    [
      'a day of the next year',
      'US',
      '2027-12',
      [
        '24 Christmas Day (substitute day)',
        '25 Christmas Day',
        "31 New Year's Day (substitute day)",
      ],
    ],
    ['a day of one town', 'US-LA-NO', '2026-02', ["16 Washington's Birthday", '17 Mardi Gras']],
    ['no afternoon', 'IS', '2026-12', ['25 Jóladagur', '26 Annar í jólum']],
    [
      'a whole day instead of an afternoon',
      'IS',
      '2028-12',
      ['24 Aðfangadagur', '25 Jóladagur', '26 Annar í jólum', '31 Gamlársdagur'],
    ],
    [
      'several days that end at noon',
      'TR',
      '2026-03',
      ['20 Ramazan Bayramı', '21 Ramazan Bayramı', '22 Ramazan Bayramı'],
    ],
    ['not the evening before', 'IL', '2026-05', ['22 שבועות']],
    [
      'several places',
      'DE-BY,AT',
      '2026-12',
      [
        '08 Mariä Empfängnis',
        '25 1. Weihnachtstag / Christtag',
        '26 2. Weihnachtstag / Stefanitag',
      ],
    ],
  ])('%s: %s in %s', (_, places, month, expected) => {
    const found = list(places, `${month}-01`, `${month}-31`)
    expect(found).toEqual(expected.map((day) => `${month}-${day}`))
  })

  it('the first and the last day are included', () => {
    expect(list('DE', '2026-12-25', '2026-12-25')).toEqual(['2026-12-25 1. Weihnachtstag'])
    expect(list('DE', '2026-12-27', '2026-12-31')).toEqual([])
    expect(list('DE', '2026-12-31', '2027-01-01')).toEqual(['2027-01-01 Neujahr'])
  })

  it.each(['Pacific/Kiritimati', 'America/Los_Angeles'])('are the same in %s', async (timezone) => {
    const places = ['US', 'TR', 'JP', 'CN', 'IL', 'NZ', 'CL']
    const abroad = new TimeZoneProcess(timezone)
    const found = await abroad.ask({ ask: 'holidays', places })
    await abroad.close()
    expect(found).toEqual([...holidaysIn(places, '2026-01-01', '2027-12-31')])
  })
})

describe('places', () => {
  it.each(['DE', 'DE-BY', 'DE-BY-A', 'ZA', 'US-LA-NO'])('%s is one', (place) => {
    expect(isHolidayPlace(place)).toBe(true)
  })

  it.each([
    '',
    '-',
    'de',
    'DE-',
    'DE-XX',
    'DE-BY-XX',
    'US-LA-NO-X',
    'DE BY',
    'toString',
    'DE-toString',
  ])('"%s" is none', (place) => {
    expect(isHolidayPlace(place)).toBe(false)
  })

  it('lie within one another', () => {
    expect(holidayPlaces('').length).toBeGreaterThan(200)
    expect(holidayPlaces('DE-BY')).toEqual(['DE-BY-A', 'DE-BY-KATH', 'DE-BY-EVANG'])
    expect([holidayPlaces('ZA'), holidayPlaces('XX'), holidayPlaces('DE-BY-A')]).toEqual([
      [],
      [],
      [],
    ])
    expect(placeAround('US-LA-NO')).toBe('US-LA')
  })

  it('have rules, each of them', () => {
    const all = holidayPlaces('').flatMap((country) => [country, ...holidayPlaces(country)])
    expect(all.filter((place) => !isHolidayPlace(place))).toEqual([])
    expect(holidayPlaces('NZ-CAN')).toEqual([])
  })
})
