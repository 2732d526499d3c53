import { describe, expect, it } from 'vitest'

import {
  at,
  expand,
  expandOne,
  plainEvent,
  type SourceChanges,
} from '../support/calendar/calendar-source.ts'

const ada = { id: 'usr_ada', firstName: 'Ada', lastName: 'Lovelace' }
const task = {
  id: 'tsk_1',
  title: 'Write the <b>note</b>',
  description: 'About engines',
  status: 'IN_PROGRESS',
  priority: 'HIGH',
  dueDate: at('2026-03-20'),
  estimatedHours: 8,
  actualHours: 3.25,
  assignees: [ada],
}

function tasks(fields: object, changes: SourceChanges = {}): SourceChanges {
  return { ...changes, records: { ...changes.records, tasks: [{ ...task, ...fields }] } }
}

describe('tasks', () => {
  it('Are all-day on the due date', () => {
    expect(expandOne(tasks({}))).toEqual({
      ...plainEvent,
      uid: 'task-tsk_1@main.calendar-feed-bridge',
      kind: 'task',
      time: { allDay: true, start: '2026-03-20', end: '2026-03-21' },
      title: 'Write the <b>note</b>',
      description: 'Status: In progress\nEstimated hours: 8\nActual hours: 3.25\nAbout engines',
      busy: 'FREE',
      categories: ['Task'],
      priority: 1,
    })
  })

  it('With a time of day, take the 30 minutes that end at it', () => {
    const dueDate = at('2026-03-20T15:00:00Z')
    const event = expandOne(tasks({ dueDate }, { options: { reminderMinutes: 0 } }))
    expect(event.time).toEqual({ allDay: false, start: at('2026-03-20T14:30:00Z'), end: dueDate })
    expect(event.reminderMinutes).toBe(0)
  })

  it.each([
    ['no due date', { dueDate: null }],
    ['someone else’s', { assignees: [{ id: 'usr_bob' }] }],
    ['nobody’s', { assignees: null }],
    ['done', { status: 'DONE' }],
  ])('Gives no event: %s', (_, fields) => {
    expect(expand(tasks(fields))).toEqual({ events: [], setAside: [] })
  })

  it('A task shared by several people is one event with their names', () => {
    const assignees = [ada, { id: 'usr_bob' }, { id: 'usr_x' }]
    const users = [{ id: 'usr_bob', firstName: 'Bob' }]
    const feed = { audience: 'others' as const, userIds: ['usr_ada', 'usr_bob'] }
    const event = expandOne(tasks({ assignees }, { feed, records: { users } }))
    expect(event.title).toBe('Write the <b>note</b>')
    expect(event.description).toContain('Assigned to: Ada Lovelace, Bob\n')
  })

  it.each([
    [{ title: null }, { title: 'Task' }],
    [{ title: 'a\r\nb\u0000' }, { title: 'a b' }],
    [{ priority: 'LOW' }, { priority: null }],
    [
      { status: null, estimatedHours: null, actualHours: Number.NaN, description: ' ' },
      { description: null },
    ],
  ])('%j', (fields, expected) => {
    expect(expandOne(tasks(fields))).toMatchObject(expected)
  })

  it('A task listed by two projects is one event in its last version', () => {
    const records = { tasks: [task, { ...task, title: 'New' }] }
    expect(expandOne({ records }).title).toBe('New')
  })
})
