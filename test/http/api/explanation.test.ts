/* The explanation over the API: roles, query, and that it tells staff nothing private about others. */
import { expect } from 'vitest'

import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { calendarUrl } from '../../support/bridge/bridge.ts'
import { it, pollNow } from '../../support/bridge/fixtures.ts'

it('answers as the document says, with the programs that ask', async ({ bridge, clock }) => {
  const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
  await pollNow(calendarUrl(feed), { 'User-Agent': 'Google-Calendar-Importer' })
  await clock.advance(3_600_000)
  const answer = await bridge.api('GET', `/api/feeds/${feed.id}/explanation?date=2026-01-12`)
  const explanation = outputSchemas.Explanation.parse(await answer.json())
  expect(explanation.links).toEqual([
    {
      label: 'default',
      endsAt: null,
      lastPolledAt: '2026-01-05T12:00:00.000Z',
      client: 'google',
      expectedAt: '2026-01-05T20:00:00.000Z',
    },
  ])
  expect(explanation.records.find(({ kind }) => kind === 'leave')).toEqual({
    kind: 'leave',
    id: 'lv_ada1',
    userId: 'usr_ada',
    shown: true,
    code: 'shown',
    reason: 'It is shown.',
    uids: ['leave-lv_ada1@main.calendar-feed-bridge'],
    dates: { first: '2026-01-12', last: '2026-01-12' },
  })
})

it('refuses what it does not know', async ({ bridge }) => {
  const { id } = await bridge.createFeed({ userIds: ['usr_ada'] })
  const refused = async (address: string): Promise<readonly [number, string]> => {
    const answer = await bridge.api('GET', `/api/feeds/${address}`)
    return [answer.status, ((await answer.json()) as { detail: string }).detail]
  }
  const query = 'The query is not valid: '
  expect(await refused(`${id}/explanation?date=12.1.2026`)).toEqual([
    400,
    `${query}date: Must be a date such as 2026-01-05.`,
  ])
  expect((await refused(`${id}/explanation?kind=leaves`))[0]).toBe(400)
  expect((await refused(`${id}/explanation?when=now`))[0]).toBe(400)
  expect(await refused(`${id}/explanation?label=nope`)).toEqual([
    404,
    'There is no link "nope" of that feed; there is default.',
  ])
  expect(await refused('feed_x/explanation')).toEqual([404, 'There is no feed feed_x.'])
})

it('no byte about several people depends on types, categories, reasons or titles', async ({
  bridge,
  clock,
  company,
}) => {
  const feed = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] })
  const about = `/api/feeds/${feed.id}/explanation`
  const before = await (await bridge.api('GET', about)).text()
  for (const leaves of Object.values(company.records.leaves)) {
    for (const [index, leave] of leaves.entries()) {
      const leaveType = { name: 'Cure', category: 'SICK' }
      leaves[index] = { ...leave, leaveType, reason: 'Secret' }
    }
  }
  for (const tasks of Object.values(company.records.tasks)) {
    for (const [index, task] of tasks.entries()) tasks[index] = { ...task, title: 'Secret' }
  }
  await clock.advance(61_000)
  const after = await (await bridge.api('GET', about)).text()
  const withoutTimes = (text: string): string => text.replaceAll(/2026-01-05T?[ 0-9:.]*/g, '')
  expect(withoutTimes(after)).toBe(withoutTimes(before))
})
