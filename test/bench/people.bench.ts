/*
 * The directory of 100,000 people: a page from its middle compared with one of 10,000 people, and a search that matches nobody.
 * Medians of one run.
 */
import { describe, expect, it, onTestFinished } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import type { PeopleFilter } from '../../src/domain/people-list.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { columnNames, type StoreTables } from '../../src/store/tables.ts'
import { noteRatio } from '../support/bench/measured-ratios.ts'
import { median } from '../support/bench/ratios.ts'
import { type CreateDatabase, databases } from '../support/database/databases.ts'
import { insertPeople, sortNameOf } from '../support/database/many-people.ts'

const [few, many] = [10_000, 100_000]
const rounds = 50
const searchMsMax = 100

describe.each(databases)('on $name', ({ name, create }) => {
  it('lists and searches people', { timeout: 300_000 }, async () => {
    const [small, large] = [await open(create, few), await open(create, many)]
    const pages = { [few]: [0], [many]: [0] }
    const searches: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const after = { sortName: sortNameOf(10 * round), userId: '' }
      pages[few]?.push(await took(small, { after }))
      pages[many]?.push(await took(large, { after }))
      searches.push(await took(large, { search: `Özil ${round}` }))
    }
    noteRatio({
      measure: `a page from the middle of ${many} people, ${name}`,
      against: `the same of ${few}`,
      bound: { most: 2 },
      measured: median(pages[many] ?? []) / median(pages[few] ?? []),
      bench: 'people',
    })
    noteRatio({
      measure: `a search of ${many} people that matches nobody, ${name}`,
      against: `${searchMsMax} ms`,
      bound: { most: 1 },
      measured: median(searches) / searchMsMax,
      bench: 'people',
    })
  })
})

async function open(create: CreateDatabase, people: number): Promise<Store> {
  const url = await create()
  const store = await openStore(url)
  onTestFinished(() => store.close())
  const database = await openDatabase<StoreTables>(url, { plugins: columnNames })
  await insertPeople(database, people)
  await database.close()
  return store
}

async function took({ peopleList }: Store, filter: Partial<PeopleFilter>): Promise<number> {
  const start = performance.now()
  const found = await peopleList.list({ companyId: 'main', limit: 100, ...filter })
  const ms = performance.now() - start
  expect(found).toHaveLength(filter.search === undefined ? 100 : 0)
  return ms
}
