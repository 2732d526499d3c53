import { expect, it } from 'vitest'

import type { Team } from '../../src/domain/feed.ts'
import { adasFeed, departureOf, erasedPerson, linkTo, makeFeed, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `TeamStore` promises, and what erasure does to teams. */
export function testTeams({ store }: Stores): void {
  const { people, teams, feeds, departures } = store

  async function reports(companyId: string, of: Readonly<Record<string, string>>): Promise<void> {
    for (const [userId, manager] of Object.entries(of)) {
      await people.seePeople(companyId, [{ id: userId }], 1)
      const user = { id: userId, assignedManagerId: manager }
      await people.keepReading(companyId, { userId, state: 'active', user, readAt: 2 }, 9)
    }
  }

  function teamOf(managerId: string, depth: Team['depth'] = 'all'): Team {
    return { managerId, depth }
  }

  it('a team is everybody below its manager, once, though they manage each other', async () => {
    const companyId = uniqueId('company')
    await reports(companyId, { b: 'a', c: 'b', d: 'c', ä: 'c', a: 'd', z: 'z', y: 'z' })
    await reports(uniqueId('company'), { x: 'a' })
    expect(await teams.listMembers(companyId, teamOf('a', 'direct'), [])).toEqual(['b'])
    expect(await teams.listMembers(companyId, teamOf('a'), [])).toEqual(['b', 'c', 'd', 'ä'])
    expect(await teams.listMembers(companyId, teamOf('z'), [])).toEqual(['y'])
    expect(await teams.listMembers(companyId, teamOf('nobody'), [])).toEqual([])
  })

  it('managers are listed by name, with how many report to them and have not left', async () => {
    const companyId = uniqueId('company')
    await reports(companyId, { b: 'a', c: 'b', d: 'b', e: 'gone', a: 'a', f: 'nobody' })
    const ofB = { userId: 'b', state: 'active', readAt: 3 } as const
    const user = { id: 'b', firstName: 'Bea', lastName: 'Änders', assignedManagerId: 'a' }
    await people.keepReading(companyId, { ...ofB, user }, 9)
    const departure = { ...departureOf(companyId, 'e'), leftAt: 5 }
    await departures.keepDeparture(departure)
    const list = async (query: object): Promise<readonly (readonly [string, number])[]> => {
      const found = await teams.listManagers(companyId, { limit: 9, ...query }, [])
      return found.map(({ userId, reports: count }) => [userId, count])
    }
    const all = await teams.listManagers(companyId, { limit: 9 }, [])
    expect(await list({})).toEqual([
      ['a', 1],
      ['b', 2],
      ['nobody', 1],
    ])
    expect(await list({ limit: 1, after: all[0] })).toEqual([['b', 2]])
    expect(await list({ search: 'änd' })).toEqual([['b', 2]])
    expect(await list({ search: 'NOBO' })).toEqual([['nobody', 1]])
    expect(await list({ search: 'gone' })).toEqual([])
  })

  it('members are described by name, and no more than asked for', async () => {
    const companyId = uniqueId('company')
    await reports(companyId, { b: 'a', c: 'b' })
    const user = { id: 'c', firstName: 'Abe', lastName: 'Ames', assignedManagerId: 'b' }
    await people.keepReading(companyId, { userId: 'c', state: 'active', user, readAt: 3 }, 9)
    const found = await teams.describeMembers(companyId, teamOf('a'), [], 9)
    expect(found.map(({ userId, lastName }) => [userId, lastName])).toEqual([
      ['c', 'Ames'],
      ['b', null],
    ])
    expect(await teams.describeMembers(companyId, teamOf('a'), [], 1)).toHaveLength(1)
    expect(await teams.describeMembers(companyId, teamOf('a', 'direct'), [], 9)).toHaveLength(1)
  })

  it('somebody who has left is no member, but their reports stay', async () => {
    const companyId = uniqueId('company')
    await reports(companyId, { b: 'a', c: 'b', d: 'b' })
    const missing = departureOf(companyId, 'b')
    await departures.keepDeparture({ ...missing, leftAt: 5 })
    await departures.keepDeparture(departureOf(companyId, 'c'))
    expect(await teams.listMembers(companyId, teamOf('a'), [])).toEqual(['c', 'd'])
    expect(await teams.findManagerState(companyId, 'b')).toBe('left')
    expect(await teams.findManagerState(companyId, 'a')).toBe('here')
    expect(await teams.findManagerState(companyId, 'x')).toBe('unknown')
  })

  it('somebody with a record that names no manager any more is a member only if kept', async () => {
    const companyId = uniqueId('company')
    await reports(companyId, { b: 'a', c: 'b', d: 'a' })
    const user = { id: 'b' }
    await people.keepReading(companyId, { userId: 'b', state: 'active', user, readAt: 3 }, 9)
    expect(await teams.findLostManagers(companyId)).toEqual({
      people: [{ userId: 'b', managerId: 'a', since: 3, reporting: 2 }],
      reporting: 3,
    })
    expect(await teams.listMembers(companyId, teamOf('a'), [])).toEqual(['d'])
    expect(await teams.listMembers(companyId, teamOf('a'), ['b'])).toEqual(['b', 'c', 'd'])
    expect(await teams.countReporting(companyId)).toBe(3)
  })

  it('finds the open feeds of the teams that somebody is in', async () => {
    const companyId = uniqueId('company')
    await reports(companyId, { b: 'a', c: 'b', a: 'c', y: 'z' })
    const ofTeam = async (managerId: string, changes: object = {}): Promise<string> => {
      const team = teamOf(managerId)
      return (
        await makeFeed(store, { companyId, userIds: [], team, audience: 'others', ...changes })
      ).id
    }
    const [a, b] = [await ofTeam('a'), await ofTeam('b')]
    const z = await ofTeam('z')
    await ofTeam('a', { revokedAt: 1 })
    await ofTeam('a', { closedAt: 1, closedBecause: 'another_person' })
    await makeFeed(store, { companyId, userIds: ['a'] })
    expect(await teams.listFeedsAbove(companyId, ['c'])).toEqual([a, b].toSorted())
    expect(await teams.listFeedsAbove(companyId, ['y', 'nobody'])).toEqual([z])
    expect(await teams.listFeedsAbove(companyId, [])).toEqual([])
    expect(await teams.listTeamFeeds(companyId)).toEqual([a, b, z].toSorted())
    expect(await teams.listTeamFeeds(companyId, 'a')).toEqual([a])
    expect(await teams.listTeamFeeds(uniqueId('company'))).toEqual([])
  })

  it('erasing a manager removes the feed of their team, erasing a member takes them out', async () => {
    const companyId = uniqueId('company')
    await reports(companyId, { b: 'a', c: 'b' })
    const of = { companyId, audience: 'others' } as const
    const above = await makeFeed(store, { ...of, userIds: ['b'], team: teamOf('a') })
    const own = await makeFeed(store, { ...of, userIds: ['c'], team: teamOf('b') })
    const erased = erasedPerson({ companyId, userId: 'b' })
    const { removed, changed } = await store.erasure.deletePerson(erased)
    expect(removed.map(({ id }) => id)).toEqual([own.id])
    expect(changed.map(({ id }) => id)).toEqual([above.id])
    expect(await feeds.findFeed(own.id)).toBeUndefined()
    expect(await feeds.findFeed(above.id)).toMatchObject({ userIds: [], team: teamOf('a') })
  })

  it('a team brings no erased person back into the directory', async () => {
    const companyId = uniqueId('company')
    await reports(companyId, { b: 'a' })
    await store.erasure.deletePerson(erasedPerson({ companyId, userId: 'b' }))
    const of = { companyId, audience: 'others' } as const
    await makeFeed(store, { ...of, userIds: ['b'], team: teamOf('a') })
    await people.seeMembers(companyId, 3)
    expect(await people.findPerson(companyId, 'b')).toBeUndefined()
    await makeFeed(store, { ...of, userIds: ['b'] })
    await people.seeMembers(companyId, 3)
    expect(await people.findPerson(companyId, 'b')).toMatchObject({ seenAt: 3 })
  })

  it('no row of a table matches the feed of a team', async () => {
    const companyId = uniqueId('company')
    const like = {
      companyId,
      userIds: ['b'],
      name: 'Team',
      namedAfter: null,
      audience: 'others',
    } as const
    await makeFeed(store, { ...like, team: teamOf('a') })
    const feed = adasFeed(like)
    const link = linkTo(feed)
    expect(await feeds.createMissingFeeds([{ feed, link }])).toEqual(new Set([feed.id]))
  })
}
