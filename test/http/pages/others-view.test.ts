/* "As others see it": what a colleague's calendar shows of a person, on the page of their link and on their own page. */
import { expect } from 'vitest'

import { calendarUrl, type FeedAnswer } from '../../support/bridge/bridge.ts'
import { it } from '../../support/bridge/fixtures.ts'
import { signInPerson } from '../../support/bridge/own-page.ts'
import { leave } from '../../support/company/people.ts'

function pageOf(feed: FeedAnswer): string {
  return calendarUrl(feed).replace(/\/[^/]*$/, '')
}

/** Today, two days later, and a request. */
function leavesOfAda(): Record<string, ReturnType<typeof leave>[]> {
  return {
    usr_ada: [
      leave('lv_now', '2026-01-05', { reason: 'Moving house' }),
      leave('lv_soon', '2026-01-07', { days: 0.5 }),
      leave('lv_asked', '2026-01-08', { status: 'PENDING' }),
    ],
  }
}

function leaveOn(date: string): ReturnType<typeof leave> {
  return leave(`lv_${date.replaceAll('-', '_')}`, date)
}

/** What only Ada's records have: category and reason of leave, other kinds, leave not yet approved. */
const privateParts = /Leave lv|Moving|lv_asked|Task tsk|Timesheet 1|Day shift/

function titlesIn(html: string): readonly string[] {
  return [...html.matchAll(/<span class="title"[^>]*>([^<]*)/g)].map(([, title = '']) => title)
}

it('shows when a person is away, and nothing private, on both of their pages', async ({
  bridge,
  company,
  node,
}) => {
  company.records.leaves = leavesOfAda()
  const feed = await bridge.createFeed({
    userIds: ['usr_ada'],
    options: { leaves: { detail: 'full' } },
  })
  const person = await signInPerson(node, 'usr_ada')
  const own = await (await fetch(pageOf(feed))).text()
  expect(titlesIn(own)).toContain('Leave lv_now')
  expect(own).toContain('?view=others#preview">As others see it</a>')
  const pages = [
    await (await fetch(`${pageOf(feed)}?view=others`)).text(),
    // A day in the same address gets no answer: it would tell of the leave.
    await (await fetch(`${pageOf(feed)}?view=others&day=2026-01-05`)).text(),
    (await person.open(bridge.url, `/me?lang=en&view=others&day=2026-01-05`)).text,
  ]
  for (const html of pages) {
    expect(titlesIn(html)).toEqual(['Ada Lovelace: Away', 'Ada Lovelace: Away (half day)'])
    expect(html).toContain('about you: that you are away, and when. Times are in Europe/Berlin.')
    expect(html).toContain('aria-current="true">As others see it</a>')
    expect(html).not.toMatch(privateParts)
    expect(html.split('</head>')[0]).not.toContain('Ada')
  }
})

it('never shows more than HR lets the link show, whatever the company shows to others', async ({
  bridge,
  company,
  node,
}) => {
  company.records.leaves = leavesOfAda()
  const others = {
    leaves: { detail: 'full', statuses: ['APPROVED', 'PENDING'] },
    tasks: { show: true },
  } as const
  const event = { at: 0, actor: 'admin', action: 'defaults_changed' } as const
  const { companyDefaults } = node.store
  await companyDefaults.changeDefaults('main', (before) => ({ ...before, others }), event)
  const seenOn = async (options: object): Promise<readonly string[]> => {
    const name = JSON.stringify(options).slice(0, 90)
    const feed = await bridge.createFeed({ userIds: ['usr_ada'], name, options })
    const html = await (await fetch(`${pageOf(feed)}?view=others`)).text()
    expect(html.includes('about you: that you are away, and when.')).toBe('leaves' in options)
    return titlesIn(html)
  }
  expect(
    await seenOn({ leaves: { detail: 'absent', statuses: ['APPROVED'] }, tasks: { show: false } }),
  ).toEqual(['Ada Lovelace: Away', 'Ada Lovelace: Away (half day)'])
  expect(await seenOn({})).toEqual([
    'Ada Lovelace: Leave lv_now',
    'Ada Lovelace: Leave lv_soon (half day)',
    'Ada Lovelace: Leave lv_asked (pending)',
  ])
})

it('shows no days beyond those of the link', async ({ bridge, company }) => {
  company.records.leaves = { usr_ada: ['2025-11-20', '2026-01-20', '2026-03-20'].map(leaveOn) }
  const window = { pastDays: 0, futureDays: 10 }
  const page = pageOf(await bridge.createFeed({ userIds: ['usr_ada'], options: { window } }))
  const html = await (await fetch(`${page}?view=others`)).text()
  expect(html.match(/UID:leave-lv_\w+/g)).toEqual(['UID:leave-lv_2026_01_20'])
})

it('is offered for a person’s own calendar alone, and where leave is shown', async ({ bridge }) => {
  const offered = async (input: object): Promise<boolean> => {
    const page = pageOf(await bridge.createFeed({ userIds: ['usr_ada'], ...input }))
    const html = await (await fetch(`${page}?view=others`)).text()
    return html.includes('view=others#preview')
  }
  expect(await offered({})).toBe(true)
  expect(await offered({ userIds: ['usr_ada', 'usr_bob'] })).toBe(false)
  expect(await offered({ name: 'Without leave', options: { leaves: { show: false } } })).toBe(false)
})
