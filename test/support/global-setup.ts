import type { TestProject } from 'vitest/node'

import { startPostgres } from './postgres.ts'

/** Runs once before all tests: whatever it starts, the returned function ends. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  project.provide('postgresUrl', postgres.url)
  return () => postgres.stop()
}
