/* The promises that a feed keeps over time, whatever happens to the records, the Read API and the bridge. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { checkFeedHistories } from './support/feed-commands.ts'

let directory: string
let databases = 0

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'never-wipe-'))
})

afterAll(() => rm(directory, { recursive: true }))

function newSqliteFile(): Promise<string> {
  databases += 1
  return Promise.resolve(`file:${directory}/${databases}.sqlite`)
}

test('E4, H4, H5, H8: any history of one bridge on SQLite', async () => {
  const polls = await checkFeedHistories({
    databaseUrl: newSqliteFile,
    nodes: 1,
    runs: 6,
    steps: 80,
  })
  expect(polls).toBeGreaterThan(20)
})
