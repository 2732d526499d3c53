/* Administration among a million feeds takes no longer than among a thousand: at most twice, by the medians of one run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { bridge } from '../../src/domain/access/staff.ts'
import {
  createFeedAdministration,
  type FeedAdministration,
} from '../../src/feeds/feed-administration.ts'
import { Identities } from '../../src/people/identities.ts'
import { systemClock } from '../../src/process/world.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { median } from '../support/bench/ratios.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { databases } from '../support/database/databases.ts'
import { feedIdOf, insertFeeds } from '../support/database/many-feeds.ts'

const few = 1000
const many = 1_000_000
const rounds = 400
const ratioMax = 2

interface Company {
  readonly feeds: number
  readonly store: Store
  readonly administration: FeedAdministration
}

/** What is done, by a number from 1 to `rounds`, spread over all of the feeds. */
const actions: Readonly<Record<string, (company: Company, number: number) => Promise<unknown>>> = {
  'list a page from the middle': ({ administration, feeds }, number) => {
    const place = Math.ceil((feeds * number) / (rounds + 1))
    const cursor = Buffer.from(JSON.stringify([place, feedIdOf(place)])).toString('base64url')
    return administration.listing.list({ companyId: 'main', limit: 50, cursor })
  },
  'search by person': ({ administration, feeds }, number) =>
    administration.listing.list({ userId: `usr_${Math.ceil((feeds * number) / rounds)}` }),
  'revoke a feed': ({ administration, feeds }, number) =>
    administration.changes.revoke(feedIdOf(Math.ceil((feeds * number) / rounds)), false),
}

describe.each(databases)('on $name', ({ create }) => {
  let companies: readonly [Company, Company]

  beforeAll(async () => {
    companies = [await open(await create(), few), await open(await create(), many)]
  }, 300_000)

  afterAll(async () => {
    for (const { store } of companies) await store.close()
  })

  it.each(Object.entries(actions))('%s', async (name, act) => {
    const [small, large] = companies
    const medians = await mediansOf([small, large], act)
    const ratio = medians[1] / medians[0]
    const times = medians.map((ms) => `${ms.toFixed(3)} ms`).join(' and ')
    console.log(`${name}: ${times} among ${few} and ${many} feeds, ${ratio.toFixed(2)} times`)
    expect(ratio).toBeLessThanOrEqual(ratioMax)
  })
})

async function open(url: string, feeds: number): Promise<Company> {
  const store = await openStore(url)
  await insertFeeds(url, feeds, { shifts: { scheduleIds: ['sch_day'] } })
  const read = { connections: new Map(), clock: systemClock, log: silentLog }
  const identities = new Identities({ ...store, ...read, staleMs: 0, directoryFreshMs: 0 })
  const directory = { untilSeen: async () => undefined }
  const world = { ...read, sources: new Map(), identities, directory }
  const administration = createFeedAdministration(
    { ...store, ...world, publicUrl: 'http://127.0.0.1:8080' },
    bridge,
  )
  return { feeds, store, administration }
}

/** In turns, so that whatever else the machine does meets both alike. */
async function mediansOf(
  companies: readonly [Company, Company],
  act: (company: Company, number: number) => Promise<unknown>,
): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let number = 1; number <= rounds; number += 1) {
    for (const index of [0, 1] as const) {
      const start = performance.now()
      await act(companies[index], number)
      times[index].push(performance.now() - start)
    }
  }
  return [median(times[0]), median(times[1])]
}
