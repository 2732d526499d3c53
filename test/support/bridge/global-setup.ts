import { tmpdir } from 'node:os'
import path from 'node:path'

import type { TestProject } from 'vitest/node'

import { saveRatios } from '../bench/measured-ratios.ts'
import { makeMigrated } from '../database/migrated.ts'
import { startPostgres } from '../database/postgres.ts'
import { makeRunFolder } from './run-folder.ts'

/** Runs once before all tests: whatever it starts, the returned function ends. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { isThorough, propertySeed } = project.config.provide
  if (isThorough) console.log(`FC_SEED=${propertySeed} has property tests try the same again.`)
  const postgres = await startPostgres()
  const { folder, remove } = await makeRunFolder()
  await makeMigrated(folder, postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('temporaryFolder', folder)
  // Dozens of processes run the same program: it is compiled once.
  process.env['NODE_COMPILE_CACHE'] = path.join(folder, 'compiled')
  // Whatever else a test writes lies there, too; what outlives the run lies where it lay.
  process.env['LASTING_TMPDIR'] = tmpdir()
  process.env['TMPDIR'] = folder
  return async () => {
    const table = saveRatios(folder)
    if (table !== undefined) console.log(`\n${table}\n`)
    await postgres.stop()
    await remove()
  }
}
