/* Calendars for others over real HTTP: days on which somebody is away, and leave that stays private. */
import { expect } from 'vitest'

import { type Copy, contentHashOf } from '../../src/domain/copy.ts'
import { calendarUrl } from '../support/bridge/bridge.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { leave } from '../support/company/people.ts'
import { jsonOf } from '../support/web/api-answer.ts'

const team = { userIds: ['usr_ada', 'usr_bob'], name: 'Team' }

const it = base
  .extend('teamFeed', ({ bridge }) => async (leaves: object): Promise<string> => {
    return calendarUrl(await bridge.createFeed({ ...team, options: { leaves } }))
  })
  /** Ada's leave, of that kind. */
  .extend('giveAda', ({ company }) => (category: string, name: string, reason: string) => {
    const more = { reason, leaveType: { name, category } }
    company.records.leaves['usr_ada'] = [leave('lv_ada1', '2026-01-12', more)]
  })

/** Everything that anybody with the address can see. */
async function allOf(calendar: string): Promise<readonly string[]> {
  const page = calendar.slice(0, calendar.lastIndexOf('/'))
  const all = [calendar, calendar.replace(/\.ics$/, '.json'), page]
  return Promise.all(
    all.map(async (url) => {
      const { text, headers } = await pollNow(url)
      return `${headers.get('ETag')} ${text}`
    }),
  )
}

it('has lines only for days on which somebody works, once that is known', async ({
  company,
  teamFeed,
  poll,
}) => {
  company.faults.set('/schedules', 403)
  const address = await teamFeed({ as: 'day', minimumPresent: 2, detail: 'full' })
  const onMonday = 'Only 1 of 2 here: Ada away'
  // The company's only schedule works on Mondays. Before it is known, no day is left out.
  expect((await poll(address)).titles).toContain(onMonday)
  company.faults.clear()
  const named = await teamFeed({ as: 'day', minimumPresent: 2, detail: 'full' })
  expect((await poll(named)).titles).toEqual([onMonday])
  const json = await pollNow(named.replace(/\.ics$/, '.json'))
  expect(JSON.parse(json.text)).toMatchObject({
    events: [
      {
        uid: expect.stringMatching(
          /^absence-feed_\w+-20260112@main\.calendar-feed-bridge$/,
        ) as string,
        kind: 'absence',
        title: onMonday,
        start: '2026-01-12',
        end: '2026-01-13',
        busy: 'FREE',
      },
    ],
  })
})

it('goes on while schedules fail, and leaves nothing out until they were read', async ({
  bridge,
  company,
  poll,
}) => {
  const options = { leaves: { as: 'day' }, shifts: { scheduleIds: ['sch_day'] } }
  const address = calendarUrl(await bridge.createFeed({ ...team, options }))
  company.faults.set('/schedules', 403)
  const all = await poll(address)
  expect(all.titles).toEqual(['1 of 2 away: Ada', '1 of 2 away: Bob'])
  expect(all.headers.get('X-Feed-Stale-Seconds')).toBeNull()
  company.faults.clear()
  expect((await poll(address)).titles).toEqual(['1 of 2 away: Ada'])
  company.faults.set('/schedules', 403)
  expect((await poll(address)).titles).toEqual(['1 of 2 away: Ada'])
})

it('is refused for a person’s own calendar, which would count one', async ({ bridge }) => {
  const options = { leaves: { as: 'day' } }
  const refused = {
    errors: [
      {
        pointer: '/options/leaves/as',
        detail: 'Must be "person" in a feed of audience own: "day" counts several people.',
      },
    ],
  }
  const input = { userIds: ['usr_ada'], options }
  const made = await bridge.api('POST', '/api/feeds', input)
  expect([made.status, await made.json()]).toMatchObject([400, refused])
  const { id } = await bridge.createFeed({ userIds: ['usr_ada'] })
  const changed = await bridge.api('PATCH', `/api/feeds/${id}`, { options })
  expect([changed.status, await changed.json()]).toMatchObject([400, refused])
  const ofOne = await jsonOf(
    await bridge.api('POST', '/api/feeds', { ...input, audience: 'others' }),
  )
  expect(ofOne.options).toMatchObject({ leaves: { as: 'day' } })
})

it.for([{ detail: 'full' }, { detail: 'type' }, { as: 'day', detail: 'full' }])(
  'gives others no byte by which one private leave differs from another: %j',
  async (leaves, { giveAda, teamFeed, poll }) => {
    giveAda('SICK', 'Sick leave', 'flu')
    const address = await teamFeed(leaves)
    await poll(address)
    // From the second on, the page says when a program asked.
    await poll(address)
    const before = await allOf(address)
    expect(before.join('')).toMatch(/Ada Lovelace: Away|away: Ada/)
    giveAda('NOBODY KNOWS', 'Spinal surgery', 'pain')
    await poll(address)
    expect(await allOf(address)).toEqual(before)
    giveAda(' annual', 'Annual leave', 'sea')
    await poll(address)
    const isOpen = !('as' in leaves)
    expect((await allOf(address)).join('').includes('Ada Lovelace: Annual leave')).toBe(isOpen)
  },
)

it('is private while a copy of an earlier release says no category', async ({
  clock,
  giveAda,
  node,
  teamFeed,
  poll,
}) => {
  giveAda('ANNUAL', 'Annual leave', 'sea')
  const address = await teamFeed({ detail: 'type' })
  expect((await poll(address)).titles).toContain('Ada Lovelace: Annual leave')
  const { id = '' } = node.connections.get('main') ?? {}
  const copy = await node.store.copies.findCopy<'leaves'>(id, 'leaves:usr_ada')
  const records = copy?.records.map(({ leaveType, ...rest }) => {
    return { ...rest, leaveType: { name: leaveType?.name } }
  })
  const old = { ...copy, records, contentHash: contentHashOf(records ?? []) } as Copy
  await node.store.copies.keepCopy(id, { ...old, begunAt: clock.now() })
  expect((await pollNow(address)).titles).toContain('Ada Lovelace: Away')
  expect((await poll(address)).titles).toContain('Ada Lovelace: Annual leave')
})

it('keeps no reason that no calendar can show', async ({ giveAda, node, teamFeed, poll }) => {
  giveAda('ANNUAL', 'Annual leave', 'sea')
  const { id = '' } = node.connections.get('main') ?? {}
  const reasonOf = async (leaves: object): Promise<unknown> => {
    await poll(await teamFeed(leaves))
    const copy = await node.store.copies.findCopy<'leaves'>(id, 'leaves:usr_ada')
    return copy?.records[0]?.reason
  }
  expect(await reasonOf({ detail: 'full', privateCategories: ['*'] })).toBeUndefined()
  expect(await reasonOf({ detail: 'full', as: 'day' })).toBeUndefined()
  expect(await reasonOf({ detail: 'full' })).toBe('sea')
})
