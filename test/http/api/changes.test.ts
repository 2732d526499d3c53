/* Changing a feed. */
import { expect } from 'vitest'

import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { calendarUrl } from '../../support/bridge/bridge.ts'
import { it } from '../../support/bridge/test-api.ts'

it('a patch merges options, null restores the default, and no link address changes', async ({
  api: { ask, poll, ada },
}) => {
  const feed = await ada()
  const patch = { name: 'Mine', options: { leaves: { detail: 'full' }, tasks: { show: false } } }
  const [status, changed] = await ask('PATCH', `/api/feeds/${feed.id}`, patch)
  expect(status).toBe(200)
  outputSchemas.Feed.parse(changed)
  expect(changed).toMatchObject(patch)
  const [, again] = await ask('PATCH', `/api/feeds/${feed.id}`, {
    name: null,
    options: { leaves: { detail: null } },
  })
  expect(again).toMatchObject({
    name: "Ada's work calendar",
    options: { leaves: { detail: 'type' }, tasks: { show: false } },
  })
  const [, reset] = await ask('PATCH', `/api/feeds/${feed.id}`, { options: null })
  expect(reset.options).toEqual(feed['options'])
  expect((await poll(calendarUrl(feed)))[0]).toBe(200)
})

it('people are accepted with a warning and names are kept while the Read API is down', async ({
  api: { company, clock, bridge, ask, ada },
}) => {
  const own = await ada()
  const team = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
  company.faults.set('/users/', 500)
  const [nameless] = await ask('PATCH', `/api/feeds/${own.id}`, { name: null })
  const [status, changed] = await ask('PATCH', `/api/feeds/${team.id}`, { userIds: ['usr_typo'] })
  company.faults.clear()
  await clock.advance(600_000)
  expect([nameless, status]).toEqual([503, 200])
  outputSchemas.CreatedFeed.parse(changed)
  expect(changed.warnings).toMatchObject([expect.stringContaining('could not be checked')])
  expect((await ask('GET', `/api/feeds/${own.id}`))[1].name).toBe("Ada's work calendar")
})

it('schedules are chosen again only after they have been removed', async ({
  api: { company, bridge, ask },
}) => {
  company.records.schedules.push({ id: 'sch_other', isActive: false })
  const feed = await bridge.createFeed({
    userIds: ['usr_ada'],
    options: { shifts: { scheduleIds: ['sch_other'] } },
  })
  const [, changed] = await ask('PATCH', `/api/feeds/${feed.id}`, {
    options: { shifts: { duringLeave: 'show' } },
  })
  expect(changed.options.shifts.scheduleIds).toEqual(['sch_other'])
  const [, taken] = await ask('PATCH', `/api/feeds/${feed.id}`, {
    options: { shifts: { scheduleIds: null } },
  })
  expect(taken.options.shifts.scheduleIds).toEqual(['sch_day'])
})

it('removed schedules are filled in at once, or at the next poll if they cannot be read', async ({
  api: { company, clock, ask, poll, ada },
}) => {
  const feed = await ada()
  const takeAway = (options: object | null): ReturnType<typeof ask> =>
    ask('PATCH', `/api/feeds/${feed.id}`, { options })
  company.faults.set('/schedules', 500)
  for (const options of [null, { shifts: null }, { shifts: { scheduleIds: null } }]) {
    const [status, changed] = await takeAway(options)
    expect([status, changed.options.shifts.scheduleIds]).toEqual([200, null])
    outputSchemas.CreatedFeed.parse(changed)
    expect(changed.warnings).toMatchObject([expect.stringContaining('schedules could not be read')])
  }
  const [, hidden] = await takeAway({ shifts: { show: false, scheduleIds: null } })
  expect(hidden).not.toHaveProperty('warnings')
  company.faults.clear()
  await clock.advance(600_000)
  const [, renamed] = await ask('PATCH', `/api/feeds/${feed.id}`, { name: 'Mine', options: {} })
  expect(renamed.options.shifts.scheduleIds).toBeNull()
  const [, taken] = await takeAway({ shifts: null })
  expect(taken.options.shifts.scheduleIds).toEqual(['sch_day'])
  expect((await poll(calendarUrl(feed)))[0]).toBe(200)
})

it.for([
  [{ scheduleIds: ['sch_day', 'sch_typo'] }, '/options/shifts/scheduleIds/1'],
  [
    { rotation: { weeks: [[], ['sch_typo']], from: '2026-01-05' } },
    '/options/shifts/rotation/weeks/1/0',
  ],
] as const)(
  '%j is refused because it names an unknown schedule',
  async ([shifts, pointer], { api: { bridge, ask, ada } }) => {
    const { id, options } = await ada()
    const fault = {
      pointer,
      detail: expect.stringContaining('There is no schedule "sch_typo", only '),
    }
    const [patched, problem] = await ask('PATCH', `/api/feeds/${id}`, { options: { shifts } })
    expect([patched, problem.errors]).toEqual([400, [fault]])
    expect((await ask('GET', `/api/feeds/${id}`))[1].options).toEqual(options)
    const made = await bridge.api('POST', '/api/feeds', [
      { userIds: ['usr_ada'], options: { shifts } },
    ])
    expect(made.status).toBe(400)
    const atIndex = { ...fault, pointer: `/0${pointer}` }
    expect(((await made.json()) as { errors: unknown }).errors).toEqual([atIndex])
  },
)

it('a fault names some of the existing schedules', async ({ api: { company, ask, ada } }) => {
  const { id } = await ada()
  const { schedules } = company.records
  const detailWith = async (ids: readonly string[]): Promise<unknown> => {
    company.records.schedules = ids.map((known) => ({ id: known }))
    const options = { shifts: { scheduleIds: ['sch_x'] } }
    const [, problem] = await ask('PATCH', `/api/feeds/${id}`, { options })
    return problem.errors[0]?.detail
  }
  expect(await detailWith(['a'])).toBe('There is no schedule "sch_x", only a.')
  expect(await detailWith(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe(
    'There is no schedule "sch_x", only c, a, b, d, e and 2 more.',
  )
  expect(await detailWith([])).toBe('There is no schedule "sch_x", nor any other.')
  company.records.schedules = schedules
})

it('a schedule deleted later stays in the feed, but cannot be set again', async ({
  api: { company, bridge, ask },
}) => {
  company.records.schedules.push({ id: 'sch_gone' })
  const shifts = { scheduleIds: ['sch_gone'] }
  const feed = await bridge.createFeed({ userIds: ['usr_ada'], options: { shifts } })
  company.records.schedules = company.records.schedules.filter(({ id }) => id !== 'sch_gone')
  const change = { options: { shifts: { duringLeave: 'show' } } }
  const [status, changed] = await ask('PATCH', `/api/feeds/${feed.id}`, change)
  expect([status, changed.options.shifts.scheduleIds]).toEqual([200, ['sch_gone']])
  expect((await ask('PATCH', `/api/feeds/${feed.id}`, { options: { shifts } }))[0]).toBe(400)
})

it('any schedules are accepted with a warning while schedules cannot be read', async ({
  api: { company, clock, bridge, ask },
}) => {
  company.faults.set('/schedules', 500)
  const shifts = { scheduleIds: ['sch_typo'] }
  const feed = await bridge.createFeed({ userIds: ['usr_bob'], options: { shifts } })
  const warnings = [expect.stringContaining('The schedules could not be checked')]
  expect(feed).toMatchObject({ options: { shifts }, warnings })
  const [, changed] = await ask('PATCH', `/api/feeds/${feed.id}`, { options: { shifts } })
  expect(changed).toMatchObject({ options: { shifts }, warnings })
  company.faults.clear()
  await clock.advance(600_000)
})

it('the people of a feed for others can change, the person of an own feed cannot', async ({
  api: { bridge, ask, ada },
}) => {
  const team = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
  const [status, changed] = await ask('PATCH', `/api/feeds/${team.id}`, { userIds: ['usr_bob'] })
  expect([status, changed.userIds, changed.audience]).toEqual([200, ['usr_bob'], 'others'])
  const own = await ada()
  const [refused, problem] = await ask('PATCH', `/api/feeds/${own.id}`, { userIds: ['usr_bob'] })
  expect([refused, problem.errors[0]?.pointer]).toEqual([400, '/userIds'])
})

it.for([
  [{ options: { tasks: { colour: 'red' } } }, '/options/tasks/colour'],
  [{ options: { window: { pastDays: 'many' } } }, '/options/window/pastDays'],
  [{ audience: 'others' }, '/audience'],
  [{ companyId: 'else' }, '/companyId'],
  [{ timezone: '+02:00' }, '/timezone'],
  [{ 'a/b~c': 1 }, '/a~1b~0c'],
] as const)('%j answers 400 at %s', async ([patch, pointer], { api: { ask, ada } }) => {
  const { id } = await ada()
  const [status, problem] = await ask('PATCH', `/api/feeds/${id}`, patch)
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ pointer }])
})

it('an inactive or partly unreadable schedule is accepted with a warning', async ({
  api: { company, bridge, ask, ada },
}) => {
  const { id } = await ada()
  const { schedules } = company.records
  company.records.schedules = [
    ...schedules,
    { id: 'sch_off', isActive: false },
    { id: 'sch_odd', pattern: 'nights' },
    { id: 'sch_huge', pattern: { MONDAY: Array(10_001).fill(0) } },
  ]
  const scheduleIds = ['sch_day', 'sch_off', 'sch_odd', 'sch_huge']
  const options = { shifts: { scheduleIds } }
  const [status, changed] = await ask('PATCH', `/api/feeds/${id}`, { options })
  const made = await bridge.api('POST', '/api/feeds', {
    userIds: ['usr_bob'],
    name: 'Odd schedules',
    options,
  })
  company.records.schedules = schedules
  const warnings = [
    expect.stringMatching(/^These schedules are not active .*: sch_off\.$/),
    expect.stringMatching(/^The records of these schedules cannot be read.*: sch_odd, sch_huge\.$/),
  ]
  expect([status, changed]).toMatchObject([200, { warnings, options: { shifts: { scheduleIds } } }])
  expect([made.status, await made.json()]).toMatchObject([201, { warnings }])
})
