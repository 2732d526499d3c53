/* What an explanation says of each record, sentence by sentence. */
import { describe, expect } from 'vitest'

import type { ExplanationView } from '../../src/feeds/feed-explanation.ts'
import { calendarUrl, type FeedAnswer } from '../support/bridge/bridge.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { readCalendar } from '../support/calendar/read-calendar.ts'
import { ada, bob, leave, task, timesheet } from '../support/company/people.ts'

const hours = { start: '09:00', end: '17:00' }
const day = { id: 'sch_day', name: 'Day', type: 'FIXED', pattern: { monday: hours } }
const everyMinute = 61_000
const dayMs = 86_400_000

const it = base
  .extend(
    'explain',
    ({ bridge }) =>
      async (feed: FeedAnswer, query = ''): Promise<ExplanationView> => {
        const answer = await bridge.api('GET', `/api/feeds/${feed.id}/explanation${query}`)
        expect(answer.status).toBe(200)
        return (await answer.json()) as ExplanationView
      },
  )
  .extend('reasons', ({ explain }) => async (feed: FeedAnswer, query = '') => {
    const { records } = await explain(feed, query)
    return Object.fromEntries(records.map(({ id, code, reason }) => [id, `${code}: ${reason}`]))
  })

describe('the options and the record itself', () => {
  it('says of every record why it is shown or not', async ({ bridge, company, reasons }) => {
    const { records } = company
    records.leaves = {
      usr_ada: [
        leave('lv_shown', '2026-01-12'),
        leave('lv_asked', '2026-01-13', { status: 'PENDING' }),
        leave('lv_refused', '2026-01-14', { status: 'REJECTED' }),
        leave('lv_strange', '2026-01-15', { status: 'SICK' }),
        leave('lv_backwards', '2026-01-16', { endDate: '2026-01-10T00:00:00.000Z' }),
        leave('lv_open', '2026-03-01', { endDate: null }),
        leave('lv_old', '2024-01-16'),
      ],
    }
    records.timesheets = [
      timesheet('clq_todo', 'usr_ada', '2026-01-01', '2026-01-15'),
      { ...timesheet('clq_done', 'usr_ada', '2025-12-16', '2025-12-31'), status: 'SUBMITTED' },
    ]
    records.tasks['prj_web'] = [
      task('tsk_shown', '2026-01-20', [ada]),
      { id: 'tsk_someday', title: 'Some day', assignees: [ada] },
      { ...task('tsk_done', '2026-01-20', [ada]), status: 'DONE' },
      task('tsk_bobs', '2026-01-20', [bob]),
    ]
    records.schedules = [
      day,
      { ...day, id: 'sch_other' },
      { ...day, id: 'sch_rotating', type: 'ROTATING' },
      { ...day, id: 'sch_off', isActive: false },
      { ...day, id: 'sch_strange', type: 'SOMEHOW' },
      { ...day, id: 'sch_unclear', pattern: { monday: { start: 'nine', end: '17:00' } } },
      { ...day, id: 'sch_empty', pattern: {} },
    ]
    records.invoices = [
      { id: 'inv_paid', status: 'PAID', dueDate: '2026-01-20T00:00:00.000Z' },
      { id: 'inv_unnamed', status: 'OPEN', dueDate: '2026-01-20T00:00:00.000Z' },
    ]
    const scheduleIds = records.schedules.map(({ id }) => id).filter((id) => id !== 'sch_other')
    const feed = await bridge.createFeed({
      userIds: ['usr_ada'],
      options: {
        leaves: { statuses: ['APPROVED'] },
        shifts: { scheduleIds },
        timesheets: { as: 'todo' },
        invoices: { show: true, invoiceIds: ['inv_paid'] },
      },
    })
    const status = 'this calendar does not show'
    expect(await reasons(feed)).toEqual({
      lv_shown: 'shown: It is shown.',
      lv_asked: `status_not_shown: Its status is PENDING; ${status} leave with that status.`,
      lv_refused: `status_not_shown: Its status is REJECTED; ${status} leave with that status.`,
      lv_strange: 'unknown_status: It has a status that the bridge does not know.',
      lv_backwards: 'end_before_start: It ends before it starts.',
      lv_open: 'not_begun: It has no end and has not begun yet.',
      lv_old: 'outside_window: It is outside the dates of this calendar, 2025-10-01 to 2027-01-31.',
      clq_todo: 'shown: It is shown.',
      clq_done:
        'nothing_to_do: It needs no action; this calendar shows only timesheets that are drafts or were rejected.',
      tsk_shown: 'shown: It is shown.',
      tsk_someday: 'no_due_date: It has no due date.',
      tsk_done: `status_not_shown: Its status is DONE; ${status} tasks with that status.`,
      inv_paid: `status_not_shown: Its status is PAID; ${status} invoices with that status.`,
      sch_day: 'shown: It is shown.',
      sch_other:
        'schedule_not_chosen: It is not among the schedules of this calendar (option shifts.scheduleIds).',
      sch_rotating: 'needs_rotation: It is ROTATING and needs the option shifts.rotation.',
      sch_off: 'inactive_schedule: It is inactive.',
      sch_strange: 'unknown_type: It has a type that the bridge does not know.',
      sch_unclear: 'malformed_day: Its hours cannot be read.',
      sch_empty: 'no_shifts: It has no working hours then.',
    })
  })

  it('lists kinds that the calendar does not show from what other calendars have read', async ({
    bridge,
    feedOf,
    poll,
    reasons,
  }) => {
    await poll(await feedOf('usr_ada'))
    const feed = await bridge.createFeed({
      userIds: ['usr_ada'],
      name: 'Leave',
      options: { shifts: { show: false }, timesheets: { show: false }, tasks: { show: false } },
    })
    expect(await reasons(feed)).toEqual({
      lv_ada1: 'shown: It is shown.',
      lv_ada2: 'shown: It is shown.',
      clqada: 'kind_not_shown: This calendar does not show timesheets.',
      tsk_ada: 'kind_not_shown: This calendar does not show tasks.',
      tsk_both: 'kind_not_shown: This calendar does not show tasks.',
      sch_day: 'kind_not_shown: This calendar does not show shifts.',
    })
  })

  it('a date keeps what touches it, and judges schedules by that day', async ({
    bridge,
    company,
    reasons,
  }) => {
    company.records.leaves['usr_ada'] = [
      leave('lv_week', '2026-01-09', { endDate: '2026-01-13T00:00:00.000Z' }),
    ]
    const feed = await bridge.createFeed({
      userIds: ['usr_ada'],
      options: { timesheets: { as: 'deadline' } },
    })
    expect(await reasons(feed, '?date=2026-01-12')).toEqual({
      clqada: 'shown: It is shown.',
      lv_week: 'shown: It is shown.',
      sch_day: 'during_leave: Everybody in this calendar is on leave during its shifts.',
    })
    expect(await reasons(feed, '?date=2026-01-19&kind=schedule')).toEqual({
      sch_day: 'shown: It is shown.',
    })
    expect(await reasons(feed, '?date=2026-01-20')).toEqual({ tsk_ada: 'shown: It is shown.' })
    expect(await reasons(feed, '?date=2028-01-03')).toEqual({
      sch_day:
        'outside_window: It is outside the dates of this calendar, 2025-10-01 to 2027-01-31.',
    })
  })

  describe('with public holidays and a rotation', () => {
    it.override('settings', { WORKFORCE_HOLIDAYS: 'DE-BY' })

    it('says so', async ({ bridge, company, reasons }) => {
      const { schedules } = company.records
      company.records.schedules = [...schedules, { ...day, id: 'sch_late' }]
      const feed = await bridge.createFeed({
        userIds: ['usr_ada'],
        options: { shifts: { scheduleIds: ['sch_day'] } },
      })
      const rotating = await bridge.createFeed({
        userIds: ['usr_ada'],
        name: 'Rotation',
        options: {
          shifts: { rotation: { weeks: [['sch_day'], ['sch_late']], from: '2026-01-05' } },
        },
      })
      expect(await reasons(feed, '?date=2026-04-06&kind=schedule')).toEqual({
        sch_day: 'on_holiday: Its shifts are on public holidays, which this calendar leaves out.',
        sch_late:
          'schedule_not_chosen: It is not among the schedules of this calendar (option shifts.scheduleIds).',
      })
      expect(await reasons(rotating, '?date=2026-01-05&kind=schedule')).toEqual({
        sch_day: 'shown: It is shown.',
        sch_late:
          'not_in_rotation: The rotation of this calendar (option shifts.rotation) does not include it then.',
      })
    })
  })

  it('a task of a project that was not chosen, and one of which another project has a newer copy', async ({
    bridge,
    company,
    feedOf,
    poll,
    reasons,
  }) => {
    company.records.tasks = {
      prj_web: [task('tsk_moved', '2026-01-20', [ada]), task('tsk_web', '2026-01-20', [ada])],
      prj_x: [task('tsk_moved', '2026-01-20', [bob])],
    }
    await poll(await feedOf('usr_bob'))
    const both = await bridge.createFeed({
      userIds: ['usr_ada'],
      options: { tasks: { projectIds: ['prj_web', 'prj_x'] } },
    })
    const other = await bridge.createFeed({
      userIds: ['usr_ada'],
      name: 'Other',
      options: { tasks: { projectIds: ['prj_x'] } },
    })
    expect(await reasons(both, '?kind=task')).toEqual({
      tsk_moved:
        'newer_copy: A newer copy of the task, from another project, does not name this person.',
      tsk_web: 'shown: It is shown.',
    })
    expect(await reasons(other, '?kind=task&date=2026-01-20')).toEqual({
      tsk_moved:
        'newer_copy: A newer copy of the task, from another project, does not name this person.',
      tsk_web:
        'project_not_chosen: Its project is not among the projects of this calendar (option tasks.projectIds).',
    })
  })

  it('what finds no room in a full calendar', async ({ bridge, company, explain }) => {
    const long = 'x'.repeat(4000)
    company.records.leaves['usr_ada'] = Array.from({ length: 300 }, (_, index) => {
      const date = new Date(Date.UTC(2026, 0, 5) + index * dayMs)
      return leave(`lv_${index}`, date.toISOString().slice(0, 10), { reason: long })
    })
    const options = { leaves: { detail: 'full' } }
    const feed = await bridge.createFeed({ userIds: ['usr_ada'], options })
    const { records } = await explain(feed, '?kind=leave')
    const { text } = await pollNow(calendarUrl(feed))
    const { true: shown = [], false: left = [] } = Object.groupBy(
      records,
      ({ shown: is }) => `${is}`,
    )
    const uids = [...readCalendar(text).keys()].filter((uid) => uid.startsWith('leave-'))
    expect([records.length, new Set(shown.flatMap(({ uids: of }) => of))]).toEqual([
      300,
      new Set(uids),
    ])
    expect(new Set(left.map(({ code, reason }) => `${code}: ${reason}`))).toEqual(
      new Set(['calendar_full: The calendar is full: events nearer to today come first.']),
    )
  })
})

describe('links', () => {
  it('says on which links something is hidden', async ({ bridge, node, reasons }) => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    await bridge.api('POST', `/api/feeds/${feed.id}/links`, { label: 'family' })
    const links = await node.store.links.listLinks([feed.id])
    const choose = async (label: string, choices: object): Promise<void> => {
      const link = links.find(({ label: of }) => of === label)
      await node.store.links.changeChoices(link!, () => choices)
    }
    await choose('family', { hide: ['tasks'] })
    expect(await reasons(feed, '?kind=task&date=2026-01-20')).toEqual({
      tsk_ada: 'shown: It is shown. The holder has hidden it on the link "family".',
    })
    expect(await reasons(feed, '?kind=task&date=2026-01-20&label=family')).toEqual({
      tsk_ada: 'hidden_by_holder: The holder has hidden it on the link "family".',
    })
    await choose('default', { hide: ['tasks'] })
    expect(await reasons(feed, '?kind=task&date=2026-01-20')).toEqual({
      tsk_ada: 'hidden_by_holder: The holder has hidden it on the links "default", "family".',
    })
    await choose('default', { onlyAway: true })
    expect(await reasons(feed, '?kind=task&date=2026-01-20')).toEqual({
      tsk_ada:
        'only_away: The holder has hidden it on the link "family". It is hidden on the link "default", made to show only "Away".',
    })
    expect(await reasons(feed, '?kind=task&date=2026-01-20&label=default')).toEqual({
      tsk_ada: 'only_away: It is hidden on the link "default", made to show only "Away".',
    })
  })

  it('an ended link, and a revoked feed, show nothing', async ({ bridge, clock, reasons }) => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    await pollNow(calendarUrl(feed))
    await bridge.api('POST', `/api/feeds/${feed.id}/links`, { label: 'phone' })
    await bridge.api('DELETE', `/api/feeds/${feed.id}/links/phone`)
    const about = '?kind=leave&date=2026-01-12'
    expect(await reasons(feed, about)).toEqual({ lv_ada1: 'shown: It is shown.' })
    expect(await reasons(feed, `${about}&label=phone`)).toEqual({
      lv_ada1: 'link_ended: The link ended at 2026-01-05 12:00 UTC.',
    })
    await clock.advance(everyMinute)
    await bridge.api('DELETE', `/api/feeds/${feed.id}/links/default`)
    expect(await reasons(feed, about)).toEqual({
      lv_ada1: 'link_ended: The link ended at 2026-01-05 12:01 UTC.',
    })
    await bridge.api('DELETE', `/api/feeds/${feed.id}`)
    expect(await reasons(feed, about)).toEqual({
      lv_ada1: 'link_ended: The link ended at 2026-01-05 12:01 UTC.',
    })
  })
})

describe('the Read API', () => {
  const about = '?kind=leave&date=2026-01-12'

  it('an older copy is shown while nothing new comes, and then none', async ({
    bridge,
    clock,
    company,
    explain,
    reasons,
  }) => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    await pollNow(calendarUrl(feed))
    company.faults.set('/leaves', 500)
    await clock.advance(everyMinute)
    expect(await reasons(feed, about)).toEqual({
      lv_ada1:
        'shown_stale: It is shown as it was read at 2026-01-05 12:00 UTC; nothing newer has come since.',
    })
    const { sources } = await explain(feed)
    expect(sources.map(({ kind, state, reason }) => `${kind} ${state}: ${reason}`)).toContain(
      'leave stale: Read at 2026-01-05 12:00 UTC; no usable answer has come since.',
    )
    company.faults.set('/', 500)
    await clock.advance(8 * dayMs)
    expect(await reasons(feed, about)).toEqual({
      lv_ada1:
        'unavailable: The calendar cannot be served now; calendar programs keep what they have. The workforce system has not answered for too long.',
    })
  })

  it('while nothing can be served, promises nothing that the options leave out', async ({
    bridge,
    company,
    reasons,
  }) => {
    company.records.leaves['usr_ada']?.push(leave('lv_no', '2026-01-12', { status: 'REJECTED' }))
    company.records.schedules = [day, { ...day, id: 'sch_other' }]
    const options = { shifts: { scheduleIds: ['sch_day'] }, timesheets: { show: false } }
    const read = await bridge.createFeed({ userIds: ['usr_ada'], options })
    await pollNow(calendarUrl(read))
    company.faults.set('/timesheets', 500)
    const { scheduleIds } = options.shifts
    const feed = await bridge.createFeed({
      userIds: ['usr_ada'],
      name: 'Other',
      options: { shifts: { scheduleIds }, tasks: { show: false } },
    })
    const codes = Object.entries(await reasons(feed, '?date=2026-01-12')).map(([id, reason]) => {
      return [id, reason.split(':')[0]]
    })
    expect(Object.fromEntries(codes)).toMatchObject({
      lv_ada1: 'unavailable',
      lv_no: 'status_not_shown',
      sch_day: 'unavailable',
      sch_other: 'schedule_not_chosen',
    })
  })

  it('a copy that suddenly shrank stays until the loss is believed', async ({
    bridge,
    clock,
    company,
    reasons,
  }) => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    await pollNow(calendarUrl(feed))
    company.records.leaves['usr_ada'] = []
    await clock.advance(everyMinute)
    expect(await reasons(feed, about)).toEqual({
      lv_ada1:
        'shown_doubted: It is shown as it was read at 2026-01-05 12:00 UTC; the last answer had far fewer records, so it is being checked.',
    })
  })

  it('a record that cannot be read any more stays', async ({ bridge, clock, company, reasons }) => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    await pollNow(calendarUrl(feed))
    const [first, second] = company.records.leaves['usr_ada'] ?? []
    company.records.leaves['usr_ada'] = [{ ...first!, startDate: 'soon' }, second!]
    await clock.advance(everyMinute)
    expect(await reasons(feed, about)).toEqual({
      lv_ada1:
        'shown_unreadable: It has been unreadable since 2026-01-05 12:01 UTC; it is shown as it was before.',
    })
  })

  it('leaves without a proof are not shown, and a source says why', async ({
    bridge,
    company,
    explain,
  }) => {
    company.ignores = 'employee of leaves'
    const feed = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
    const { records, sources } = await explain(feed, '?kind=leave')
    expect(records).toEqual([])
    expect(sources.filter(({ kind }) => kind === 'leave').map(({ reason }) => reason)).toEqual(
      ['usr_ada', 'usr_bob'].map(
        (id) =>
          `The leaves of ${id} are not shown: the workforce system also gives leave for an employee who does not exist.`,
      ),
    )
  })

  it('a leave that comes for two people belongs to the first', async ({
    bridge,
    clock,
    company,
    feedOf,
    poll,
    reasons,
  }) => {
    await poll(await feedOf('usr_ada'))
    company.records.leaves['usr_bob']?.push(leave('lv_ada1', '2026-01-12'))
    const feed = await bridge.createFeed({ userIds: ['usr_bob'] })
    await clock.advance(everyMinute)
    expect(await reasons(feed, '?kind=leave')).toEqual({
      lv_bob1: 'shown: It is shown.',
      lv_ada1:
        'belongs_to_another: The workforce system also gives this leave for somebody else, and it counts as theirs.',
    })
  })

  it('a person who has left', async ({ bridge, clock, company, reasons }) => {
    company.records.users.push({ id: 'usr_cleo', firstName: 'Cleo', lastName: 'C', isActive: true })
    const own = await bridge.createFeed({ userIds: ['usr_bob'] })
    const team = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
    for (const feed of [own, team]) await pollNow(calendarUrl(feed))
    company.records.users[1] = { ...bob, isActive: false }
    await clock.advance(dayMs)
    await pollNow(calendarUrl(team))
    await bridge.settled()
    expect(await reasons(team, '?kind=leave')).toEqual({
      lv_ada1: 'shown: It is shown.',
      lv_ada2: 'shown: It is shown.',
      lv_bob1: 'person_left: The person has left.',
    })
    expect(await reasons(own, '?kind=leave')).toEqual({
      lv_bob1: 'feed_closed: This calendar was closed at 2026-01-06 12:00 UTC.',
    })
  })
})

describe('a company 25 hours ahead of the calendar', () => {
  it.override('settings', { WORKFORCE_TIMEZONE: 'Pacific/Kiritimati' })

  it('a date has what the calendar shows on it', async ({ bridge, company, reasons }) => {
    const [startDate, endDate] = ['2026-01-11T18:00:00.000Z', '2026-01-12T02:00:00.000Z']
    company.records.leaves['usr_ada'] = [leave('lv_hours', '2026-01-12', { startDate, endDate })]
    const early = { monday: { start: '00:10', end: '00:40' } }
    company.records.schedules = [{ ...day, pattern: early }]
    const userIds = ['usr_ada', 'usr_bob']
    const shifts = { show: true, scheduleIds: ['sch_day'], duringLeave: 'show' }
    const team = { userIds, timezone: 'Pacific/Niue', options: { shifts } }
    const person = await bridge.createFeed(team)
    const leaves = { as: 'day' }
    const byDay = await bridge.createFeed({ ...team, name: 'Days', options: { leaves, shifts } })
    const shown = 'shown: It is shown.'
    const saturday = { sch_day: shown }
    expect(await reasons(person, '?date=2026-01-10')).toEqual(saturday)
    expect(await reasons(person, '?date=2026-01-11')).toEqual({ lv_hours: shown })
    expect(await reasons(byDay, '?date=2026-01-10')).toEqual(saturday)
    expect(await reasons(byDay, '?date=2026-01-11')).toEqual({})
    expect(await reasons(byDay, '?date=2026-01-12')).toEqual({ lv_hours: shown })
  })
})

it('an explanation changes nothing: no publication, no ledger, no mark, no activity', async ({
  bridge,
  node,
  explain,
}) => {
  const feed = await bridge.createFeed({
    userIds: ['usr_ada'],
    options: { tasks: { projectIds: ['prj_web'] } },
  })
  const state = async () => {
    const [link] = await node.store.links.listLinks([feed.id])
    const found = await node.store.feeds.findFeed(feed.id)
    const ledger = await node.store.ledgers.findLedger(link!)
    return [link, found, ledger, await node.store.activity.listActivity([feed.id])]
  }
  const before = await state()
  await explain(feed)
  expect(await state()).toEqual(before)
})
