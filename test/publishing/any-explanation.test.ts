/* Whatever was read and however the Read API fails, an explanation has each record once and agrees with the calendars. */
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, inject } from 'vitest'

import type { Choices } from '../../src/domain/link.ts'
import type { ExplanationView } from '../../src/feeds/feed-explanation.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import type { TestNode } from '../support/bridge/node.ts'
import { readCalendar } from '../support/calendar/read-calendar.ts'
import type { CompanyRecords } from '../support/company/company-server.ts'
import { ada } from '../support/company/people.ts'

const dayMs = 86_400_000
const it = base.extend('settings', { WORKFORCE_PROJECTS: 'prj_web,prj_ops' })

const day = fc.integer({ min: -40, max: 70 })
const person = fc.constantFrom('usr_ada', 'usr_bob', 'usr_cleo')
const leave = fc.record({
  id: fc.constantFrom('lv_1', 'lv_2', 'lv_3', 'lv_4', 'lv_5'),
  of: fc.constantFrom('usr_ada', 'usr_bob'),
  day,
  length: fc.constantFrom(-1, 0, 0, 2, 9, null),
  status: fc.constantFrom('APPROVED', 'APPROVED', 'PENDING', 'REJECTED', 'ODD'),
})
const timesheet = fc.record({
  of: person,
  day,
  length: fc.constantFrom(-2, 6, 13),
  status: fc.constantFrom('DRAFT', 'SUBMITTED', 'REJECTED', 'ODD'),
})
const task = fc.record({
  id: fc.constantFrom('tsk_1', 'tsk_2', 'tsk_3'),
  project: fc.constantFrom('prj_web', 'prj_ops', 'prj_far'),
  of: fc.uniqueArray(person, { maxLength: 2 }),
  day: fc.option(day),
  status: fc.constantFrom('OPEN', 'DONE', null),
})
const schedule = fc.record({
  type: fc.constantFrom('FIXED', 'FLEXIBLE', 'ROTATING', 'ODD'),
  isActive: fc.constantFrom(true, true, false),
  pattern: fc.constantFrom(
    { monday: { start: '09:00', end: '17:00' } },
    { Friday: { start: '22:00', end: '06:00' }, noday: { start: '1', end: '2' } },
    { tuesday: { start: 'early', end: '12:00' } },
    {},
  ),
})
const records = fc.record({
  leaves: fc.array(leave, { maxLength: 6 }),
  timesheets: fc.array(timesheet, { maxLength: 3 }),
  tasks: fc.array(task, { maxLength: 4 }),
  schedules: fc.array(schedule, { maxLength: 3 }),
  due: fc.option(day),
})
const options = fc.record({
  window: fc.constantFrom({ pastDays: 0, futureDays: 20 }, { pastDays: 60, futureDays: 90 }),
  leaves: fc.record({
    show: fc.constantFrom(true, true, false),
    statuses: fc.constantFrom(['APPROVED'], ['APPROVED', 'PENDING']),
    as: fc.constantFrom('person', 'day'),
  }),
  shifts: fc.record({
    show: fc.boolean(),
    scheduleIds: fc.constant(['sch_0', 'sch_1']),
    rotation: fc.constantFrom(null, { weeks: [['sch_0'], ['sch_2']], from: '2026-01-05' }),
    duringLeave: fc.constantFrom('hide', 'show'),
    as: fc.constantFrom('day', 'hours'),
  }),
  timesheets: fc.record({
    show: fc.boolean(),
    statuses: fc.constantFrom(['DRAFT'], ['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED']),
    as: fc.constantFrom('period', 'deadline', 'both', 'todo'),
  }),
  tasks: fc.record({
    show: fc.boolean(),
    projectIds: fc.constantFrom(null, ['prj_ops'], ['prj_web', 'prj_far']),
  }),
  invoices: fc.record({ show: fc.boolean(), invoiceIds: fc.constant(['inv_1', 'inv_2']) }),
})
const choices: fc.Arbitrary<Choices> = fc.oneof(
  fc.constant({}),
  fc.constant({ onlyAway: true }),
  fc.record({
    hide: fc.subarray(['leaves', 'shifts', 'tasks'] as const),
    timesheetsAs: fc.constant('todo' as const),
  }),
)
const step = fc.record({
  records,
  faults: fc.subarray(['/leaves', '/timesheets', '/projects/', '/schedules', '/invoices']),
  status: fc.constantFrom(404, 500),
  isFiltered: fc.constantFrom(true, true, true, false),
  hours: fc.constantFrom(1, 30, 9 * 24),
  on: day,
})
const history = fc.record({
  people: fc.constantFrom(['usr_ada'], ['usr_ada', 'usr_bob']),
  options,
  choices: fc.tuple(choices, choices),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
})
type Random<T> = T extends fc.Arbitrary<infer V> ? V : never

it('every record stands once, as the calendars have it, and none without a reason', async ({
  bridge,
  node,
  company,
  clock,
}) => {
  company.records.users.push({ ...ada, id: 'usr_cleo' })
  const live = async ({ people, options: set, choices: chosen, steps }: Random<typeof history>) => {
    company.faults.clear()
    company.ignores = 'nothing'
    company.records.schedules = ['sch_0', 'sch_1', 'sch_2'].map((id) => ({ id }))
    const as = people.length > 1 ? set.leaves.as : 'person'
    const chosenOptions = { ...set, leaves: { ...set.leaves, as } }
    const feed = await bridge.createFeed({ userIds: people, options: chosenOptions })
    const added = await bridge.api('POST', `/api/feeds/${feed.id}/links`, { label: 'phone' })
    const links = [...feed.links, (await added.json()) as Address]
    for (const link of await node.store.links.listLinks([feed.id])) {
      const [ofDefault, ofPhone] = chosen
      await node.store.links.changeChoices(link, () =>
        link.label === 'phone' ? ofPhone : ofDefault,
      )
    }
    for (const { hours, records: known, faults, status, isFiltered, on } of steps) {
      await clock.advance(hours * 3_600_000)
      Object.assign(company.records, onWire(known, clock.now()))
      company.faults.clear()
      for (const part of faults) company.faults.set(part, status)
      company.ignores = isFiltered ? 'nothing' : 'employee of leaves'
      const explain = async (query = ''): Promise<ExplanationView> => {
        const answer = await bridge.api('GET', `/api/feeds/${feed.id}/explanation${query}`)
        expect(answer.status).toBe(200)
        return (await answer.json()) as ExplanationView
      }
      // The jump of the clock may have woken readings that end only now.
      let explained = await explain()
      for (let calm = 0; calm < 3;) {
        const [before, asked] = [JSON.stringify(explained), company.requests.length]
        explained = await explain()
        const isCalm = asked === company.requests.length && before === JSON.stringify(explained)
        calm = isCalm ? calm + 1 : 0
      }
      const ofPhone = await explain('?label=phone')
      const dated = await explain(`?label=phone&date=${dateAfter(clock.now(), on)}`)
      const [ofDefault = [], phone = []] = await Promise.all(links.map(({ url }) => eventsAt(url)))
      agree(explained, uidsIn([...ofDefault, ...phone]))
      agree(ofPhone, uidsIn(phone))
      agreeOnDay(dated, phone, dateAfter(clock.now(), on))
      const inCopies = await namesInCopies(node, people, set.tasks.projectIds, explained)
      expect(namesIn(explained)).toEqual(inCopies)
      agree(await explain(), uidsIn([...ofDefault, ...phone]))
    }
  }
  const runs = { numRuns: inject('isThorough') ? 300 : 12, endOnFailure: true }
  await fc.assert(fc.asyncProperty(history, live), runs)
})

interface Address {
  readonly label: string
  readonly url: string
}

interface Event {
  readonly uid: string
  readonly kind: string
  readonly start: string
  readonly end: string
  readonly allDay: boolean
}

/** The events of the calendar, which its JSON has, too; none while it is refused. */
async function eventsAt(url: string): Promise<readonly Event[]> {
  const { status, text } = await pollNow(url)
  const json = await pollNow(url.replace(/\.ics$/, '.json'))
  expect(json.status).toBe(status)
  if (status !== 200) return []
  const { events } = JSON.parse(json.text) as { events: readonly Event[] }
  expect(uidsIn(events)).toEqual(new Set(readCalendar(text).keys()))
  return events
}

function uidsIn(events: readonly Event[]): ReadonlySet<string> {
  return new Set(events.map(({ uid }) => uid))
}

function dateAfter(now: number, days: number): string {
  return new Date(now + days * dayMs).toISOString().slice(0, 10)
}

/** Of leaves and schedules, exactly the events that touch that day in Berlin. */
function agreeOnDay(
  { records: said }: ExplanationView,
  events: readonly Event[],
  date: string,
): void {
  const midnight = (days: number): number =>
    Temporal.PlainDate.from(date).add({ days }).toZonedDateTime('Europe/Berlin').epochMilliseconds
  const touching = events.filter(({ kind, start, end, allDay }) => {
    if (!['leave', 'absence', 'shift'].includes(kind)) return false
    if (allDay) return start <= date && date < end
    return Date.parse(start) < midnight(1) && Date.parse(end) > midnight(0)
  })
  const daily = said.filter(({ kind }) => kind === 'leave' || kind === 'schedule')
  expect(new Set(daily.flatMap(({ uids }) => uids))).toEqual(uidsIn(touching))
  for (const { code } of said) expect(code).not.toBe('left_out')
}

function agree({ records: said }: ExplanationView, uids: ReadonlySet<string>): void {
  for (const { kind, id, shown, uids: of, code, reason } of said) {
    const begins = { leave: 'leave-', schedule: 'shift-', task: 'task-', invoice: 'invoice-' }
    const begin = `${new Map(Object.entries(begins)).get(kind) ?? ''}${id}`
    const isOfDays = kind === 'leave' && of.some((uid) => uid.startsWith('absence-'))
    expect(of.filter((uid) => !uid.includes(isOfDays ? 'absence-' : begin))).toEqual([])
    expect([shown, code.startsWith('shown')]).toEqual([of.length > 0, of.length > 0])
    expect([kind, id, code, reason]).not.toContain('left_out')
    expect(reason).not.toBe('')
  }
  expect(new Set(said.flatMap(({ uids: of }) => of))).toEqual(uids)
}

function namesIn({ records: said }: ExplanationView): readonly string[] {
  return said.map(({ kind, id }) => `${kind} ${id}`).toSorted()
}

/** As the copies have them, and records of which only the id is known. */
async function namesInCopies(
  node: TestNode,
  people: readonly string[],
  chosen: readonly string[] | null,
  { records: said }: ExplanationView,
): Promise<readonly string[]> {
  const { id = '' } = node.connections.get('main') ?? {}
  const inCopy = async (key: string): Promise<readonly Kept[]> =>
    ((await node.store.copies.findCopy(id, key))?.records as readonly Kept[] | undefined) ?? []
  const names = new Set<string>()
  const add = async (kind: string, keys: readonly string[], isTheirs = (_: Kept) => true) => {
    for (const key of keys) {
      for (const record of await inCopy(key))
        if (isTheirs(record)) names.add(`${kind} ${record.id}`)
    }
  }
  await add(
    'leave',
    people.map((user) => `leaves:${user}`),
  )
  await add(
    'timesheet',
    people.map((user) => `timesheets:${user}`),
  )
  await add('schedule', ['schedules'])
  await add('invoice', ['invoice:inv_1', 'invoice:inv_2'])
  const projects = new Set(['prj_web', 'prj_ops', ...(chosen ?? [])])
  const tasks = [...projects].map((project) => `tasks:${project}`)
  await add('task', tasks, ({ assignees = [] }) =>
    assignees.some(({ id: of }) => people.includes(of)),
  )
  for (const { kind, id: of, code, dates } of said) {
    const isOfAnother = kind === 'leave' && dates === null
    if (isOfAnother || code === 'missing_schedule') names.add(`${kind} ${of}`)
  }
  return [...names].toSorted()
}

interface Kept {
  readonly id: string
  readonly assignees?: readonly { readonly id: string }[]
}

function onWire(
  { leaves, timesheets, tasks, schedules, due }: Random<typeof records>,
  now: number,
): Partial<CompanyRecords> {
  const today = Math.floor(now / dayMs)
  const at = (days: number): string => new Date((today + days) * dayMs).toISOString()
  const people = ['usr_ada', 'usr_bob']
  const projects = ['prj_web', 'prj_ops', 'prj_far']
  return {
    leaves: Object.fromEntries(
      people.map((user) => [
        user,
        leaves
          .filter(({ of }) => of === user)
          .map(({ id, day: first, length, status }) => ({
            id: `${id}_${user}`.replace('lv_5_usr_bob', 'lv_5_usr_ada'),
            startDate: at(first),
            endDate: length === null ? null : at(first + length),
            days: null,
            status,
            leaveType: { name: 'Leave', category: 'ANNUAL' },
          })),
      ]),
    ),
    timesheets: timesheets.map(({ of, day: first, length, status }, index) => ({
      id: `clq_${index}`,
      userId: of,
      periodStart: at(first),
      periodEnd: at(first + length),
      status,
    })),
    tasks: Object.fromEntries(
      projects.map((project) => [
        project,
        tasks
          .filter(({ project: of }) => of === project)
          .map(({ id, of, day: on, status }) => ({
            id: project === 'prj_far' ? `far_${id}` : id,
            title: 'Task',
            dueDate: on === null ? null : at(on),
            status,
            assignees: of.map((user) => ({ id: user, firstName: 'A', lastName: 'B' })),
          })),
      ]),
    ),
    schedules: schedules.map((known, index) => ({ id: `sch_${index}`, name: 'Shift', ...known })),
    invoices:
      due === null ? [] : [{ id: 'inv_1', invoiceNumber: '1', status: 'OPEN', dueDate: at(due) }],
  }
}
