import type { Source } from '../copies/source.ts'
import type { Connection } from '../domain/connection.ts'
import { Departures } from '../people/departures.ts'
import { Identities } from '../people/identities.ts'
import { PeopleDirectory } from '../people/people-directory.ts'
import type { ExportDeps } from '../publishing/export-calendar.ts'
import type { Settings } from '../settings/read-settings.ts'
import type { Store } from '../store/open-store.ts'
import { openSources } from './sources.ts'
import type { Surroundings } from './surroundings.ts'

interface ReadingParts {
  readonly settings: Settings
  readonly surroundings: Surroundings
  readonly store: Store
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
}

/** What calendars are made from: the companies' records, who is known there, who is another by now, and who has left. */
export interface CompanyReading {
  readonly identities: Identities
  readonly departures: Departures
  readonly directory: PeopleDirectory
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
}

/** Reads the companies with what that store knows of them, and keeps there what comes. */
export function openCompanyReading(
  { store, connections, settings, surroundings }: ReadingParts,
  open: AsyncDisposableStack,
): CompanyReading {
  const { people, feeds, newcomers, peopleFinder, lookRounds, proofs } = store
  const { clock, log } = surroundings
  const { directoryFreshMs, feedStaleMs } = settings
  const known = { people, connections, directoryFreshMs, clock, log }
  const watched = { ...known, departures: store.departures, lookRounds, feeds, newcomers, proofs }
  const identities = new Identities({ ...store, connections, staleMs: feedStaleMs, clock, log })
  const departures = open.adopt(new Departures({ ...watched, identities }), close)
  const looking = { ...known, peopleFinder, lookRounds, departures }
  const directory = open.adopt(new PeopleDirectory(looking), close)
  const parts = { store, connections, settings, surroundings, people: directory, departures }
  const sources = openSources({ ...parts, identities }, open)
  return { identities, departures, directory, sources }
}

/**
 * What an export needs: it begins with what is kept, proof and owners of leaves among it, and what comes of it is kept in
 * memory only, so that nothing is left of someone for whom there is no feed.
 */
export async function withExporting<T>(
  parts: ReadingParts,
  work: (exporting: ExportDeps) => Promise<T>,
): Promise<T> {
  await using open = new AsyncDisposableStack()
  const store = open.adopt(await parts.store.openScratch(), close)
  const { sources } = openCompanyReading({ ...parts, store }, open)
  const { clock } = parts.surroundings
  const { feedStaleMs: staleMs } = parts.settings
  return await work({ sources, copies: store.copies, clock, staleMs })
}

function close(it: { close(): Promise<void> }): Promise<void> {
  return it.close()
}
