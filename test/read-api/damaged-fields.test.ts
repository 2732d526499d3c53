/* A record is damaged field by field: what of it is still read, and which doubt remains. */
import { afterEach, describe, expect, it } from 'vitest'

import type { RecordOf } from '../../src/domain/kinds.ts'
import type { Answer, ListKind } from '../../src/domain/read-api.ts'
import type { ReadApiClient } from '../../src/read-api/client.ts'
import {
  answerJson,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'
import { createTestClient } from './operations.ts'

const day = '2026-01-05T00:00:00.000Z'
const at = Date.parse(day)

let server: MisbehavingServer | undefined
let client: ReadApiClient | undefined
afterEach(async () => {
  await client?.close()
  await server?.close()
})

describe('damaged fields that no calendar shows', () => {
  it.each<[ListKind, object, object]>([
    ['tasks', { id: 'tsk_1', createdAt: '', updatedAt: 5 }, { id: 'tsk_1' }],
    [
      'timesheets',
      {
        id: 'clq1',
        userId: 'usr_1',
        periodStart: day,
        periodEnd: day,
        status: 'DRAFT',
        companyId: 5,
        entries: [{ id: {}, date: 'x', notes: 5, hoursWorked: 8 }],
      },
      {
        id: 'clq1',
        userId: 'usr_1',
        periodStart: at,
        periodEnd: at,
        status: 'DRAFT',
        entries: [{ hoursWorked: 8 }],
      },
    ],
  ])('are ignored in %s', async (kind, json, record) => {
    const { records, faults, misfits } = await listOf(kind, [json])
    expect(records).toEqual([record])
    expect([...faults, ...misfits]).toEqual([])
  })

  it('are ignored in invoices and users', async () => {
    const invoice = { id: 'inv_1', issueDate: 'x', lineItems: 5, recipient: { email: 5 } }
    const user = { id: 'usr_1', role: 5, position: 5, employmentType: {}, createdAt: '' }
    await start((path) => (path.includes('/users/') ? user : invoice))
    await expect(client?.get('invoice', 'inv_1')).resolves.toEqual({ id: 'inv_1', recipient: {} })
    await expect(client?.get('user', 'usr_1')).resolves.toEqual({ id: 'usr_1' })
  })
})

describe('damaged fields that decide whether a record is shown', () => {
  const schedule = { id: 'sch_1', name: 'Day' }
  const task = { id: 'tsk_1', title: 'Draw' }
  const leave = { id: 'lv_1', status: 'PENDING' }
  it.each<[ListKind, object, object, readonly string[]]>([
    [
      'leaves',
      { ...leave, startDate: day, endDate: day, leaveType: { name: 'Rest', category: 3 } },
      { ...leave, startDate: at, endDate: at, leaveType: { name: 'Rest' } },
      [],
    ],
    ['schedules', { ...schedule, isActive: 'true' }, schedule, ['isActive']],
    ['schedules', { ...schedule, type: 5, pattern: [] }, schedule, ['type', 'pattern']],
    ['schedules', { ...schedule, name: 5, isActive: null }, { id: 'sch_1', isActive: null }, []],
    ['tasks', { ...task, dueDate: '' }, task, ['dueDate']],
    ['tasks', { ...task, status: 5, priority: 5 }, task, ['status']],
    ['tasks', { ...task, assignees: 'Ada' }, task, ['assignees']],
    [
      'tasks',
      { ...task, assignees: [{ id: 'usr_1' }, { id: 5 }, null, { id: 'usr_2', firstName: 5 }] },
      { ...task, assignees: [{ id: 'usr_1' }, { id: 'usr_2' }] },
      ['assignees'],
    ],
    [
      'tasks',
      { ...task, assignees: [{ id: 'usr_1', lastName: 5 }] },
      { ...task, assignees: [{ id: 'usr_1' }] },
      [],
    ],
  ])('%s like %j name their doubtful fields', async (kind, json, record, doubtful) => {
    const { records, inDoubt, faults, misfits } = await listOf(kind, [json])
    expect(records).toEqual([record])
    expect(faults).toEqual([])
    expect(misfits.length).toBeGreaterThan(0)
    expect([...inDoubt.values()].flat()).toEqual(doubtful)
  })

  it.each([{ dueDate: 'soon' }, { status: 5 }])(
    'an invoice with %j is rejected',
    async (damage) => {
      await start(() => ({ id: 'inv_1', currency: 5, ...damage }))
      await expect(client?.get('invoice', 'inv_1')).rejects.toMatchObject({
        code: 'upstream_invalid',
      })
    },
  )

  it('an invoice with any other damage is accepted', async () => {
    await start(() => ({ id: 'inv_1', dueDate: day, currency: 5, totalAmount: [] }))
    await expect(client?.get('invoice', 'inv_1')).resolves.toEqual({ id: 'inv_1', dueDate: at })
  })

  it('the last of several records with one id decides what is in doubt', async () => {
    const { records, inDoubt } = await listOf('tasks', [{ ...task, dueDate: 5 }, task])
    expect(records).toEqual([task])
    expect(inDoubt.size).toBe(0)
  })
})

it('an unfitting entry of several is left out, and so is one field of an entry', async () => {
  const sheet = { id: 'clq1', userId: 'usr_1', periodStart: day, periodEnd: day, status: 'DRAFT' }
  const entries = [{ hoursWorked: 8 }, 5, { hoursWorked: 'x', expectedHours: 7 }, null]
  const { records, misfits } = await listOf('timesheets', [{ ...sheet, entries }])
  expect(records).toMatchObject([{ entries: [{ hoursWorked: 8 }, { expectedHours: 7 }] }])
  expect(misfits.map(({ field, count, example }) => ({ field, count, example }))).toEqual([
    { field: 'entries', count: 1, example: 'data[0].entries[1]' },
    { field: 'entries.hoursWorked', count: 1, example: 'data[0].entries[2].hoursWorked' },
  ])
})

/** The list whose answer holds just these. */
async function listOf(
  kind: ListKind,
  data: readonly object[],
): Promise<Answer<RecordOf[ListKind]>> {
  const api = await start(() => data)
  return kind === 'tasks' ? api.list('tasks', { project: 'prj_1' }) : api.list(kind, {})
}

async function start(dataAt: (path: string) => unknown): Promise<ReadApiClient> {
  server = await startMisbehavingServer((socket, request) =>
    answerJson({ data: dataAt(request.path) })(socket, request),
  )
  client = createTestClient(server.url)
  return client
}
