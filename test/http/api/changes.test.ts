/* Changing a feed. */
import { expect } from 'vitest'

import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { calendarUrl } from '../../support/bridge.ts'
import { it } from '../../support/test-api.ts'

it('merges what is there, takes defaults for null, and no address changes', async ({
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

it('while the Read API is down people are taken with a warning, and no name is lost', async ({
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

it('schedules are never chosen again unless they are taken away', async ({
  api: { bridge, ask },
}) => {
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

it('a feed made while schedules could not be read gets them once they are taken away', async ({
  api: { company, clock, bridge, ask },
}) => {
  company.faults.set('/schedules', 500)
  const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
  company.faults.clear()
  await clock.advance(600_000)
  const [, renamed] = await ask('PATCH', `/api/feeds/${feed.id}`, { name: 'Mine', options: {} })
  expect(renamed.options.shifts.scheduleIds).toEqual([])
  const [, taken] = await ask('PATCH', `/api/feeds/${feed.id}`, { options: { shifts: null } })
  expect(taken.options.shifts.scheduleIds).toEqual(['sch_day'])
})

it('people of a feed for others change, the person of an own feed does not', async ({
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
] as const)('%j is 400 at %s', async ([patch, pointer], { api: { ask, ada } }) => {
  const { id } = await ada()
  const [status, problem] = await ask('PATCH', `/api/feeds/${id}`, patch)
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ pointer }])
})
