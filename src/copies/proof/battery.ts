/* Requests leaves by ids that only look like a person's, to find filters that compare carelessly. */
import { listWithLeaves } from './others.ts'
import { passBattery, type ProofDeps, setProof } from './proof-state.ts'
import { areGiven, askLeaves, idsIn, type LeavesGiven, shares, withoutLast } from './replies.ts'

const batteryPeople = 3
const alikeMax = 20

export type LeavesByPerson = ReadonlyMap<string, LeavesGiven>

export type Likeness = 'part' | 'case' | 'zero'

export interface BatteryResult {
  readonly is: 'passed' | 'unanswered' | 'disproved'
  /** The ways in which a similar id returned the same leaves without harm, since no two known ids are alike in that way. */
  readonly alike: readonly Likeness[]
  /** Unless passed: an id that returned the person's leaves, or got no answer. */
  readonly culprit?: string | undefined
}

/** Requests leaves by ids similar to those of these people and of others with leaves, and stores the result. */
export async function tryBattery(
  deps: ProofDeps,
  answers: LeavesByPerson,
  signal: AbortSignal,
): Promise<BatteryResult> {
  const all = new Map(answers)
  for (const employee of await listWithLeaves(deps, batteryPeople)) {
    if (all.size >= batteryPeople || all.has(employee)) continue
    const reply = await askLeaves(deps.connection, employee, signal)
    if (areGiven(reply) && reply.ids.size > 0) all.set(employee, reply)
  }
  if (all.size === 0) return { is: 'unanswered', alike: [] }
  const tried = [...all].map(([userId, own]) => tryPerson(deps, userId, own, signal))
  const results = await Promise.all(tried)
  const worst =
    results.find(({ is }) => is === 'disproved') ?? results.find(({ is }) => is === 'unanswered')
  if (!worst) await passBattery(deps)
  if (worst?.is === 'disproved') await setProof(deps, 'disproved', 'similar_id')
  const alike = [...new Set(results.flatMap((result) => result.alike))]
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
  const known = await people.findPeople(companyId, ids)
  const ofNobody = similar.filter(({ id, likeness }) => likeness !== 'part' || !known.includes(id))
  const tried = await Promise.all(
    ofNobody.map(async (it) => {
      return { ...it, reply: await askLeaves(connection, it.id, signal, own.pages) }
    }),
  )
  const overlapping = tried.filter(({ reply }) => shares(own.ids, idsIn(reply)))
  const alike = overlapping.map(({ likeness }) => likeness)
  const near = await people.listAlike(companyId, userId, alikeMax)
  // Case and leading zeros matter only if nothing else tells two people apart.
  const disproof = overlapping.find(
    ({ likeness }) => likeness === 'part' || near.some((id) => areAlikeBy(likeness, userId, id)),
  )
  if (disproof) return { is: 'disproved', alike, culprit: disproof.id }
  for (const { id, reply } of tried) {
    if (reply !== 'unanswered') continue
    // An id that owns leaves belongs to a person, so its missing answer says nothing about the filter.
    const isUnowned = (await proofs.listOwned(connection.id, id)).length === 0
    if (isUnowned) return { is: 'unanswered', alike, culprit: id }
  }
  return { is: 'passed', alike }
}

/** Returns ids that detect filters by part of the id, by a pattern of SQL or the shell, by any case, or by the number. */
function similarIds(id: string): readonly { readonly id: string; readonly likeness: Likeness }[] {
  const start = withoutLast(id) ?? ''
  const parts = [Array.from(id).slice(1).join(''), `${start}%`, `${start}_`, `${start}*`]
  const otherCase = Array.from(id, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  const all = [
    ...parts.map((part) => ({ id: part, likeness: 'part' as const })),
    { id: otherCase.join(''), likeness: 'case' as const },
    { id: id.replace(/\d+/, '0$&'), likeness: 'zero' as const },
  ]
  return all.filter((similar) => similar.id !== '' && similar.id !== id)
}

function areAlikeBy(likeness: 'case' | 'zero', one: string, other: string): boolean {
  const folded = (id: string): string =>
    likeness === 'case' ? id.toLowerCase() : id.replaceAll(/(?<!\d)0+(?=\d)/g, '')
  return one !== other && folded(one) === folded(other)
}
