/* Somebody who joins a team takes nothing from the others' calendar. */
import { describe, expect } from 'vitest'

import { calendarUrl } from '../support/bridge/bridge.ts'
import { it as base } from '../support/bridge/fixtures.ts'
import { readDirectory } from '../support/bridge/node.ts'
import { leave, task } from '../support/company/people.ts'
import { anyDatabase } from '../support/database/databases.ts'

const people = ['ada', 'bob', 'cleo'].map((name) => ({
  id: `usr_${name}`,
  firstName: name,
  isActive: true,
  assignedManagerId: name === 'cleo' ? 'usr_other' : 'usr_mia',
}))
const leavesOf = (id: string): string => `leaves?userId=${id}`

describe.each(anyDatabase())('on $name', ({ createMigrated }) => {
  const it = base
    .extend('databaseUrl', () => createMigrated())
    .extend('records', ({ records }) => ({
      ...records,
      users: [...people, { id: 'usr_mia' }, { id: 'usr_other' }],
      tasks: { prj_web: [task('tsk_all', '2026-01-20', people)] },
      leaves: Object.fromEntries(people.map(({ id }) => [id, [leave(`lv_${id}`, '2026-01-12')]])),
    }))
    .extend(
      'read',
      ({ node }) =>
        () =>
          readDirectory(node),
    )

  it.for(['person', 'day'])(
    'leave of a joiner that cannot be read leaves that of the others as it is, by %s',
    async (as, { bridge, clock, company, read, poll }) => {
      await read()
      const team = { managerId: 'usr_mia' }
      const url = calendarUrl(await bridge.createFeed({ team, options: { leaves: { as } } }))
      for (let polls = 0; polls < 3; polls += 1) await poll(url)
      const before = await poll(url)
      company.faults.set(leavesOf('usr_cleo'), 500)
      company.records.users = company.records.users.map((user) => {
        return { ...user, ...(user.id === 'usr_cleo' && { assignedManagerId: 'usr_mia' }) }
      })
      await clock.advance(25 * 3_600_000)
      await read()
      const joined = await poll(url)
      expect(joined.titles).toEqual(
        as === 'day' ? ['2 of 3 away: ada, bob (1 unknown)'] : before.titles,
      )
      company.faults.clear()
      for (let polls = 0; polls < 4; polls += 1) await poll(url)
      expect((await poll(url)).titles.join()).toContain('cleo')
    },
  )

  it('leave that was shown and cannot be read any more is not taken away', async ({
    bridge,
    company,
    node,
    read,
    poll,
  }) => {
    await read()
    const feed = await bridge.createFeed({ team: { managerId: 'usr_mia' } })
    const url = calendarUrl(feed)
    for (let polls = 0; polls < 4; polls += 1) await poll(url)
    // As after a change of the base URL: nothing of its copies is kept of one of them.
    for (const { id } of node.connections.values()) {
      await node.store.copies.dropCopies(id, ['leaves:usr_bob'])
    }
    company.faults.set(leavesOf('usr_bob'), 500)
    expect((await poll(url)).status).toBe(503)
  })

  it('leaving and coming back while nothing can be served takes away nobody’s leave', async ({
    bridge,
    company,
    node,
    poll,
  }) => {
    const [userIds, others] = [['usr_ada', 'usr_bob'], ['usr_ada']]
    const feed = await bridge.createFeed({ userIds })
    const url = calendarUrl(feed)
    for (let polls = 0; polls < 4; polls += 1) await poll(url)
    for (const { id } of node.connections.values()) {
      await node.store.copies.dropCopies(id, ['leaves:usr_ada', 'leaves:usr_bob'])
    }
    for (const id of userIds) company.faults.set(leavesOf(id), 500)
    for (const members of [others, userIds]) {
      await bridge.api('PATCH', `/api/feeds/${feed.id}`, { userIds: members })
      expect((await poll(url)).status).toBe(503)
    }
    company.faults.delete(leavesOf('usr_ada'))
    for (let polls = 0; polls < 3; polls += 1) expect((await poll(url)).status).toBe(503)
    await bridge.api('PATCH', `/api/feeds/${feed.id}`, { userIds: others })
    expect((await poll(url)).titles.join()).toContain('ada')
    expect((await node.store.feeds.findFeed(feed.id))?.shownCollections).toEqual(['leaves:usr_ada'])
  })

  it('adding somebody to a calendar takes away nobody’s leave', async ({
    bridge,
    company,
    poll,
  }) => {
    const options = { leaves: { as: 'day' } }
    const feed = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'], options })
    const url = calendarUrl(feed)
    for (let polls = 0; polls < 4; polls += 1) await poll(url)
    company.faults.set(leavesOf('usr_cleo'), 403)
    const userIds = ['usr_ada', 'usr_bob', 'usr_cleo']
    expect((await bridge.api('PATCH', `/api/feeds/${feed.id}`, { userIds })).status).toBe(200)
    for (let polls = 0; polls < 3; polls += 1) {
      expect(await poll(url)).toMatchObject({
        status: 200,
        titles: ['2 of 3 away: ada, bob (1 unknown)'],
      })
    }
  })
})
