/* What an examination may meet, and what one of its findings says of it. */
import { expect } from 'vitest'

import type { Finding } from '../../src/domain/examination.ts'
import type { CompanyFile } from '../../src/wire/company-file.ts'
import type { ForeignStyle } from '../support/company/foreign-style.ts'

export interface SeenCase {
  readonly name: string
  readonly api: ForeignStyle
  readonly environment?: Readonly<Record<string, string>>
  readonly check: string
  readonly finding: Partial<Record<keyof Finding, unknown>>
}

const noFilters = {
  timesheets: { employee: null, status: null, from: null, to: null },
  leaves: { employee: 'userId', status: null },
  schedules: { type: null, active: null },
}
/** Thursday to Tuesday. */
const overWeekend = { startDate: '2026-01-08T00:00:00.000Z', endDate: '2026-01-13T00:00:00.000Z' }
const saying = (pattern: RegExp): unknown => expect.stringMatching(pattern)

function withLeaves(
  alter: (leaves: NonNullable<CompanyFile['leaves']>) => CompanyFile['leaves'],
): ForeignStyle {
  return { alter: (company) => ({ ...company, leaves: alter(company.leaves ?? []) }) }
}

/** From that year on, without an end, which no file of a company can say. */
function openFrom<T extends object>(leave: T, year: string): T {
  return Object.assign(
    { ...leave },
    { startDate: `${year}-01-01T00:00:00Z`, endDate: null, status: 'APPROVED' },
  )
}

function params(names: object): Readonly<Record<string, string>> {
  return { WORKFORCE_PARAMS: JSON.stringify(names) }
}

export const seenCases: readonly SeenCase[] = [
  {
    name: 'a company without any records can be served',
    api: { alter: () => ({ schedules: [] }) },
    check: 'leaves-employee',
    finding: { ok: true, seen: saying(/nothing to compare/) },
  },
  {
    name: 'leaves that no parameter tells apart',
    api: { parameters: { ...noFilters, leaves: { employee: null, status: null } } },
    check: 'leaves-employee',
    finding: {
      ok: false,
      means: saying(/served without them.*FEED_STALE_DAYS.*No other usual name/),
      set: null,
    },
  },
  {
    name: 'a name of leaves’ employee that is not set though the default is right',
    api: {},
    environment: params({ leaves: { employee: null } }),
    check: 'leaves-employee',
    finding: { ok: false, set: 'WORKFORCE_PARAMS={}' },
  },
  {
    name: 'an advised name stands beside the names that are set',
    api: { parameters: { ...noFilters, leaves: { employee: 'employee', status: null } } },
    environment: params({ schedules: { type: 'kind' }, timesheets: { employee: null } }),
    check: 'leaves-employee',
    finding: {
      ok: false,
      set: 'WORKFORCE_PARAMS={"timesheets":{"employee":null},"leaves":{"employee":"employee"},"schedules":{"type":"kind"}}',
    },
  },
  {
    name: 'known users who have no leaves, though there are some',
    api: {
      alter: ({ timesheets = [], projects: _, ...company }) => ({
        ...company,
        timesheets: timesheets.filter(({ userId }) => userId === 'usr_ada'),
        leaves: (company.leaves ?? []).filter(({ userId }) => userId === 'usr_bob'),
      }),
    },
    check: 'leaves-employee',
    finding: { ok: true, seen: saying(/none of the known users brings any/) },
  },
  {
    name: 'leaves that are listed by employee only',
    api: { leavesByEmployeeOnly: true },
    check: 'list-leaves',
    finding: { ok: true, seen: saying(/10 leaves/) },
  },
  {
    name: 'the same fault in two projects',
    api: {
      alter: (company) => ({
        ...company,
        projects: (company.projects ?? []).map(({ tasks: [task], ...project }) => ({
          ...project,
          tasks: task ? [{ ...task, archived: false, dueDate: 'soon' }] : [],
        })),
      }),
    },
    environment: { WORKFORCE_PROJECTS: 'prj_web,prj_ops' },
    check: 'records',
    finding: { ok: false, seen: saying(/: 2 of tasks at dueDate \(/) },
  },
  {
    name: 'timesheets that no parameter tells apart: calendars are whole all the same',
    api: { parameters: noFilters },
    check: 'timesheets-employee',
    finding: { ok: true, means: saying(/whole, but every refresh reads everybody/), set: null },
  },
  {
    name: 'timesheets whose parameter has another name',
    api: {
      parameters: { ...noFilters, timesheets: { ...noFilters.timesheets, employee: 'user' } },
    },
    check: 'timesheets-employee',
    finding: {
      ok: true,
      level: 'note',
      means: saying(/whole, but every refresh reads everybody/),
      set: 'WORKFORCE_PARAMS={"timesheets":{"employee":"user"}}',
    },
  },
  {
    name: 'timesheets between bounds that mean something else',
    api: {
      parameters: {
        ...noFilters,
        timesheets: { employee: 'userId', status: null, from: 'endDate', to: 'startDate' },
      },
    },
    check: 'timesheets-employee',
    finding: { ok: false, set: 'WORKFORCE_PARAMS={"timesheets":{"from":null,"to":null}}' },
  },
  {
    name: 'a default schedule that rotates',
    api: {},
    environment: { WORKFORCE_SCHEDULES: 'sch_early' },
    check: 'schedules',
    finding: {
      ok: true,
      level: 'note',
      means: saying(/no shifts come of sch_early \(ROTATING\)\.$/),
    },
  },
  {
    name: 'statuses that the spec does not list',
    api: withLeaves((leaves) =>
      leaves.map((it, index) => (index < 3 ? { ...it, status: 'TAKEN' } : it)),
    ),
    check: 'records',
    finding: { ok: false, seen: saying(/3 leaves of a status that the spec does not list/) },
  },
  {
    name: 'records of one id that do not say the same',
    api: withLeaves((leaves) => [
      ...leaves,
      ...leaves.slice(0, 2).map((it) => ({ ...it, days: 77 })),
    ]),
    check: 'records',
    finding: {
      ok: false,
      level: 'wrong',
      seen: saying(/2 of leaves at \(records of one id\) \(expected all to say the same, /),
    },
  },
  {
    name: 'records that came twice and say the same',
    api: withLeaves((leaves) => [...leaves, ...leaves.slice(0, 2)]),
    check: 'records',
    finding: { ok: true, level: 'ok' },
  },
  {
    name: 'spans that end before they start',
    api: withLeaves((leaves) =>
      leaves.map((it) =>
        it === leaves.find(({ status }) => status === 'APPROVED')
          ? { ...it, endDate: '2020-01-01T00:00:00Z' }
          : it,
      ),
    ),
    check: 'records',
    finding: { ok: false, seen: saying(/one leave with an end before its start/) },
  },
  {
    name: 'a rejected leave that ends before it starts: no calendar would show it',
    api: withLeaves((leaves) =>
      leaves.map((it, index) =>
        index === 0 ? { ...it, status: 'REJECTED', endDate: '2020-01-01T00:00:00Z' } : it,
      ),
    ),
    check: 'records',
    finding: { ok: true, level: 'ok' },
  },
  {
    name: 'a leave without an end that has begun',
    api: withLeaves((leaves) =>
      leaves.map((it, index) => (index === 2 ? openFrom(it, '2020') : it)),
    ),
    check: 'records',
    finding: { ok: true, level: 'ok' },
  },
  {
    name: 'a leave without an end that has not begun',
    api: withLeaves((leaves) =>
      leaves.map((it, index) => (index === 2 ? openFrom(it, '2190') : it)),
    ),
    check: 'records',
    finding: { ok: false, seen: saying(/one leave without an end that has not begun/) },
  },
  {
    name: 'a round number that narrower questions explain',
    api: withLeaves((leaves) => leaves.slice(0, 25)),
    check: 'truncation',
    finding: { ok: true, level: 'ok', means: 'Nothing suggests that a list is cut.' },
  },
  {
    name: 'a list that is cut at a round number, as narrower questions show',
    api: {
      ...withLeaves((leaves) =>
        leaves.map((it, index) => ({ ...it, status: index < 20 ? 'APPROVED' : 'PENDING' })),
      ),
      paging: { style: 'cut', most: 25 },
    },
    check: 'truncation',
    finding: { ok: false, seen: saying(/^The list of leaves lacks /), set: null },
  },
  {
    name: 'two lists of the same round number beside a longer one',
    api: {
      alter: ({ projects = [], ...company }) => ({
        ...company,
        projects: projects.map((project) => ({
          ...project,
          tasks: Array.from({ length: 25 }, (_, index) => ({
            id: `tsk_${index}`,
            title: 'A task',
            archived: false,
          })),
        })),
      }),
    },
    environment: { WORKFORCE_PROJECTS: 'prj_web,prj_ops' },
    check: 'truncation',
    finding: {
      ok: true,
      level: 'note',
      seen: saying(/^The list of tasks of prj_\w+ has exactly 25/),
    },
  },
  {
    name: 'a round number by chance',
    api: { ...withLeaves((leaves) => leaves.slice(0, 25)), parameters: noFilters },
    check: 'truncation',
    finding: {
      ok: true,
      level: 'note',
      seen: saying(/exactly 25 records/),
      means: saying(/may be chance/),
    },
  },
  {
    name: 'days that end in their last minute',
    api: {
      alter: ({ timesheets: _, leaves = [], ...company }) => ({
        ...company,
        leaves: leaves.map((it) => ({
          ...it,
          endDate: it.endDate.replace('T00:00:00.000', 'T23:59:59.999'),
        })),
      }),
    },
    environment: { WORKFORCE_PROJECTS: 'prj_web' },
    check: 'dates',
    finding: {
      ok: true,
      seen: saying(/Of 76 dates .* 68 are midnights in UTC \(34 at 00:00, 34 at 23:59,/),
    },
  },
  {
    name: 'too few dates to doubt the zone',
    api: {
      alter: ({ leaves = [] }) => ({
        schedules: [],
        leaves: leaves.slice(0, 1).map((it) => ({
          ...it,
          startDate: '2026-01-05T05:00:00Z',
          endDate: '2026-01-06T05:00:00Z',
        })),
      }),
    },
    check: 'dates',
    finding: { ok: true, means: saying(/times of day/) },
  },
  {
    name: 'a zone that has the same midnights as a better known one',
    api: { dates: 'local' },
    environment: { WORKFORCE_TIMEZONE: 'Europe/Paris', WORKFORCE_DATES: 'local' },
    check: 'dates',
    finding: { ok: true },
  },
  {
    name: 'leaves that no parameter tells apart, and every parameter refused',
    api: {
      parameters: { ...noFilters, leaves: { employee: null, status: null } },
      strict: true,
    },
    environment: params({ timesheets: noFilters.timesheets }),
    check: 'leaves-employee',
    finding: { ok: false, seen: saying(/is refused/), set: null },
  },
  {
    name: 'timesheets that no parameter tells apart, and every parameter refused',
    api: { parameters: noFilters, strict: true },
    environment: params({ timesheets: { from: null, to: null } }),
    check: 'timesheets-employee',
    finding: {
      ok: false,
      set: 'WORKFORCE_PARAMS={"timesheets":{"employee":null,"from":null,"to":null}}',
    },
  },
  {
    name: 'leaves over a weekend counted in working days',
    api: withLeaves((leaves) => leaves.map((it) => ({ ...it, ...overWeekend, days: 4 }))),
    environment: { WORKFORCE_END_DATES: 'exclusive' },
    check: 'end-dates',
    finding: { ok: false, set: 'WORKFORCE_END_DATES=inclusive' },
  },
  {
    name: 'leaves over a weekend counted in all days',
    api: withLeaves((leaves) => leaves.map((it) => ({ ...it, ...overWeekend, days: 5 }))),
    check: 'end-dates',
    finding: { ok: false, set: 'WORKFORCE_END_DATES=exclusive' },
  },
  {
    name: 'leaves whose days fit neither reading',
    api: withLeaves((leaves) => leaves.map((it) => ({ ...it, ...overWeekend, days: 17 }))),
    check: 'end-dates',
    finding: { ok: true, means: saying(/Nothing shows whether/) },
  },
  {
    name: 'two lists of the same round number',
    api: {
      parameters: noFilters,
      alter: ({ leaves = [], timesheets = [], ...company }) => ({
        ...company,
        leaves: leaves.slice(0, 25),
        timesheets: timesheets
          .filter(({ userId }) => userId === 'usr_ada')
          .slice(-1)
          .flatMap((it) => Array.from({ length: 25 }, (_, n) => ({ ...it, id: `clq_${n}` }))),
      }),
    },
    check: 'truncation',
    finding: { ok: false, seen: saying(/exactly 25 records/), set: null },
  },
]
