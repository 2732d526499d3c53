import { describe, expect, it } from 'vitest'

import { type AppError, asAppError } from '../../src/domain/errors.ts'
import type { Leave } from '../../src/domain/leave.ts'
import {
  at,
  calendarSource,
  dayOff,
  draftTimesheet,
  expand,
  renderSource,
  type SourceChanges,
} from '../support/calendar/calendar-source.ts'

const ada = { id: 'usr_ada', firstName: 'Ada' }
const schedule = { id: 'sch_1', pattern: { monday: { start: '09:00', end: '17:00' } } }
const task = { id: 'tsk_1', title: 'Write', dueDate: at('2026-03-20'), assignees: [ada] }
const invoice = { id: 'inv_1', dueDate: at('2026-03-20') }
const inMarch = {
  window: { pastDays: 0, futureDays: 0 },
  shifts: { scheduleIds: ['sch_0', 'sch_1'] },
}

/** Passes for the type, and throws wherever it is read. */
function broken<T extends { readonly id: string }>(record: T, id: string): T {
  return new Proxy(
    { ...record, id },
    {
      get: (target, key) => {
        if (key === 'id' || key === 'userId') return Reflect.get(target, key) as unknown
        throw new TypeError(`Broken ${id}`)
      },
    },
  )
}

const brokenLeave = broken(dayOff, 'lv_0')
const brokenSchedule = broken(schedule, 'sch_0')
const brokenRecords = {
  leave: { leaves: [brokenLeave] },
  shift: { records: { schedules: [brokenSchedule] } },
  timesheet: { records: { timesheets: [broken(draftTimesheet, 'clq0')] } },
  task: { records: { tasks: [broken(task, 'tsk_0')] } },
  invoice: { records: { invoices: [broken(invoice, 'inv_1')] } },
}

function unavailable(changes: SourceChanges): AppError | undefined {
  try {
    expand({ options: inMarch, ...changes })
    return undefined
  } catch (error) {
    return asAppError(error)
  }
}

/** `lv_0: Broken lv_0`: each record that is set aside with what was thrown. */
function causesOf({ setAside }: ReturnType<typeof expand>): string[] {
  return setAside
    .filter(({ reason }) => reason === 'unreadable')
    .map(({ id, cause }) => `${id}: ${cause instanceof Error ? cause.message : 'unknown'}`)
}

describe('a record that cannot be read', () => {
  it('Is set aside with its cause and affects no other record, whatever its kind', () => {
    const expansion = expand({
      options: { ...inMarch, invoices: { invoiceIds: ['inv_0', 'inv_1'] } },
      leaves: [brokenLeave, dayOff],
      records: {
        schedules: [brokenSchedule, schedule],
        timesheets: [broken(draftTimesheet, 'clq0'), draftTimesheet],
        tasks: [broken(task, 'tsk_0'), task],
        invoices: [broken(invoice, 'inv_0'), invoice],
      },
    })
    const kinds = new Set(expansion.events.map(({ kind }) => kind))
    expect(kinds).toEqual(new Set(['timesheet', 'shift', 'invoice', 'leave', 'task']))
    expect(causesOf(expansion)).toEqual([
      'lv_0: Broken lv_0',
      'sch_0: Broken sch_0',
      'clq0: Broken clq0',
      'tsk_0: Broken tsk_0',
      'inv_0: Broken inv_0',
    ])
  })

  it.each(Object.entries(brokenRecords))(
    'Makes the calendar unavailable if no other record of its kind exists: %s',
    (kind, changes: SourceChanges) => {
      const error = unavailable(changes)
      expect(error).toMatchObject({
        code: 'unavailable',
        message: `None of the ${kind} records can be read.`,
      })
      expect(error?.cause).toBeInstanceOf(TypeError)
    },
  )

  it('Is compared with the records of all users and schedules, used or not', () => {
    const feed = { audience: 'others' as const, userIds: ['usr_ada', 'usr_bob'] }
    const leavesOf = { usr_ada: [brokenLeave], usr_bob: [dayOff] }
    expect(unavailable({ feed, leavesOf })).toBeUndefined()
    expect(unavailable({ feed, leavesOf: { ...leavesOf, usr_bob: [brokenLeave] } })).toBeDefined()
    const inactive = { ...schedule, isActive: false }
    expect(unavailable({ records: { schedules: [brokenSchedule, inactive] } })).toBeUndefined()
  })

  it('Is ignored when its kind is not shown', () => {
    const shown = { ...inMarch, tasks: { show: false } }
    expect(expand({ ...brokenRecords.task, options: shown }).setAside).toHaveLength(2)
  })

  it('Is not reported when there are no records at all', () => {
    expect(expand({})).toEqual({ events: [], setAside: [] })
  })

  it('An unreadable leave hides no shift and is reported once', () => {
    const mondays = { ...schedule, id: 'sch_0' }
    const records = { schedules: [schedule, mondays] }
    const onMonday = { ...dayOff, startDate: at('2026-03-02'), endDate: at('2026-03-02') }
    for (const leaves of [{ show: false }, { statuses: ['PENDING' as const] }, {}]) {
      const expansion = expand({
        options: { ...inMarch, leaves },
        leaves: [onMonday, brokenLeave],
        records,
      })
      expect(expansion.events.filter(({ kind }) => kind === 'shift')).toHaveLength(8)
      expect(causesOf(expansion)).toEqual(['lv_0: Broken lv_0'])
    }
    const alone = expand({
      options: { ...inMarch, leaves: { show: false } },
      leaves: [brokenLeave],
      records,
    })
    expect(alone.events).toHaveLength(10)
    expect(causesOf(alone)).toEqual(['lv_0: Broken lv_0'])
  })

  it('A record with fields of the wrong type is set aside', () => {
    const assignees = 5 as unknown as (typeof ada)[]
    const title = { text: 'x' } as unknown as string
    const records = {
      tasks: [
        { ...task, assignees },
        { ...task, id: 'tsk_2', title },
        { ...task, id: 'tsk_3' },
      ],
    }
    const { events, setAside } = expand({ records })
    expect(events.map(({ uid }) => uid.split('@')[0])).toEqual(['task-tsk_3'])
    expect(setAside).toHaveLength(2)
  })
})

describe('the events', () => {
  it('Are unique by UID: the same id for two users is one event', () => {
    const feed = { audience: 'others' as const, userIds: ['usr_ada', 'usr_bob'] }
    const leavesOf = { usr_ada: [dayOff], usr_bob: [dayOff] }
    expect(expand({ feed, leavesOf }).events).toHaveLength(1)
  })

  it('Have the same order, whatever the order of the records', () => {
    const leaves: Leave[] = ['c', 'a', 'b'].map((id, index) => ({
      ...dayOff,
      id,
      startDate: dayOff.startDate - (index % 2) * 86_400_000,
    }))
    const uids = expand({ leaves }).events.map(({ uid }) => uid)
    expect(uids.map((uid) => uid.slice(6, 7))).toEqual(['a', 'b', 'c'])
    expect(expand({ leaves: leaves.toReversed() }).events.map(({ uid }) => uid)).toEqual(uids)
  })
})

describe('a feed that shows only absences', () => {
  it('Sick leave and annual leave differ only in the UID', () => {
    const options = { leaves: { detail: 'absent' as const } }
    const company = { recordUrl: null }
    const sick = {
      ...dayOff,
      id: 'lv_a',
      reason: 'Flu',
      leaveType: { name: 'Sick leave', category: 'SICK' },
    }
    const annual = {
      ...dayOff,
      id: 'lv_b',
      leaveType: { name: 'Annual leave', category: 'ANNUAL' },
    }
    const [one, other] = [sick, annual].map((record) =>
      renderSource(calendarSource({ options, company, leaves: [record] })),
    )
    expect(one?.replace('lv_a', 'lv_b')).toBe(other)
  })
})
