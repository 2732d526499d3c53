import { describe, expect, it } from 'vitest'

import type { Leave } from '../../src/domain/leave.ts'
import { at, calendarSource, expand, expandOne, renderSource } from '../support/calendar-source.ts'

const ada = { id: 'usr_ada', firstName: 'Ada' }
const task = { id: 'tsk_1', title: 'Write', dueDate: at('2026-03-20'), assignees: [ada] }
const leave = {
  id: 'lv_1',
  startDate: at('2026-03-20'),
  endDate: at('2026-03-20'),
  status: 'APPROVED',
}

/** Passes for the type, and throws wherever it is read. */
function broken<T extends { readonly id: string }>(record: T): T {
  return new Proxy(record, {
    get: (target, key) => {
      if (key === 'id' || key === 'userId') return Reflect.get(target, key) as unknown
      throw new TypeError('Broken')
    },
  })
}

describe('E9 one bad record', () => {
  it('never breaks the feed, of whatever kind it is', () => {
    const timesheet = {
      id: 'clq1',
      userId: 'usr_ada',
      periodStart: 0,
      periodEnd: 0,
      status: 'DRAFT',
    }
    const { events, setAside } = expand({
      options: { shifts: { scheduleIds: ['sch_day'] } },
      leaves: [broken({ ...leave, id: 'lv_0' }), leave],
      records: {
        tasks: [broken({ ...task, id: 'tsk_0' }), task],
        timesheets: [broken(timesheet)],
        invoices: [broken({ id: 'inv_1' })],
        schedules: [broken({ id: 'sch_day' })],
      },
    })
    expect(events.map(({ uid }) => uid.split('@')[0])).toEqual(['leave-lv_1', 'task-tsk_1'])
    expect(setAside.map(({ id, reason }) => `${id} ${reason}`)).toEqual([
      'lv_0 unreadable',
      'sch_day unreadable',
      'clq1 unreadable',
      'tsk_0 unreadable',
      'inv_1 unreadable',
    ])
  })

  it('of wrong types is survived', () => {
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

describe('E2 and B6 the events', () => {
  it('are unique by UID: an id that comes for two users is one event', () => {
    const feed = { audience: 'others' as const, userIds: ['usr_ada', 'usr_bob'] }
    const leavesOf = { usr_ada: [leave], usr_bob: [leave] }
    expect(expand({ feed, leavesOf }).events).toHaveLength(1)
  })

  it('come in one order, whatever order the records came in', () => {
    const leaves: Leave[] = ['c', 'a', 'b'].map((id, index) => ({
      ...leave,
      id,
      startDate: leave.startDate - (index % 2) * 86_400_000,
    }))
    const uids = expand({ leaves }).events.map(({ uid }) => uid)
    expect(uids.map((uid) => uid.slice(6, 7))).toEqual(['a', 'b', 'c'])
    expect(expand({ leaves: leaves.toReversed() }).events.map(({ uid }) => uid)).toEqual(uids)
  })

  it('E2 keep their UIDs when the thing moves', () => {
    const moved = { ...leave, startDate: at('2026-03-01') }
    expect(expandOne({ leaves: [moved] }).uid).toBe(expandOne({ leaves: [leave] }).uid)
  })
})

describe('event-rules 3: absent', () => {
  it('feeds of a sick leave and of an annual one differ in nothing but UID', () => {
    const options = { leaves: { detail: 'absent' as const } }
    const company = { recordUrl: null }
    const sick = {
      ...leave,
      id: 'lv_a',
      reason: 'Flu',
      leaveType: { name: 'Sick leave', category: 'SICK' },
    }
    const annual = { ...leave, id: 'lv_b', leaveType: { name: 'Annual leave', category: 'ANNUAL' } }
    const [one, other] = [sick, annual].map((record) =>
      renderSource(calendarSource({ options, company, leaves: [record] })),
    )
    expect(one?.replace('lv_a', 'lv_b')).toBe(other)
  })
})

describe('the link back to the record', () => {
  it.each([
    ['https://hr.example/{kind}/{id}', 'lv/1 ä', 'https://hr.example/leave/lv%2F1%20%C3%A4'],
    [
      'https://hr.example/?k={kind};i={id},{id}',
      'a,b',
      'https://hr.example/?k=leave%3Bi=a%2Cb%2Ca%2Cb',
    ],
    ['https://hr.example/$&/{id}', '$&$1', 'https://hr.example/$&/%24%26%241'],
    ['https://hr.example/?a=\\{id}', 'x', 'https://hr.example/?a=%5Cx'],
    ['https://hr.example/{id}', 'a\uD800', 'https://hr.example/a%EF%BF%BD'],
    ['https://hr.example/\r\nX:1/{id}', 'x', 'https://hr.example/X:1/x'],
    [`https://hr.example/${'x'.repeat(3000)}{id}`, 'x', null],
    ['javascript:alert({id})', 'x', null],
    ['/leaves/{id}', 'x', null],
    [null, 'x', null],
  ])('B5 %s of %j is %s', (recordUrl, id, url) => {
    expect(expandOne({ company: { recordUrl }, leaves: [{ ...leave, id }] }).url).toBe(url)
  })

  it('of a deadline is the timesheet’s', () => {
    const timesheet = {
      id: 'clq1',
      userId: 'usr_ada',
      periodStart: at('2026-03-01'),
      periodEnd: at('2026-03-15'),
      status: 'DRAFT',
    }
    const { events } = expand({
      company: { recordUrl: 'https://hr.example/{kind}/{id}' },
      options: { timesheets: { as: 'both' } },
      records: { timesheets: [timesheet] },
    })
    expect(events.map(({ url }) => url)).toEqual(Array(2).fill('https://hr.example/timesheet/clq1'))
  })
})
