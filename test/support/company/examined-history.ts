/* What may have happened to an installation before doctor runs: a Read API that differs, damaged records, and settings tried before. */
import fc from 'fast-check'

import type { ParameterNames } from '../../../src/domain/read-api.ts'
import type { CompanyFile } from '../../../src/wire/company-file.ts'
import { type Environment, secret } from './examine.ts'
import type { ForeignPaging, ForeignStyle } from './foreign-style.ts'

export interface ExaminedHistory {
  readonly api: ForeignStyle
  /** The settings that are right, without those that are usual. */
  readonly right: Environment
  /** What was set in the runs before, and in the last one. */
  readonly tried: readonly Environment[]
}

export const people = ['usr_ada', 'usr_bob', 'usr_cleo', 'usr_mia'] as const

const paging: fc.Arbitrary<{ readonly paging: ForeignPaging; readonly setting: string }> = fc.oneof(
  fc.constant({ paging: { style: 'none' } as const, setting: 'none' }),
  fc.record({ first: fc.constantFrom(0, 1), most: fc.integer({ min: 1, max: 7 }) }).map((of) => ({
    paging: { style: 'page', page: 'page', size: 'limit', ...of } as const,
    setting: `page:page,limit,100,${of.first}`,
  })),
  fc.integer({ min: 1, max: 7 }).map((most) => ({
    paging: { style: 'offset', offset: 'skip', limit: 'take', most } as const,
    setting: 'offset:skip,take,100',
  })),
  fc.integer({ min: 1, max: 7 }).map((most) => ({
    paging: { style: 'link', most } as const,
    setting: 'link',
  })),
)

const parameters: fc.Arbitrary<ParameterNames> = fc.record({
  timesheets: fc.record({
    employee: fc.constantFrom('userId', 'employeeId', null),
    status: fc.constantFrom('status', null),
    from: fc.constantFrom('startDate', 'since', null),
    to: fc.constantFrom('endDate', 'until', null),
  }),
  leaves: fc.record({
    employee: fc.constantFrom('userId', 'userId', 'employee_id', null),
    status: fc.constantFrom('status', null),
  }),
  schedules: fc.constant({ type: null, active: null }),
})

type Damage = (company: CompanyFile) => CompanyFile

/** The record of that place in the list of that kind, damaged. */
const damage: fc.Arbitrary<Damage> = fc
  .tuple(
    fc.nat(30),
    fc.constantFrom<readonly [List, object]>(
      ['leaves', { endDate: '2019-01-01T00:00:00.000Z' }],
      ['leaves', { endDate: 'soon' }],
      ['leaves', { status: 'TAKEN' }],
      ['leaves', { days: null }],
      ['leaves', { id: null }],
      ['leaves', { startDate: '12000-01-01T00:00:00.000Z' }],
      ['timesheets', { periodEnd: '2019-01-01T00:00:00.000Z' }],
      ['timesheets', { status: 'LATE' }],
      ['timesheets', { userId: null }],
      ['timesheets', { periodStart: 'soon' }],
      ['schedules', { pattern: { monday: { start: '09:00', end: '17:00' }, thusday: null } }],
      ['schedules', { pattern: { tusday: { start: '09:00', end: '17:00' } } }],
      ['schedules', { pattern: { monday: { start: '9', end: '5 pm' } } }],
      ['schedules', { type: 'ROTATING' }],
      ['schedules', { type: 'WEIRD' }],
      ['schedules', { isActive: false }],
    ),
  )
  .map(([place, [list, changes]]) => (company) => {
    const records: readonly object[] = company[list] ?? []
    const at = place % Math.max(1, records.length)
    return {
      ...company,
      [list]: records.map((it, index) => (index === at ? { ...it, ...changes } : it)),
    }
  })

type List = 'leaves' | 'timesheets' | 'schedules'

/** So many of each person's leaves and timesheets, those nearest to today, and so many schedules. */
const size: fc.Arbitrary<Damage> = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 6 }))
  .map(([records, schedules]) => (company) => ({
    ...company,
    leaves: people.flatMap((id) =>
      (company.leaves ?? []).filter(({ userId }) => userId === id).slice(0, records),
    ),
    timesheets: people.flatMap((id) =>
      (company.timesheets ?? []).filter(({ userId }) => userId === id).slice(-records),
    ),
    schedules: (company.schedules ?? []).slice(0, schedules),
  }))

/** Settings that are wrong, or only tried. */
const mistakes: fc.Arbitrary<Environment> = fc.record(
  {
    WORKFORCE_PARAMS: fc.constantFrom(
      '{"leaves":{"employee":"whose"}}',
      '{"leaves":{"employee":null}}',
      '{"timesheets":{"employee":"who"}}',
      '{"timesheets":{"from":"endDate","to":"startDate"}}',
      '{"timesheets":{"employee":null,"from":null,"to":null}}',
      '{}',
    ),
    WORKFORCE_PAGINATION: fc.constantFrom(
      'none',
      'link',
      'page:page,limit,100',
      'page:page,limit,100,0',
      'offset:skip,take,100',
      'page:seite,menge,50',
    ),
    WORKFORCE_DATES: fc.constantFrom('utc', 'local'),
    WORKFORCE_END_DATES: fc.constantFrom('inclusive', 'exclusive'),
    WORKFORCE_PROJECTS: fc.constantFrom('prj_web,prj_gone', 'prj_gone', ''),
    WORKFORCE_SCHEDULES: fc.constantFrom('sch_gone', 'sch_night', 'sch_day,sch_gone'),
    WORKFORCE_AUTH: fc.constantFrom('none', `bearer:${secret}`, `header:X-Key:${secret}`),
    WORKFORCE_BASE_URL: fc.constant('{origin}/hr'),
  },
  { requiredKeys: [] },
)

/** Few mistakes at a time, most often none. */
const tries = fc
  .tuple(mistakes, fc.infiniteStream(fc.integer({ min: 0, max: 3 })))
  .map(([all, dice]) => {
    const kept = Object.entries(all).filter(() => dice.next().value === 0)
    return Object.fromEntries(kept)
  })

export const examinedHistories: fc.Arbitrary<ExaminedHistory> = fc
  .record({
    pages: paging,
    parameters: fc.option(parameters),
    strict: fc.boolean(),
    leavesByEmployeeOnly: fc.boolean(),
    dates: fc.constantFrom('utc' as const, 'local' as const),
    endDates: fc.constantFrom('inclusive' as const, 'exclusive' as const),
    isLocked: fc.boolean(),
    size,
    damages: fc.array(damage, { maxLength: 3 }),
    tried: fc.array(tries, { minLength: 1, maxLength: 4 }),
  })
  .map(({ pages, parameters: names, isLocked, size: cut, damages, tried, ...style }) => {
    const right: Environment = {
      WORKFORCE_PAGINATION: pages.setting,
      WORKFORCE_DATES: style.dates,
      WORKFORCE_END_DATES: style.endDates,
      WORKFORCE_PROJECTS: 'prj_web',
      ...(names ? { WORKFORCE_PARAMS: JSON.stringify(names) } : {}),
      ...(isLocked ? { WORKFORCE_AUTH: `bearer:${secret}` } : {}),
    }
    const api: ForeignStyle = {
      ...style,
      paging: pages.paging,
      ...(names ? { parameters: names } : {}),
      ...(isLocked ? { authentication: { scheme: 'bearer', token: secret } } : {}),
      alter: (company) => damages.reduce((it, change) => change(it), cut(company)),
    }
    return { api, right, tried: tried.map((it) => ({ ...right, ...it })) }
  })
