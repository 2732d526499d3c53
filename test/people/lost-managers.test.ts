/* A record that names no manager may be a fault of the Read API: then nobody leaves their team. */
import { expect } from 'vitest'

import { calendarUrl } from '../support/bridge/bridge.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { readDirectory } from '../support/bridge/node.ts'
import { task } from '../support/company/people.ts'

const hourMs = 3_600_000

/** Ten teams of three. */
const people = Array.from({ length: 30 }, (_, number) => ({
  id: `usr_${number}`,
  firstName: `Name${number}`,
  lastName: 'Last',
  isActive: true,
  assignedManagerId: `manager_${Math.floor(number / 3)}`,
}))
const team = { managerId: 'manager_0' }
const members = ['usr_0', 'usr_1', 'usr_2']

const it = base
  .extend('records', ({ records }) => ({
    ...records,
    users: [...people, { id: 'manager_0' }],
    tasks: { prj_web: [task('tsk_all', '2026-01-20', people)] },
  }))
  .extend(
    'read',
    ({ node }) =>
      () =>
        readDirectory(node),
  )
  .extend('followed', async ({ bridge, clock, read }) => {
    await read()
    const feed = await bridge.createFeed({ team })
    await pollNow(calendarUrl(feed))
    // Then everybody is due.
    await clock.advance(13 * hourMs)
    const view = async (): Promise<unknown> =>
      (await bridge.api('GET', `/api/feeds/${feed.id}`)).json()
    return { url: calendarUrl(feed), view }
  })

it('one record without a manager takes nobody out of their team', async ({
  bridge,
  company,
  followed,
}) => {
  const { url, view } = followed
  // A cache answers for one of them without a manager, but not the Read API behind it.
  company.records.users = people.map(({ assignedManagerId: _, ...person }) => person)
  await fetch(`${company.url}/api/public/v1/users/usr_0`)
  company.records.users = [...people]
  company.cachesUsers = true
  await pollNow(url)
  await bridge.settled()
  expect(await view()).toMatchObject({ userIds: members })
})

it('people who lost their manager to a fault are back in their team an hour later', async ({
  bridge,
  clock,
  company,
  followed,
  read,
}) => {
  const { url, view } = followed
  company.records.users = people.map(({ assignedManagerId, ...person }) => {
    return person.id === 'usr_0' ? person : { ...person, assignedManagerId }
  })
  await pollNow(url)
  await bridge.settled()
  expect(await view()).toMatchObject({ userIds: members.slice(1) })
  company.records.users = [...people]
  await clock.advance(hourMs)
  await read()
  expect(await view()).toMatchObject({ userIds: members })
})

it('most of a small team stay in it for a week when polls alone find them without a manager', async ({
  bridge,
  clock,
  company,
  followed,
  read,
}) => {
  const { url, view } = followed
  company.records.users = people.map(({ assignedManagerId: _, ...person }) => person)
  await pollNow(url)
  await bridge.settled()
  expect(await view()).toMatchObject({ userIds: members })
  for (let days = 0; days < 8; days += 1) {
    await clock.advance(25 * hourMs)
    await read()
  }
  expect(await view()).toMatchObject({ userIds: [] })
})

it('two of two who lost their managers leave their teams once a third has one', async ({
  bridge,
  clock,
  company,
  read,
}) => {
  const withManager = (...ids: readonly string[]): void => {
    const users = people.map(({ assignedManagerId, ...person }) => {
      return ids.includes(person.id) ? { ...person, assignedManagerId } : person
    })
    company.records.users = [...users, { id: 'manager_0' }]
  }
  withManager('usr_0', 'usr_3')
  await read()
  const { id } = await bridge.createFeed({ team })
  const membersAfterADay = async (): Promise<unknown> => {
    await clock.advance(25 * hourMs)
    await read()
    const answer = await bridge.api('GET', `/api/feeds/${id}`)
    return ((await answer.json()) as Record<string, unknown>)['userIds']
  }
  withManager()
  expect(await membersAfterADay()).toEqual(['usr_0'])
  withManager('usr_6')
  expect(await membersAfterADay()).toEqual([])
})
