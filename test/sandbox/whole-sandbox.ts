import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'

/** A sandbox with its sample company, as the program starts it; with keys, only they open it. */
export function startWhole(keys = new Map<string, string>()): Promise<Sandbox> {
  const place = { databaseUrl: createSqliteDatabase(), host: '127.0.0.1', port: 0 }
  const clock = createFakeClock(Date.UTC(2026, 10, 23))
  return startSandbox({ ...place, keys, clock, log: silentLog })
}
