import type { ProofDeps } from './proof-state.ts'
import {
  areAlikeBy,
  areGiven,
  askLeaves,
  idsIn,
  type LeavesGiven,
  type Likeness,
  shares,
  type SimilarId,
  similarIds,
} from './replies.ts'

/** Of so many people the alike ones are looked for. */
const alikeMax = 20

export type LeavesByPerson = ReadonlyMap<string, LeavesGiven>

/** What came of asking by ids that only look like somebody's. */
export interface BatteryResult {
  readonly is: 'passed' | 'unanswered' | 'disproved'
  /** In which ways they brought the same leaves, though no two known people's ids are alike in that way. */
  readonly alike: readonly Likeness[]
  /** One of the ids that brought somebody's leaves, or for which nothing was answered, where it is not passed. */
  readonly culprit?: string | undefined
}

/** These people's leaves, and those of others until there are `most` who have some. */
export async function addAnswers(
  { connection }: ProofDeps,
  answers: LeavesByPerson,
  { people, most }: { readonly people: readonly string[]; readonly most: number },
  signal: AbortSignal,
): Promise<LeavesByPerson> {
  const all = new Map(answers)
  for (const employee of people) {
    if (all.size >= most || all.has(employee)) continue
    const reply = await askLeaves(connection, employee, signal)
    if (areGiven(reply) && reply.ids.size > 0) all.set(employee, reply)
  }
  return all
}

/** Asks by ids that look like those of these people, whose leaves are known. */
export async function runBattery(
  deps: ProofDeps,
  answers: LeavesByPerson,
  signal: AbortSignal,
): Promise<BatteryResult> {
  const results = await Promise.all(
    [...answers].map(([userId, own]) => tryPerson(deps, userId, own, signal)),
  )
  const alike = [...new Set(results.flatMap((result) => result.alike))]
  const worst =
    results.find(({ is }) => is === 'disproved') ?? results.find(({ is }) => is === 'unanswered')
  return { ...(worst ?? { is: 'passed' }), alike }
}

async function tryPerson(
  { connection, people, proofs }: ProofDeps,
  userId: string,
  own: LeavesGiven,
  signal: AbortSignal,
): Promise<BatteryResult> {
  const companyId = connection.company.id
  const similar = similarIds(userId)
  const ids = similar.map(({ id }) => id)
  const known = new Set(await people.findPeople(companyId, ids))
  const tried = similar.filter(({ id, likeness }) => likeness !== 'part' || !known.has(id))
  const replies = await Promise.all(
    tried.map(({ id }) => askLeaves(connection, id, signal, own.pages)),
  )
  const overlapping = tried.filter((_, index) =>
    shares(own.ids, idsIn(replies[index] ?? 'refused')),
  )
  const near = await people.listAlike(companyId, userId, alikeMax)
  const alike = overlapping.map(({ likeness }) => likeness)
  // Case and leading zeros matter only where two people are told apart by nothing else.
  const disproves = ({ likeness }: SimilarId): boolean =>
    likeness === 'part' || near.some((id) => areAlikeBy(likeness, userId, id))
  const culprit = overlapping.find(disproves)?.id
  if (culprit !== undefined) return { is: 'disproved', alike, culprit }
  for (const [index, { id }] of tried.entries()) {
    if (replies[index] !== 'unanswered') continue
    // What is somebody's is nobody else's, whether they are answered for or not.
    const isUnowned = (await proofs.listOwned(connection.id, id)).length === 0
    if (isUnowned) return { is: 'unanswered', alike, culprit: id }
  }
  return { is: 'passed', alike }
}
