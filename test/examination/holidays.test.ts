/* What doctor says about public holidays. */
import { expect, it } from 'vitest'

import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { examineApi, findingOf } from '../support/company/examine.ts'
import { foreignApi } from '../support/company/foreign-api.ts'
import { fileOf } from '../support/settings/environment.ts'

const check = 'public holidays'
const clock = createFakeClock(Date.UTC(2026, 11, 25, 23, 30))

it('lists the days of twelve months from today in the zone of the company', async () => {
  const { url } = await foreignApi({})
  const found = await examineApi(url, { WORKFORCE_HOLIDAYS: 'DE-BY' }, { clock })
  const { level, seen, set } = findingOf(found, check)
  expect({ level, set }).toEqual({ level: 'ok', set: null })
  const [start, ...days] = seen.split(/: |, /)
  expect(start).toBe('The company (DE-BY)')
  expect(days[0]).toBe('2026-12-26 2. Weihnachtstag')
  expect(days).toContain('2027-03-29 Ostermontag')
  expect(days.at(-1)).toBe('2027-12-25 1. Weihnachtstag.')
})

it('lists those of each schedule with places of its own', async () => {
  const { url } = await foreignApi({})
  const company = {
    id: 'north',
    baseUrl: url,
    timezone: 'Europe/Berlin',
    scheduleHolidays: { sch_a: ['ZA'], sch_b: [] },
  }
  const found = await examineApi(url, { COMPANIES_FILE: await fileOf([company]) }, { clock })
  const { seen } = findingOf(found, check)
  expect(seen.split('\n')).toEqual([
    'The company has no holidays.',
    expect.stringMatching(/^The schedule sch_a \(ZA\): 2026-12-26 Day of Goodwill, 2027-01-01 /),
    'The schedule sch_b has no holidays.',
  ])
})

it('names the setting where there is none, without advising it', async () => {
  const { url } = await foreignApi({})
  const { level, means, set } = findingOf(await examineApi(url, {}, { clock }), check)
  expect({ level, set }).toEqual({ level: 'ok', set: null })
  expect(means).toContain('WORKFORCE_HOLIDAYS')
})
