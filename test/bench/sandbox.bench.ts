/*
 * The sandbox with 5,000 people who have a year of fortnightly timesheets and ten entries in each, beside one with 50: what
 * loading costs by record, and what it takes to answer the timesheets and the leaves of one of them.
 */
import { describe, expect, it, onTestFinished } from 'vitest'

import { importFile } from '../../src/sandbox/loading/import-file.ts'
import { openSandboxDatabase } from '../../src/sandbox/records/sandbox-database.ts'
import { type SandboxServer, startSandboxServer } from '../sandbox/sandbox-server.ts'
import { noteRatio } from '../support/bench/measured-ratios.ts'
import { measureInterleaved, median, medianRatio } from '../support/bench/ratios.ts'
import { largeCompany, leavesEach, timesheetsEach } from '../support/company/large-company.ts'
import { type CreateDatabase, databases } from '../support/database/databases.ts'

const sizes = { few: 50, many: 5000 }
const imports = { few: 5, many: 1 }
const rounds = 300
const importRatioMax = 2
const readRatioMax = 1.5

type Size = keyof typeof sizes

const files = { few: companyText(sizes.few), many: companyText(sizes.many) }
const recordsEach = 1 + timesheetsEach + leavesEach

describe.each(databases)('$name', ({ name, create }) => {
  it('loading and reading', { timeout: 1_200_000 }, async () => {
    const few = await load(create, 'few')
    const many = await load(create, 'many')
    noteRatio({
      measure: `sandbox on ${name}: loading ${sizes.many} people, by record`,
      against: `loading ${sizes.few}`,
      bound: { most: importRatioMax },
      measured: many.msEach / few.msEach,
      bench: 'sandbox',
    })
    for (const path of ['timesheets', 'leaves']) {
      const one = `/${path}?userId=usr_00007`
      const acts = {
        few: () => few.server.read(one),
        many: () => many.server.read(one),
      }
      const expected = await acts.few()
      expect((await acts.many()).body).toEqual(expected.body)
      const times = await measureInterleaved(acts, { rounds, measure: 'clock', warmUps: 50 })
      console.log(
        `${name}, ${path} of one: ${median(times.few).toFixed(2)} and ${median(times.many).toFixed(2)} ms`,
      )
      noteRatio({
        measure: `sandbox on ${name}: the ${path} of one of ${sizes.many}`,
        against: `of one of ${sizes.few}`,
        bound: { most: readRatioMax },
        measured: medianRatio(times, 'many', 'few'),
        bench: 'sandbox',
      })
    }
  })
})

/** A sandbox that holds a company of that size, and what each record took to load: the median of several times. */
async function load(
  create: CreateDatabase,
  size: Size,
): Promise<{ server: SandboxServer; msEach: number }> {
  const records = sizes[size] * recordsEach
  const times: number[] = []
  let url = ''
  while (times.length < imports[size]) {
    url = await create()
    const database = await openSandboxDatabase(url)
    const begun = performance.now()
    await importFile(database, { name: 'The file', bytes: files[size] })
    times.push((performance.now() - begun) / records)
    await database.close()
  }
  const msEach = median(times)
  console.log(
    `${records} records: ${(1000 / msEach).toFixed(0)} a second, ${files[size].length} bytes`,
  )
  const server = await startSandboxServer(url)
  onTestFinished(() => server.close())
  return { server, msEach }
}

function companyText(people: number): Buffer {
  const lists = Object.entries(largeCompany(people)).map(
    ([name, records]) =>
      `"${name}":[${[...records].map((record) => JSON.stringify(record)).join(',')}]`,
  )
  return Buffer.from(`{${lists.join(',')}}`)
}
