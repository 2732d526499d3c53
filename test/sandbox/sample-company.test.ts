import fc from 'fast-check'
import { IANAZone } from 'luxon'
import { describe, expect, it } from 'vitest'

import { type Locale, locales } from '../../src/domain/feed.ts'
import { sampleCompany } from '../../src/sandbox/sample-company.ts'
import { asLoaded } from './loading/load-company.ts'

const berlin = IANAZone.create('Europe/Berlin')

const days = ['2026-01-01', '2026-03-02', '2026-03-29', '2026-08-31', '2026-11-21', '2028-02-29']

describe.each(days)('sample company around %s', (today) => {
  const company = sampleCompany({ today })
  const { users = [], leaves = [], timesheets = [], projects = [], invoices = [] } = company
  const within = (text: string, past: number, future: number): boolean => {
    const distance = (Date.parse(text) - Date.parse(today)) / 86_400_000
    return distance >= -past && distance <= future
  }

  it('is a company that can be loaded', () => {
    expect(asLoaded(company)).toEqual(company)
  })

  it('the company has the named people and projects, and a manager of the others', () => {
    expect(users.map((user) => [user.id, user.assignedManagerId])).toEqual([
      ['usr_ada', 'usr_mia'],
      ['usr_bob', 'usr_mia'],
      ['usr_cleo', 'usr_mia'],
      ['usr_mia', null],
    ])
    expect(projects.map((project) => project.id)).toEqual(['prj_web', 'prj_ops'])
  })

  it('ids have the prefixes of the specification', () => {
    expect(prefixes(users)).toEqual(['usr'])
    expect(prefixes(leaves)).toEqual(['lv'])
    expect(prefixes(timesheets)).toEqual(['clq'])
    expect(prefixes(projects.flatMap(({ tasks }) => tasks))).toEqual(['tsk'])
    expect(prefixes(invoices)).toEqual(['inv'])
    expect(prefixes(company.schedules ?? [])).toEqual(['sch'])
  })

  describe.each(['usr_ada', 'usr_bob', 'usr_cleo', 'usr_mia'])('%s', (userId) => {
    const own = leaves.filter((leave) => leave.userId === userId)

    it('the person has leaves and timesheets in all states', () => {
      expect(statuses(own)).toEqual(new Set(['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED']))
      expect(statuses(timesheets.filter((sheet) => sheet.userId === userId))).toEqual(
        new Set(['DRAFT', 'SUBMITTED', 'REJECTED', 'APPROVED']),
      )
    })

    it('leaves include a half day, some hours, a weekend and a clock change', () => {
      expect(
        own.filter((leave) => leave.days === 0.5 && leave.startDate === leave.endDate),
      ).toHaveLength(1)
      expect(own.filter((leave) => !leave.startDate.endsWith('T00:00:00.000Z'))).toHaveLength(1)
      expect(own.some((leave) => weekday(leave.startDate) > weekday(leave.endDate))).toBe(true)
      expect(own.some((leave) => offset(leave.startDate) !== offset(leave.endDate))).toBe(true)
    })

    it('leaves do not overlap', () => {
      const inOrder = own.toSorted((a, b) => a.startDate.localeCompare(b.startDate))
      for (const [index, leave] of inOrder.slice(1).entries()) {
        expect(leave.startDate > (inOrder[index]?.endDate ?? '')).toBe(true)
      }
    })

    it('leaves lie in the past and the future, within the window of a feed', () => {
      expect(own.every((leave) => within(leave.startDate, 90, 365))).toBe(true)
      expect(own.some((leave) => leave.endDate < today)).toBe(true)
      expect(own.filter((leave) => leave.startDate > today).length).toBeGreaterThan(3)
    })

    it('timesheets have no gaps, from ninety days ago until today', () => {
      const sheets = timesheets.filter((sheet) => sheet.userId === userId)
      expect(within(sheets[0]?.periodStart ?? '', 90, 0)).toBe(false)
      expect(within(sheets.at(-1)?.periodStart ?? '', 16, 0)).toBe(true)
      for (const [index, sheet] of sheets.slice(1).entries()) {
        const previous = Date.parse(sheets[index]?.periodEnd ?? '')
        expect(Date.parse(sheet.periodStart) - previous).toBe(86_400_000)
      }
    })
  })

  it('the field days counts the working days of each leave of whole days', () => {
    for (const leave of leaves) expect(Math.ceil(Number(leave.days))).toBe(workingDays(leave))
  })

  it('the company has tasks of all kinds', () => {
    const tasks = projects.flatMap((project) => project.tasks)
    expect(tasks.some((task) => task.archived)).toBe(true)
    expect(tasks.some((task) => task.dueDate === null)).toBe(true)
    expect(tasks.some((task) => task.priority === 'HIGH')).toBe(true)
    expect(new Set(tasks.map((task) => task.assignees?.length))).toEqual(new Set([0, 1, 2, 4]))
  })

  it('has schedules of all types; day shifts do not work at night', () => {
    const schedules = company.schedules ?? []
    expect(schedules.find((schedule) => schedule.id === 'sch_day')).toMatchObject({
      type: 'FIXED',
      isActive: true,
      pattern: {
        monday: { start: '09:00', end: '17:30' },
        thursday: { start: '09:00', end: '17:30' },
        friday: { start: '09:00', end: '15:00' },
      },
    })
    const night = { start: '22:00', end: '06:00' }
    expect(schedules.find((schedule) => schedule.id === 'sch_night')).toMatchObject({
      type: 'FIXED',
      isActive: true,
      pattern: { friday: night, saturday: night, sunday: night },
    })
    expect(new Set(schedules.map((schedule) => schedule.type))).toEqual(
      new Set(['FIXED', 'FLEXIBLE', 'ROTATING']),
    )
    expect(schedules.some((schedule) => !schedule.isActive)).toBe(true)
  })
})

describe('larger company', () => {
  const today = '2026-11-21'
  const company = sampleCompany({ today, users: 120, seed: 7 })

  it('has the requested number of people, the named ones first, with all their records', () => {
    const ids = company.users?.map((user) => user.id) ?? []
    expect(ids).toHaveLength(120)
    expect(ids.slice(0, 4)).toEqual(['usr_ada', 'usr_bob', 'usr_cleo', 'usr_mia'])
    expect(new Set(company.leaves?.map((leave) => leave.userId))).toEqual(new Set(ids))
    expect(new Set(company.timesheets?.map((sheet) => sheet.userId))).toEqual(new Set(ids))
    const tasks = company.projects?.flatMap((project) => project.tasks) ?? []
    const assignees = tasks.flatMap((task) => task.assignees?.map(({ id }) => id) ?? [])
    expect(new Set(assignees)).toEqual(new Set(ids))
  })

  it('can be loaded', () => {
    expect(asLoaded(company)).toEqual(company)
  })

  it('the same seed gives the same company, another seed another one', () => {
    expect(sampleCompany({ today, users: 120, seed: 7 })).toEqual(company)
    expect(sampleCompany({ today, users: 120, seed: 8 })).not.toEqual(company)
  })

  it('contains the company of four unchanged', () => {
    const small = sampleCompany({ today })
    expect(company.users?.slice(0, 4)).toEqual(small.users)
    expect(company.leaves?.slice(0, small.leaves?.length)).toEqual(small.leaves)
    expect(company.projects?.slice(0, 2)).toEqual(small.projects)
  })
})

describe.each(locales)('any company in %s', (locale) => {
  const today = '2026-11-21'
  const any = fc.record({ users: fc.integer({ min: 30, max: 300 }), seed: fc.nat() })
  const forAny = (holds: (company: ReturnType<typeof sampleCompany>) => void): void =>
    fc.assert(
      fc.property(any, (options) => holds(sampleCompany({ today, locale, ...options }))),
      { numRuns: 4 },
    )

  it('can be loaded, with distinct names', () => {
    forAny((company) => {
      expect(asLoaded(company)).toEqual(company)
      for (const field of ['email', 'fullName'] as const) {
        const names = company.users?.map((user) =>
          field === 'email' ? user.email : `${user.firstName} ${user.lastName}`,
        )
        expect(new Set(names).size).toBe(company.users?.length)
      }
    })
  })

  it('leaves do not overlap, and the field days counts the working days', () => {
    forAny(({ leaves = [] }) => {
      for (const own of Map.groupBy(leaves, ({ userId }) => userId).values()) {
        const inOrder = own.toSorted((a, b) => a.startDate.localeCompare(b.startDate))
        for (const [index, leave] of inOrder.slice(1).entries()) {
          expect(leave.startDate > (inOrder[index]?.endDate ?? '')).toBe(true)
        }
      }
      for (const leave of leaves) expect(Math.ceil(Number(leave.days))).toBe(workingDays(leave))
    })
  })

  it('people, leaves, reasons, tasks and efforts vary', () => {
    forAny(({ leaves = [], projects = [] }) => {
      const most = (values: readonly unknown[]): number =>
        Math.max(...[...Map.groupBy(values, String).values()].map(({ length }) => length))
      const byPerson = [...Map.groupBy(leaves, ({ userId }) => userId).values()]
      const histories = byPerson.map((own) => own.map(({ startDate }) => startDate).join())
      expect(most(histories)).toBeLessThan(3)
      expect(most(leaves.map(({ reason }) => reason))).toBeLessThan(0.15 * leaves.length)
      const tasks = projects.flatMap((project) => project.tasks)
      expect(most(tasks.map(({ title }) => title))).toBeLessThan(0.2 * tasks.length)
      const efforts = tasks.map((task) => `${task.estimatedHours} ${task.actualHours}`)
      expect(most(efforts)).toBeLessThan(0.25 * tasks.length)
    })
  })
})

it('a German company contains no English texts', () => {
  const texts = (locale: Locale): ReadonlySet<unknown> => {
    const company = sampleCompany({ today: '2026-11-21', users: 200, locale })
    const tasks = company.projects?.flatMap((project) => project.tasks) ?? []
    return new Set([
      ...(company.users?.map(({ position }) => position) ?? []),
      ...(company.leaves?.flatMap(({ reason, leaveType }) => [reason, leaveType?.name]) ?? []),
      ...(company.schedules?.map(({ name }) => name) ?? []),
      ...tasks.map(({ title }) => title),
    ])
  }
  const english = texts('en')
  expect([...texts('de')].filter((text) => english.has(text))).toEqual(['Festival'])
})

function workingDays({ startDate, endDate }: { startDate: string; endDate?: unknown }): number {
  let working = 0
  for (let at = Date.parse(startDate); at <= Date.parse(String(endDate)); at += 86_400_000) {
    if (new Date(at).getUTCDay() % 6 !== 0) working += 1
  }
  return working
}

function prefixes(records: readonly { readonly id: string }[]): string[] {
  return [...new Set(records.map(({ id }) => id.split('_')[0] ?? ''))]
}

function statuses(records: readonly { readonly status: string }[]): Set<string> {
  return new Set(records.map(({ status }) => status))
}

function offset(text: string): number {
  return berlin.offset(Date.parse(text))
}

function weekday(text: string): number {
  return new Date(text).getUTCDay()
}
