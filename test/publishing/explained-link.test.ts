/* What the holder of a link reads: nothing that the link may not show. */
import { describe, expect } from 'vitest'

import { type OpenLink, openLinkWithoutChoices } from '../../src/publishing/open-link.ts'
import { calendarUrl, type FeedAnswer } from '../support/bridge/bridge.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import type { TestNode } from '../support/bridge/node.ts'
import { leave } from '../support/company/people.ts'

async function openOf({ links }: TestNode, feed: FeedAnswer): Promise<OpenLink> {
  const [token = ''] = /cfb_[\w-]{43}/.exec(calendarUrl(feed)) ?? []
  return openLinkWithoutChoices(links, token)
}

const it = base
  .extend('explain', ({ node }) => async (feed: FeedAnswer, date?: string) => {
    const open = await openOf(node, feed)
    const { records } = await node.explaining.explainer.explainLink(open, { date })
    return records.map(({ id, title, reason }) => [id, title, reason.code])
  })
  .extend('choose', ({ node }) => async (feed: FeedAnswer, choices: object): Promise<void> => {
    const [link] = await node.store.links.listLinks([feed.id])
    await node.store.links.changeChoices(link!, () => choices)
  })

const shifts = { shifts: { show: false } }

describe('a calendar of one’s own', () => {
  it('tells what the person knows a record by, and why it is missing', async ({
    bridge,
    company,
    choose,
    explain,
  }) => {
    company.records.leaves['usr_ada']?.push(leave('lv_asked', '2026-01-20', { status: 'PENDING' }))
    const options = { ...shifts, leaves: { statuses: ['APPROVED'] } }
    const feed = await bridge.createFeed({ userIds: ['usr_ada'], options })
    expect(await explain(feed, '2026-01-20')).toEqual([
      ['lv_asked', 'Leave lv_asked', 'status_not_shown'],
      ['tsk_ada', 'Task tsk_ada', 'shown'],
    ])
    await choose(feed, { hide: ['tasks'], detail: 'absent' })
    expect(await explain(feed, '2026-01-20')).toEqual([
      ['lv_asked', null, 'status_not_shown'],
      ['tsk_ada', 'Task tsk_ada', 'hidden_by_holder'],
    ])
    await choose(feed, { onlyAway: true })
    // Somebody else holds it.
    expect(await explain(feed, '2026-01-20')).toEqual([])
  })

  it('tells nothing of kinds that staff have not chosen for it', async ({
    bridge,
    feedOf,
    explain,
  }) => {
    await pollNow(await feedOf('usr_ada'))
    const options = { ...shifts, tasks: { show: false }, timesheets: { show: false } }
    const feed = await bridge.createFeed({ userIds: ['usr_ada'], name: 'Leave', options })
    expect(await explain(feed)).toEqual([
      ['lv_ada1', 'Leave lv_ada1', 'shown'],
      ['lv_ada2', 'Leave lv_ada2', 'shown'],
    ])
  })
})

it('a calendar about others tells only what it shows, and no title', async ({
  bridge,
  company,
  explain,
}) => {
  company.records.leaves['usr_ada']?.push(leave('lv_asked', '2026-01-20', { status: 'PENDING' }))
  const feed = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
  expect(await explain(feed)).toEqual([
    ['lv_ada1', null, 'shown'],
    ['lv_bob1', null, 'shown'],
    ['lv_ada2', null, 'shown'],
  ])
})

it('days of absence tell only who is away', async ({ bridge, company, node }) => {
  const more = { endDate: '2028-01-10T00:00:00.000Z' }
  company.records.leaves['usr_bob'] = [
    leave('lv_long', '2026-01-05', more),
    leave('lv_short', '2026-01-12'),
  ]
  const options = { leaves: { as: 'day' } }
  const feed = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'], options })
  const { records } = await node.explaining.explainer.explainLink(await openOf(node, feed), {
    date: '2026-01-12',
  })
  expect(records.map(({ userId, dates, title }) => [userId, dates, title])).toEqual([
    ['usr_ada', null, null],
    ['usr_bob', null, null],
  ])
})
