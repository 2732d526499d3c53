/* Another node on the same database, its use cases in the test's own hands. */
import { readFileSync } from 'node:fs'

import { purge, purging } from '../../../src/copies/retention.ts'
import type { Clock, Repeated } from '../../../src/domain/world.ts'
import { Departures } from '../../../src/people/departures.ts'
import { Identities } from '../../../src/people/identities.ts'
import { PeopleDirectory } from '../../../src/people/people-directory.ts'
import { openServices, type Services } from '../../../src/process/services.ts'
import { type Surroundings, systemClock } from '../../../src/process/world.ts'
import { readSettings } from '../../../src/settings/read-settings.ts'
import { openStore, type Store } from '../../../src/store/open-store.ts'
import { silentLog } from './silent-log.ts'

export interface TestNode extends Omit<Services, 'retention' | 'departures'> {
  readonly store: Store
  readonly purging: Repeated
  readonly purge: () => Promise<void>
  readonly departures: Departures
}

/** Opens the use cases of these settings, as a node beside the bridge would run them. */
export async function openNode(
  environment: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<TestNode> {
  const settings = readSettings(environment, (file) => readFileSync(file))
  const surroundings = { clock, log: silentLog, versions: 'test', ...commonTimeOf(clock) }
  const services = await openServices(settings, surroundings, 'http://127.0.0.1:8080')
  const store = await openStore(settings.databaseUrl)
  const { connections } = services
  const { directoryFreshMs, feedStaleMs: staleMs } = settings
  const deps = { ...store, connections, directoryFreshMs, staleMs, clock, log: silentLog }
  const purges = purging(deps)
  const identities = new Identities(deps)
  const departures = new Departures({ ...deps, identities })
  const directory = new PeopleDirectory({ ...deps, departures })
  return {
    ...services,
    store,
    purging: purges,
    purge: () => purge(deps),
    departures,
    directory,
    close: async () => {
      for (const opened of [purges, directory, departures, services, store]) await opened.close()
    },
  }
}

/** Looks for everybody in the companies, and reads them. */
export async function readDirectory({
  connections,
  directory,
  departures,
}: Pick<TestNode, 'connections' | 'directory' | 'departures'>): Promise<void> {
  for (const connection of connections.values()) {
    await directory.listRefreshed(connection, () => undefined)
  }
  await departures.ended()
}

/** A test's own time is not the database's: that of another clock is, or none. */
export function commonTimeOf(clock: Clock, common = clock): Pick<Surroundings, 'commonTime'> {
  if (common === systemClock) return {}
  const now = (): number => common.now()
  return { commonTime: common === clock ? null : { read: async () => now(), elapsedMs: now } }
}
