import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { isTimezone, localTime } from '../../src/calendar/local-time.ts'
import { dayNumber } from '../../src/domain/plain-date.ts'
import { allOr } from '../support/bridge/thorough.ts'
import { at } from '../support/calendar/calendar-source.ts'
import { TimeZoneProcess } from '../support/calendar/time-zone-process.ts'
import { probeZones } from '../support/calendar/zone-probes.ts'

describe('the instant of a wall time: the earlier of two, or by the offset before a gap', () => {
  it.each([
    ['Europe/Berlin', '2026-01-05 09:00', '2026-01-05T08:00:00Z'],
    ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:30:00Z'],
    ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30:00Z'],
    ['Europe/Berlin', '2026-10-25 03:00', '2026-10-25T02:00:00Z'],
    ['America/New_York', '2026-11-01 01:30', '2026-11-01T05:30:00Z'],
    ['Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:45:00Z'],
    ['Asia/Beirut', '2026-03-29 00:00', '2026-03-28T22:00:00Z'],
    ['Pacific/Kiritimati', '2026-01-01 00:00', '2025-12-31T10:00:00Z'],
    ['Asia/Kathmandu', '2026-01-01 24:00', '2026-01-01T18:15:00Z'],
    ['Pacific/Apia', '2011-12-31 00:00', '2011-12-30T10:00:00Z'],
  ])('%s %s', (timezone, wallTime, expected) => {
    const [date = '', time = ''] = wallTime.split(' ')
    const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
    expect(new Date(localTime(timezone).instantOn(dayNumber(date), minutes)).toISOString()).toBe(
      new Date(expected).toISOString(),
    )
  })

  it('Uses UTC for an unknown zone', () => {
    expect(isTimezone('Mars/Olympus')).toBe(false)
    expect(isTimezone('')).toBe(false)
    const nowhere = localTime('Mars/Olympus')
    expect(nowhere.instantOn(dayNumber('2026-01-05'), 540)).toBe(at('2026-01-05T09:00:00Z'))
    expect(nowhere.dateAt(at('2026-01-05T23:59:59Z'))).toBe('2026-01-05')
  })
})

const years = allOr([2025, 2026, 2027], (year) => year === 2026)

describe('every clock change in every zone, compared with Temporal', () => {
  const abroad = new TimeZoneProcess('America/New_York')

  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.setSystemTime(at('2026-01-15'))
  })
  afterAll(async () => {
    vi.useRealTimers()
    await abroad.close()
  })

  it.each(['2026-01-15', '2026-07-15'])('Agrees with Temporal on %s', (today) => {
    vi.setSystemTime(at(today))
    const { probes, mismatches } = probeZones(years)
    process.stdout.write(`${probes} wall times probed on ${today}\n`)
    expect(mismatches).toEqual([])
    expect(probes).toBeGreaterThan(5000)
  })

  it('Agrees with Temporal in a process set to New York', async () => {
    const { probes, mismatches } = await abroad.ask({ ask: 'probe', years })
    expect(mismatches).toEqual([])
    expect(probes).toBeGreaterThan(5000)
  })
})
