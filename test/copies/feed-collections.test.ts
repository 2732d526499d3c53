/* What a feed asks of the Read API, and what is loaded of the copies for it. */
import { describe, expect } from 'vitest'

import { feedRequests, loadRecords } from '../../src/copies/feed-collections.ts'
import { type Collection, collectionKey, makeCopy } from '../../src/domain/copy.ts'
import { type OwnOptions, readOptions } from '../../src/domain/feed-options.ts'
import type { RecordOf } from '../../src/domain/kinds.ts'
import { openStore } from '../../src/store/open-store.ts'
import { adasFeed } from '../store/fixtures.ts'
import { it as base } from '../support/bridge/fixtures.ts'
import { calendarSource, dayOff } from '../support/calendar/calendar-source.ts'

const hidden = { show: false }
const nothing = { leaves: hidden, shifts: hidden, timesheets: hidden, tasks: hidden }
const scheduled = { show: true, scheduleIds: ['sch_day'] }

const it = base
  .extend('copies', async ({ databaseUrl }, { onCleanup }) => {
    const store = await openStore(databaseUrl)
    onCleanup(() => store.close())
    return store.copies
  })
  .extend('keep', ({ clock, copies }) => {
    return async <K extends 'leaves' | 'schedules' | 'tasks'>(
      collection: Collection<K>,
      records: RecordOf[K][],
    ) => {
      const of = { begunAt: clock.now(), fetchedAt: clock.now(), reach: null }
      const copy = makeCopy(collection, records, of)
      await copies.keepCopy('connection', copy)
      return copy
    }
  })

function requestsOf(own: OwnOptions, userIds = ['usr_ada']): ReturnType<typeof feedRequests> {
  const { company } = calendarSource({ company: { projects: ['prj_web'] } })
  return feedRequests(adasFeed({ userIds, options: readOptions('own', own) }), company)
}

function keysOf(own: OwnOptions, userIds?: string[]): readonly string[] {
  return requestsOf(own, userIds).map(({ collection }) => collectionKey(collection))
}

/** Whether leaves are asked for, and if so whether with their reasons. */
function leavesOf(own: OwnOptions): readonly boolean[] {
  const leaves = requestsOf(own).filter(({ collection }) => collection.kind === 'leaves')
  return leaves.map(({ scope }) => scope.reasons)
}

describe('the requests of a feed', () => {
  it('Contain each collection once, even for a person listed twice; users come first', () => {
    const projects = { projectIds: ['prj_web', 'prj_web'] }
    const userIds = ['usr_ada', 'usr_bob', 'usr_ada']
    expect(keysOf({ shifts: scheduled, tasks: projects }, userIds)).toEqual([
      'user:usr_ada',
      'user:usr_bob',
      'leaves:usr_ada',
      'leaves:usr_bob',
      'schedules',
      'timesheets:usr_ada',
      'timesheets:usr_bob',
      'tasks:prj_web',
    ])
  })

  it('Contain only the users if the feed shows nothing', () => {
    expect(keysOf(nothing)).toEqual(['user:usr_ada'])
  })

  it('Contain the schedules if shifts are shown, unless there are known to be none', () => {
    const asksWith = (shifts: NonNullable<OwnOptions['shifts']>): boolean =>
      keysOf({ ...nothing, shifts }).includes('schedules')
    const rotation = { weeks: [['sch_day']], from: '2026-01-05' }
    expect(asksWith(scheduled)).toBe(true)
    expect(asksWith({ show: true })).toBe(true)
    expect(asksWith({ show: true, scheduleIds: [] })).toBe(false)
    expect(asksWith({ show: true, scheduleIds: [], rotation })).toBe(true)
    expect(asksWith({ show: false })).toBe(false)
  })

  it.for([
    ['where nothing is to be shown', nothing, []],
    ['where only leaves are shown', { ...nothing, leaves: { show: true } }, [false]],
    ['where they are shown in full', { ...nothing, leaves: { detail: 'full' } }, [true]],
    ['where they only hide shifts', { ...nothing, shifts: scheduled }, [false]],
    [
      'where they would be shown in full, but only hide shifts',
      { ...nothing, leaves: { show: false, detail: 'full' }, shifts: scheduled },
      [false],
    ],
    [
      'where shifts are shown during leaves',
      { ...nothing, shifts: { ...scheduled, duringLeave: 'show' } },
      [],
    ],
    [
      'where there are no shifts to hide',
      { ...nothing, shifts: { show: true, scheduleIds: [] } },
      [],
    ],
    [
      'where it is not known yet whether there are',
      { ...nothing, shifts: { show: true } },
      [false],
    ],
  ] as const)('Contain leaves, with or without reasons, %s', ([, own, expected]) => {
    expect(leavesOf(own)).toEqual(expected)
  })
})

describe('the records of copies', () => {
  const leaves = { kind: 'leaves', subject: 'usr_ada' } as const
  const schedules = { kind: 'schedules', subject: '' } as const

  it('Are grouped by kind and subject', async ({ copies, keep }) => {
    const heads = [await keep(leaves, [dayOff]), await keep(schedules, [{ id: 'sch_day' }])]
    const records = await loadRecords({ copies, userIds: ['usr_1'] }, 'connection', heads)
    expect(records?.leaves).toEqual(new Map([['usr_ada', [dayOff]]]))
    expect(records?.schedules).toEqual(new Map([['', [{ id: 'sch_day' }]]]))
    expect(records?.tasks.size).toBe(0)
  })

  it('Include the tasks of these people and only the ids of others', async ({ copies, keep }) => {
    const [mine, theirs] = ['usr_1', 'usr_2'].map((id) => ({ id: `t_${id}`, assignees: [{ id }] }))
    const heads = [await keep({ kind: 'tasks', subject: 'prj_1' }, [mine!, theirs!])]
    const records = await loadRecords({ copies, userIds: ['usr_1'] }, 'connection', heads)
    expect(records?.tasks.get('prj_1')).toEqual([mine, { id: 't_usr_2' }])
  })

  it('Come with the newest copy last, whatever is in memory', async ({ clock, copies, keep }) => {
    const task = { id: 't_1', assignees: [{ id: 'usr_1' }] }
    const before = await keep({ kind: 'tasks', subject: 'prj_a' }, [task])
    await clock.advance(1)
    const between = await keep({ kind: 'tasks', subject: 'prj_b' }, [task])
    await clock.advance(1)
    const after = await keep({ kind: 'tasks', subject: 'prj_a' }, [{ ...task, title: 'Moved' }])
    const projects = async (...heads: readonly (typeof after)[]) => {
      const records = await loadRecords({ copies, userIds: ['usr_1'] }, 'connection', heads)
      return [...(records?.tasks.keys() ?? [])]
    }
    expect(before.contentHash).not.toBe(after.contentHash)
    expect(await projects(after, between)).toEqual(['prj_b', 'prj_a'])
    expect(await projects(between, after)).toEqual(['prj_b', 'prj_a'])
  })

  it('Are not returned if one of the copies has changed or is gone', async ({ copies, keep }) => {
    const heads = [await keep(leaves, [dayOff]), await keep(schedules, [])]
    await keep(leaves, [])
    expect(await loadRecords({ copies, userIds: ['usr_1'] }, 'connection', heads)).toBeUndefined()
    const now = [await keep(leaves, [dayOff]), heads[1]!]
    expect(await loadRecords({ copies, userIds: ['usr_1'] }, 'connection', now)).toBeDefined()
    await copies.dropCopies('connection', ['schedules'])
    expect(await loadRecords({ copies, userIds: ['usr_1'] }, 'connection', now)).toBeUndefined()
  })
})
