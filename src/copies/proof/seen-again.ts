import { collectionKey, collectionOf, type CopyStore } from '../../domain/copy.ts'
import { areGiven, type LeavesReply } from './leaves-reply.ts'
import type { ProofStateDeps } from './proof-state.ts'

export interface SeenAgainDeps extends Pick<ProofStateDeps, 'connection' | 'doubts'> {
  readonly copies: Pick<CopyStore, 'findHeads' | 'findCopy'>
}

/** Whoever was asked for beside another, and has half of the kept leaves or more, has not lost them: what was doubted is no longer. */
export async function noteSeen(
  { connection, copies, doubts }: SeenAgainDeps,
  replies: ReadonlyMap<string, LeavesReply>,
): Promise<void> {
  const given = new Map([...replies].flatMap(([id, it]) => (areGiven(it) ? [[id, it.ids]] : [])))
  const keys = [...given.keys()].map((subject) => collectionKey({ kind: 'leaves', subject }))
  const heads = keys.length > 0 ? await copies.findHeads(connection.id, keys) : []
  for (const { key } of heads.filter(({ doubt }) => doubt)) {
    const kept = await copies.findCopy(connection.id, key)
    const came = given.get(collectionOf(key).subject)
    const there = kept?.records.filter(({ id }) => came?.has(id)) ?? []
    if (kept && there.length >= kept.records.length / 2)
      await doubts.saveDoubt(connection.id, key, null)
  }
}
