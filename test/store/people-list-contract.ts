import fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import { expect, inject, it } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import {
  type ListedPerson,
  listedStates,
  missingFeeds,
  type PeopleFilter,
  type PeopleGroup,
  peopleGroups,
  type PeoplePlace,
} from '../../src/domain/people-list.ts'
import { sortNameOf } from '../../src/domain/person.ts'
import { dayMs } from '../../src/domain/world.ts'
import { peopleListStore } from '../../src/store/people-list.ts'
import { columnNames, type StoreTables } from '../../src/store/tables.ts'
import { departureOf, linkTo, makeFeed, readingOf, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

const names = [undefined, 'Özil', 'ozil', 'ANNA', 'anna maría', '张', 'Straße']
const ids = ['usr_a', 'USR_A', 'usr_ö', 'usr_10', 'usr_%']

const user = fc.record({
  firstName: fc.constantFrom(...names),
  lastName: fc.constantFrom(...names),
  email: fc.constantFrom(undefined, 'Anna@Example.com', '10@example.org'),
})
const step = fc.record({
  userId: fc.constantFrom(...ids),
  what: fc.constantFrom('see', 'read', 'left', 'misnamed', 'hold', 'settle', 'feed', 'poll'),
  user,
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** What `PeopleListStore` promises. */
export function testPeopleList({ url, store }: Stores): void {
  const { people, newcomers, peopleList } = store

  async function take(companyId: string, taken: Step): Promise<void> {
    const { userId, what } = taken
    const of = { companyId, userId }
    const record = { id: userId, ...taken.user }
    const reading = { userId, readAt: 5 } as const
    const steps: Record<Step['what'], () => Promise<unknown>> = {
      see: () => people.seePeople(companyId, [record], 1),
      read: () => people.keepReading(companyId, { ...reading, state: 'active', user: record }, 9),
      left: () => people.keepReading(companyId, { ...reading, state: 'user_missing' }, 9),
      misnamed: () => people.keepReading(companyId, { ...reading, state: 'misnamed' }, 9),
      hold: () => newcomers.addNewcomer({ ...of, since: 1, readAt: 1, confirmedAt: null }),
      settle: () => newcomers.settleNewcomer(of, 'same'),
      feed: () => makeFeed(store, { companyId, userIds: [userId] }),
      poll: async () => {
        const feed = await makeFeed(store, { companyId, userIds: [userId] })
        const link = linkTo(feed, { label: 'phone' })
        await store.links.createLink(link)
        await store.activity.addActivity([
          {
            tokenHash: link.tokenHash,
            client: 'google',
            firstPolledAt: 1,
            lastPolledAt: 1,
            lastStatus: 200,
            polls: 1,
            hasChangeOf: null,
          },
        ])
      },
    }
    await steps[what]()
  }

  async function everyPage(filter: Omit<PeopleFilter, 'limit'>): Promise<readonly ListedPerson[]> {
    const found: ListedPerson[] = []
    for (let after: PeoplePlace | undefined; ;) {
      const page = await peopleList.list({ ...filter, after, limit: 2 })
      found.push(...page)
      if (page.length < 2) return found
      after = page.at(-1)
    }
  }

  it('any history: all people by name, page by page, and each filter finds just those it names', async () => {
    const histories = fc.array(step, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        const companyId = uniqueId('company')
        const own = new Map<string, boolean>()
        for (const taken of steps) {
          await take(companyId, taken)
          const { userId, what } = taken
          if (what === 'feed') own.set(userId, own.get(userId) ?? false)
          if (what === 'poll') own.set(userId, true)
        }
        const known = await people.listPeople(companyId)
        const byName = known
          .map((person) => ({ ...person, sortName: sortNameOf(person) }))
          .toSorted((a, b) => compare(a.sortName, b.sortName) || compare(a.userId, b.userId))
        const all = await everyPage({ companyId })
        expect(all.map(({ userId, sortName }) => [userId, sortName])).toEqual(
          byName.map(({ userId, sortName }) => [userId, sortName]),
        )
        for (const state of listedStates) {
          expect(await everyPage({ companyId, state })).toEqual(
            all.filter((person) => person.state === state),
          )
        }
        for (const feed of missingFeeds) {
          const polled = feed === 'none' ? undefined : false
          expect(await everyPage({ companyId, feed })).toEqual(
            all.filter(({ userId }) => own.get(userId) === polled),
          )
        }
        for (const search of ['ÖZIL', 'Ann', 'SR_1', '@example.com', '%', 'strasse', '张']) {
          const found = await everyPage({ companyId, search })
          expect([search, found]).toEqual([
            search,
            all.filter((person) => holdsText(person, search)),
          ])
        }
      }),
      { numRuns: inject('isThorough') ? 100 : 8 },
    )
  })

  /** When the groups are looked for; `day` is how many days before. */
  const now = 1000 * dayMs
  const takenOf = {
    userId: fc.constantFrom('usr_a', 'usr_b', 'usr_c'),
    what: fc.constantFrom(
      ...(['read', 'leave', 'misname', 'hold', 'depart', 'make', 'revoke', 'poll'] as const),
      ...(['poll', 'mail', 'refuse', 'dispute'] as const),
    ),
    client: fc.constantFrom('google', 'apple', 'browser'),
    day: fc.constantFrom(0, 13, 14, 15, 29, 31),
    polls: fc.constantFrom(1, 3),
  } as const
  const groupStep = fc.record(takenOf)
  type GroupStep = typeof groupStep extends fc.Arbitrary<infer T> ? T : never

  /** What is known of somebody, as HR would tell it. */
  interface Known {
    state: 'active' | 'left' | 'held' | 'misnamed'
    isHeldBack: boolean
    isDisputed: boolean
    readonly feeds: {
      readonly id: string
      isOpen: boolean
      isPolled: boolean
      readonly polls: { client: string; at: number; polls: number }[]
      /** Of mails: whether they were taken, the last one last. */
      readonly mails: { readonly at: number; readonly isTaken: boolean }[]
    }[]
  }

  function groupsOf({ state, isHeldBack, isDisputed, feeds }: Known): readonly PeopleGroup[] {
    const open = feeds.filter(({ isOpen }) => isOpen)
    const programs = open.flatMap(({ polls }) => polls.filter(({ client }) => client !== 'browser'))
    const wasRefused = open.some(({ mails }) => {
      const taken = Math.max(-1, ...mails.filter(({ isTaken }) => isTaken).map(({ at }) => at))
      return mails.some(({ isTaken, at }) => !isTaken && at > taken && at >= now - 30 * dayMs)
    })
    const has: Record<PeopleGroup, boolean> = {
      'no-calendar': state === 'active' && open.length === 0,
      'never-subscribed': open.length > 0 && open.every(({ isPolled }) => !isPolled),
      quiet:
        programs.some(({ polls }) => polls >= 3) &&
        programs.every(({ at }) => at < now - 14 * dayMs),
      trouble: state === 'held' || state === 'misnamed' || isHeldBack || isDisputed || wasRefused,
      left: state === 'left',
    }
    return peopleGroups.filter((group) => has[group])
  }

  async function takeInGroup(
    of: { readonly companyId: string; readonly connectionId: string },
    known: Known,
    { userId: id, what, client, day, polls }: GroupStep,
  ): Promise<void> {
    const { companyId, connectionId } = of
    const userId = `${id}_${companyId}`
    const person = { companyId, userId }
    const at = now - day * dayMs
    const feed = known.feeds.find(({ isOpen }) => isOpen)
    const reading = { userId, readAt: 5 } as const
    if (what === 'read' || what === 'leave' || what === 'misname') {
      const state = { read: 'active', leave: 'user_missing', misname: 'misnamed' } as const
      await people.keepReading(
        companyId,
        { ...reading, state: state[what], user: { id: userId } },
        9,
      )
      if (known.state !== 'held') {
        known.state = what === 'read' ? 'active' : what === 'leave' ? 'left' : 'misnamed'
      }
    } else if (what === 'hold') {
      await newcomers.addNewcomer({ ...person, since: 1, readAt: 1, confirmedAt: null })
      known.state = 'held'
    } else if (what === 'depart') {
      await store.departures.keepDeparture({ ...departureOf(companyId, userId), isHeldBack: true })
      known.isHeldBack = true
    } else if (what === 'dispute') {
      const leaveId = `lv_${userId}`
      for (const claimant of [userId, 'usr_somebody_else']) {
        const read = readingOf(claimant, { companyId, present: [leaveId] })
        await store.proofs.noteReading(connectionId, read)
      }
      known.isDisputed = true
    } else if (what === 'make') {
      const made = await makeFeed(store, { companyId, userIds: [userId] })
      known.feeds.push({ id: made.id, isOpen: true, isPolled: false, polls: [], mails: [] })
    } else if (!feed) {
      return
    } else if (what === 'revoke') {
      await store.feeds.changeFeed(feed.id, (open) => ({ ...open, revokedAt: now }))
      feed.isOpen = false
    } else if (what === 'poll') {
      const [link] = await store.links.listLinks([feed.id])
      const asked = { client, firstPolledAt: at, lastPolledAt: at, lastStatus: 200, polls } as const
      const tokenHash = link?.tokenHash ?? new Uint8Array()
      await store.activity.addActivity([{ ...asked, tokenHash, hasChangeOf: null }])
      const before = feed.polls.find((last) => last.client === client)
      if (before) {
        before.at = Math.max(before.at, at)
        before.polls += polls
      } else feed.polls.push({ client, at, polls })
      feed.isPolled ||= client !== 'browser'
    } else {
      const action = what === 'mail' ? 'mail_sent' : 'mail_refused'
      const subject = { companyId, feedId: feed.id, userIds: [userId], label: 'default' }
      await store.audit.addEntry({ at, actor: 'bridge', action }, subject)
      feed.mails.push({ at, isTaken: what === 'mail' })
    }
  }

  it('any history: each group finds and counts just those who are in it', async () => {
    const histories = fc.array(groupStep, { minLength: 1, maxLength: 16 })
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        const of = { companyId: uniqueId('company'), connectionId: uniqueId('connection') }
        const known = new Map<string, Known>()
        for (const id of ['usr_a', 'usr_b', 'usr_c']) {
          const userId = `${id}_${of.companyId}`
          await people.seePeople(of.companyId, [{ id: userId }], 1)
          const nothing = { isHeldBack: false, isDisputed: false, feeds: [] }
          known.set(id, { state: 'active', ...nothing })
        }
        for (const taken of steps) await takeInGroup(of, known.get(taken.userId)!, taken)
        const counted = await peopleList.countGroups({ ...of, now })
        for (const name of peopleGroups) {
          const found = await everyPage({ ...of, group: { ...of, name, now } })
          const expected = [...known].filter(([, who]) => groupsOf(who).includes(name))
          expect([name, found.map(({ userId }) => userId), counted[name]]).toEqual([
            name,
            expected.map(([id]) => `${id}_${of.companyId}`),
            expected.length,
          ])
        }
      }),
      { numRuns: inject('isThorough') ? 200 : 15 },
    )
  })

  it('an id is found as it is written, and in the usual other cases', async () => {
    const companyId = uniqueId('company')
    const written = ['USR_ÖZ', 'usr_öz']
    await people.seePeople(
      companyId,
      written.map((id) => ({ id, firstName: 'Anna' })),
      1,
    )
    for (const [search, found] of [
      ['USR_ÖZ', ['USR_ÖZ', 'usr_öz']],
      ['usr_ÖZ', ['USR_ÖZ', 'usr_öz']],
      ['usr_öz', ['usr_öz']],
    ] as const) {
      const page = await peopleList.list({ companyId, search, limit: 9 })
      expect([search, page.map(({ userId }) => userId)]).toEqual([search, found])
    }
  })

  it('a page is full although somebody on it is erased while it is read', async () => {
    const companyId = uniqueId('company')
    const known = ['usr_a', 'usr_b', 'usr_c'].map((id) => ({ id }))
    await people.seePeople(companyId, known, 1)
    await using database = await openStoreDatabase(url)
    let isErased = false
    const erasing: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (isErased) return result
        isErased = true
        const rows = database.queries.deleteFrom('people').where('userId', '=', 'usr_a')
        await rows.where('companyId', '=', companyId).execute()
        return result
      },
    }
    const queries = database.queries.withPlugin(erasing)
    const page = await peopleListStore({ ...database, queries }).list({ companyId, limit: 2 })
    expect(page.map(({ userId }) => userId)).toEqual(['usr_b', 'usr_c'])
  })

  it('names the manager, and whether somebody left with too many others', async () => {
    const companyId = uniqueId('company')
    const assignedManager = { id: 'usr_mia', firstName: 'Mia' }
    const record = { id: 'usr_ada', firstName: 'Ada', assignedManager }
    await people.seePeople(companyId, [{ id: 'usr_ada' }], 1)
    const reading = { userId: 'usr_ada', state: 'user_inactive', user: record, readAt: 5 } as const
    await people.keepReading(companyId, reading, 9)
    const departure = { companyId, userId: 'usr_ada', because: 'user_inactive', since: 1 } as const
    const undecided = { readAt: 1, leftAt: null, wasHere: true, isCleared: false }
    await store.departures.keepDeparture({ ...departure, ...undecided, isHeldBack: true })
    expect(await peopleList.list({ companyId, limit: 1 })).toMatchObject([
      { state: 'left', isHeldBack: true, manager: { id: 'usr_mia', firstName: 'Mia' } },
    ])
  })

  it('counts disputed and refused leaves', async () => {
    const connectionId = uniqueId('connection')
    const [ada, bob] = [uniqueId('usr_ada'), uniqueId('usr_bob')]
    await store.proofs.noteReading(connectionId, readingOf(ada, { present: ['lv_1', 'lv_2'] }))
    await store.proofs.noteReading(connectionId, readingOf(bob, { present: ['lv_1'] }))
    await store.proofs.noteReading(connectionId, readingOf(ada, { absent: ['lv_2'], isGone: true }))
    expect(await peopleList.countClaims(connectionId, [ada, bob])).toEqual(
      new Map([
        [ada, { disputed: 1, refused: 1 }],
        [bob, { disputed: 1, refused: 0 }],
      ]),
    )
  })
}

async function openStoreDatabase(url: string) {
  const database = await openDatabase<StoreTables>(url, { plugins: columnNames })
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function holdsText({ sortName, userId, email }: ListedPerson, search: string): boolean {
  const text = search.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase()
  return [sortName.toUpperCase(), userId.toUpperCase(), email?.toUpperCase()].some((value) =>
    value?.includes(text),
  )
}
