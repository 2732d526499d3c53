import { KnownAnswers } from '../copies/confirmations.ts'
import { LeaveExamination } from '../copies/proof/leave-examination.ts'
import { Source } from '../copies/source.ts'
import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import type { IdentityWatch } from '../domain/newcomer.ts'
import type { KnownPeople } from '../domain/person.ts'
import type { ExaminedConnection } from '../examination/examine.ts'
import type { Settings } from '../settings/read-settings.ts'
import type { Store } from '../store/open-store.ts'
import type { Surroundings } from './surroundings.ts'

interface SourceParts {
  readonly settings: Settings
  readonly surroundings: Surroundings
  readonly store: Store
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly people: KnownPeople
  readonly departures: DepartureWatch
  readonly identities: IdentityWatch
}

/** The examination of each company's filter of leaves, with a client of its own, by company. */
export function leaveExaminations(
  {
    surroundings: { clock, log },
    store,
    people,
  }: Omit<SourceParts, 'settings' | 'connections' | 'identities'>,
  examined: ReadonlyMap<string, ExaminedConnection>,
): ReadonlyMap<string, LeaveExamination> {
  const { copies, doubts, proofs, departures: departed } = store
  const deps = { copies, doubts, proofs, departed, people, clock, log }
  const all = [...examined].map(
    ([id, { connection }]) => [id, new LeaveExamination({ ...deps, connection })] as const,
  )
  return new Map(all)
}

/** What each company's feeds read from, by company. */
export function openSources(
  {
    settings,
    surroundings: { clock, log },
    store,
    connections,
    people,
    departures,
    identities,
  }: SourceParts,
  open: AsyncDisposableStack,
): ReadonlyMap<string, Source> {
  const { copies, standings, doubts, proofs, departures: departed } = store
  const { feedFreshMs, feedRefreshBudgetMs, feedStaleMs } = settings
  const times = {
    freshMs: feedFreshMs,
    refreshBudgetMs: feedRefreshBudgetMs,
    staleMs: feedStaleMs,
  }
  const kept = { copies, standings, doubts, proofs, departed }
  const deps = {
    ...kept,
    ...times,
    departures,
    identities,
    people,
    known: new KnownAnswers(),
    clock,
    log,
  }
  const openSource = (connection: Connection): Source =>
    open.adopt(new Source(connection, deps), (source) => source.close())
  return new Map([...connections].map(([id, connection]) => [id, openSource(connection)]))
}
