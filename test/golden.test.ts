import { existsSync, readFileSync, writeFileSync } from 'node:fs'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { goldenCalendar, goldenFile, goldenNames } from './support/calendar/golden-cases.ts'
import { lintCalendar } from './support/calendar/ics-lint.ts'
import { parseWithIcalJs, parseWithNodeIcal, parseWithTsIcs } from './support/calendar/parsers.ts'
import { TimeZoneProcess } from './support/calendar/time-zone-process.ts'

const isUpdate = process.env['UPDATE_GOLDEN'] === '1'

describe.each(goldenNames)('golden calendar %s', (name) => {
  it('is unchanged, byte by byte', () => {
    const text = goldenCalendar(name)
    const file = goldenFile(name, 'expected.ics')
    if (isUpdate) writeFileSync(file, text)
    expect(existsSync(file)).toBe(true)
    expect(text).toBe(readFileSync(file, 'utf8'))
  })

  it('follows every rule', () => {
    expect(lintCalendar(goldenCalendar(name))).toEqual([])
  })
})

it.each(goldenNames.filter((name) => name.startsWith('absences')))(
  'golden calendar %s says the same in third-party parsers',
  (name) => {
    const [one, ...others] = [parseWithIcalJs, parseWithNodeIcal, parseWithTsIcs].map((parse) =>
      parse(goldenCalendar(name)).toSorted((a, b) => (a.uid < b.uid ? -1 : 1)),
    )
    expect(others).toEqual([one, one])
  },
)

describe('the same records, options and window give the same bytes', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each(['2026-01-15', '2026-07-15', '2040-10-28T01:30:00Z'])('on %s', (today) => {
    vi.useFakeTimers({ now: Date.parse(today), toFake: ['Date'] })
    for (const name of goldenNames) {
      expect(goldenCalendar(name)).toBe(readFileSync(goldenFile(name, 'expected.ics'), 'utf8'))
    }
  })

  it.each(['Pacific/Kiritimati', 'America/St_Johns'])('in a process in %s', async (timezone) => {
    const abroad = new TimeZoneProcess(timezone)
    try {
      for (const name of goldenNames) {
        // One after the other: the process answers one question at a time.
        const text = await abroad.ask({ ask: 'render', golden: name })
        expect(text).toBe(readFileSync(goldenFile(name, 'expected.ics'), 'utf8'))
      }
    } finally {
      await abroad.close()
    }
  })
})
