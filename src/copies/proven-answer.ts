import type { Copy } from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import { filtered } from '../json/long-lists.ts'
import { inSteps } from '../json/rest.ts'
import type { CollectionRequest } from './kinds/kind.ts'
import type { LeaveProver } from './proof/leave-prover.ts'
import { answerOf, copyOf, type Read } from './read-collection.ts'

/** What may be kept of an answer, and of which records that did not come all the same. */
interface Proven<K extends CollectionKind> {
  readonly answer: Copy<K>
  readonly retained: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

/** What of an answer may be kept: of leaves those that are the person's; undefined where nothing is proven. */
export async function provenOf<K extends CollectionKind>(
  { prover, signal }: { readonly prover: LeaveProver; readonly signal: AbortSignal },
  request: CollectionRequest<K>,
  { read, kept }: { readonly read: Read<K>; readonly kept: Copy<K> | undefined },
): Promise<Proven<K> | undefined> {
  const { copy } = read
  if (request.collection.kind !== 'leaves') return { answer: copy, retained: none }
  const believed = await prover.prove(await answerOf(request, read, kept), signal)
  if (!believed) return undefined
  const { held = {} } = copy
  const own = await inSteps(
    filtered(copy.records, ({ id }) => believed.own.has(id) || Object.hasOwn(held, id)),
  )
  const isAll = own.length === copy.records.length
  const { retained } = believed
  const standing = await inSteps(filtered(kept?.records ?? [], ({ id }) => retained.has(id)))
  if (isAll && standing.length === 0) return { answer: copy, retained }
  return { answer: await copyOf(copy, own.concat(standing)), retained }
}
