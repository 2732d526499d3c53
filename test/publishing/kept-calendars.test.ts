import { expect } from 'vitest'

import { openLink } from '../../src/publishing/open-link.ts'
import { KeptCalendars } from '../../src/publishing/publisher.ts'
import { calendarUrl } from '../support/bridge/bridge.ts'
import { it } from '../support/bridge/fixtures.ts'
import { calendarSource, dayOff, type SourceChanges } from '../support/calendar/calendar-source.ts'
import { leave } from '../support/company/people.ts'

const team = { userIds: ['usr_ada', 'usr_bob'], audience: 'others' as const }

function settled(changes: SourceChanges, id = 'connection'): Parameters<KeptCalendars['find']>[0] {
  const { feed, company, window } = calendarSource({
    ...changes,
    feed: { ...team, ...changes.feed },
  })
  return { feed, source: { connection: { id, company } }, window }
}

it('a kept calendar is found as long as only its records differ', () => {
  const calendars = new KeptCalendars(1_000_000)
  const kept = calendars.find(settled({}))
  calendars.keep(settled({}), kept)
  expect(calendars.find(settled({}))).toBe(kept)
  for (const other of [
    settled({ feed: { userIds: ['usr_ada', 'usr_cleo'] } }),
    settled({ feed: { audience: 'own' } }),
    settled({ feed: { name: 'Another name' } }),
    settled({ feed: { locale: 'de' } }),
    settled({ options: { reminderMinutes: 10 } }),
    settled({ company: { timezone: 'Europe/London' } }),
    settled({ now: Date.parse('2026-04-10T12:00:00Z') }),
    settled({}, 'another connection'),
  ]) {
    expect(calendars.find(other)).not.toBe(kept)
  }
})

it('the total size in bytes is limited', () => {
  const calendars = new KeptCalendars(100_000)
  const names = ['first', 'second', 'third']
  for (const name of names) {
    const calendar = settled({ feed: { name } })
    const kept = calendars.find(calendar)
    const leaves = Array.from({ length: 40 }, (_, index) => ({ ...dayOff, id: `lv_${index}` }))
    kept.leaves.part('usr_ada', [], () => new Map(leaves.map((one) => [one, []])))
    calendars.keep(calendar, kept)
  }
  const there = names.filter(
    (name) => [...calendars.find(settled({ feed: { name } })).leaves.values()].length > 0,
  )
  expect(there).toEqual(['second', 'third'])
})

it('nodes with and without an earlier calendar make the same one after a leave has changed', async ({
  bridge,
  company,
  poll,
  node,
}) => {
  const url = calendarUrl(await bridge.createFeed({ ...team, name: 'Team' }))
  const before = await poll(url)
  company.records.leaves['usr_bob'] = [leave('lv_bob1', '2026-01-20')]
  const after = await poll(url)
  expect(after.text).not.toBe(before.text)
  const token = new URL(url).pathname.split('/')[2] ?? ''
  const state = await node.publisher.assess(await openLink(node.links, token))
  const { body } = await node.publisher.publish(state, 'ics')
  expect((await body.in('identity')).toString()).toBe(after.text)
})
