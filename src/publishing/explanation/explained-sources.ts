import type { CollectionState } from '../../copies/failures.ts'
import { kinds } from '../../copies/kinds.ts'
import { collectionKey, holdsRecords } from '../../domain/copy.ts'
import { collectionKindOf, recordKinds } from '../../domain/kinds.ts'
import type { Situation } from './made-calendar.ts'
import type { ExplainedSource, SourceState } from './reasons.ts'

/** Each collection that one of these calendars needs, once. */
export function explainedSources(situations: readonly Situation[]): readonly ExplainedSource[] {
  const sources = new Map<string, ExplainedSource>()
  for (const situation of situations) {
    for (const state of situation.states) {
      const { kind, subject } = state.request.collection
      const key = collectionKey(state.request.collection)
      sources.set(key, {
        kind: recordKinds.find((it) => collectionKindOf[it] === kind) ?? 'user',
        subject: subject === '' ? null : subject,
        userId: kinds[kind].isPersonal ? subject : null,
        state: sourceState(state, situation),
        fetchedAt: state.head?.fetchedAt ?? null,
        unreadable: Object.keys(state.head?.held ?? {}).length,
      })
    }
  }
  return [...sources.values()]
}

function sourceState(state: CollectionState, { served }: Situation): SourceState {
  const { request, head } = state
  if (state.held) return { code: 'person_held' }
  if (state.misnamed) return { code: 'misnamed' }
  const isServed = head !== null && served?.heads.includes(head)
  if (request.collection.kind === 'leaves' && served?.leavesMissing && !isServed) {
    return { code: 'unproven', because: served.leavesMissing }
  }
  if (!head) {
    if (state.notStored) return { code: 'not_stored' }
    if (state.absent) return { code: 'missing' }
    if (state.refused) return { code: 'unproven', because: 'unproven' }
    return { code: state.failed || state.refreshed ? 'not_answered' : 'not_asked' }
  }
  if (state.refused) return { code: 'not_believed' }
  if (head.doubt) return { code: 'doubted', since: head.doubt.since }
  if (state.notStored) return { code: 'not_stored' }
  if (head.missingSince !== null && !holdsRecords(head)) return { code: 'missing' }
  if (state.failed) return { code: 'stale' }
  return { code: state.late ? 'late' : 'current' }
}
