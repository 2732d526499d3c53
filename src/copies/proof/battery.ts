import type { Connection } from '../../domain/connection.ts'
import type { LeaveProofStore } from '../../domain/leave.ts'
import type { KnownPeople } from '../../domain/person.ts'
import { shares } from './comparison.ts'
import { areGiven, askLeaves, idsIn, type LeavesGiven } from './leaves-reply.ts'
import { areAlikeBy, type Likeness, type SimilarId, similarIds } from './similar-ids.ts'

/** Of so many people the alike ones are looked for. */
const alikeMax = 20

interface BatteryDeps {
  readonly connection: Connection
  readonly people: KnownPeople
  readonly proofs: Pick<LeaveProofStore, 'listOwned'>
}

/** What came of asking by ids that only look like somebody's. */
export interface BatteryResult {
  readonly is: 'passed' | 'unanswered' | 'disproved'
  /** In which ways they brought the same leaves, though no two known people's ids are alike in that way. */
  readonly alike: readonly Likeness[]
  /** One of the ids that brought somebody's leaves, or for which nothing was answered, where it is not passed. */
  readonly culprit?: string | undefined
}

interface KnownAnswers {
  readonly answers: ReadonlyMap<string, LeavesGiven>
  /** Who can be asked besides. */
  readonly people: readonly string[]
  readonly most: number
}

/** These people's leaves, and those of others until there are enough who have some. */
export async function addAnswers(
  { connection: { api } }: Pick<BatteryDeps, 'connection'>,
  { answers, people, most }: KnownAnswers,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, LeavesGiven>> {
  const all = new Map(answers)
  for (const employee of people) {
    if (all.size >= most || all.has(employee)) continue
    const reply = await askLeaves({ api, signal, employee })
    if (areGiven(reply) && reply.ids.size > 0) all.set(employee, reply)
  }
  return all
}

/** Asks by ids that look like those of these people, whose leaves are known. */
export async function runBattery(
  deps: BatteryDeps,
  answers: ReadonlyMap<string, LeavesGiven>,
  signal: AbortSignal,
): Promise<BatteryResult> {
  const results = await Promise.all(
    [...answers].map(([userId, own]) => tryPerson(deps, { userId, own }, signal)),
  )
  const alike = [...new Set(results.flatMap((result) => result.alike))]
  const failed = (['disproved', 'unanswered'] as const).flatMap((is) =>
    results.filter((one) => one.is === is),
  )
  return { ...(failed[0] ?? { is: 'passed' }), alike }
}

interface Tried {
  readonly userId: string
  readonly own: LeavesGiven
}

async function tryPerson(
  deps: BatteryDeps,
  { userId, own }: Tried,
  signal: AbortSignal,
): Promise<BatteryResult> {
  const { connection, people } = deps
  const { api, company } = connection
  const similar = similarIds(userId)
  const known = new Set(
    await people.findPeople(
      company.id,
      similar.map(({ id }) => id),
    ),
  )
  const tried = similar.filter(({ id, likeness }) => likeness !== 'part' || !known.has(id))
  const alongside = own.pages
  const replies = await Promise.all(
    tried.map(({ id: employee }) => askLeaves({ api, signal, employee, alongside })),
  )
  const overlapping = tried.filter((_, index) =>
    shares(own.ids, idsIn(replies[index] ?? 'refused')),
  )
  const near = await people.listAlike(company.id, userId, alikeMax)
  const alike = overlapping.map(({ likeness }) => likeness)
  const culprit = overlapping.find((one) => disproves(one, userId, near))?.id
  if (culprit !== undefined) return { is: 'disproved', alike, culprit }
  const unanswered = tried.filter((_, index) => replies[index] === 'unanswered')
  const silent = await firstUnowned(deps, unanswered)
  return silent === undefined
    ? { is: 'passed', alike }
    : { is: 'unanswered', alike, culprit: silent }
}

/** The first of these ids whose leaves are not known: what is somebody's is nobody else's, whether they are answered for or not. */
async function firstUnowned(
  { connection, proofs }: BatteryDeps,
  similar: readonly SimilarId[],
): Promise<string | undefined> {
  for (const { id } of similar) {
    if ((await proofs.listOwned(connection.id, id)).length === 0) return id
  }
  return undefined
}

/** Case and leading zeros matter only where two people are told apart by nothing else. */
function disproves({ likeness }: SimilarId, userId: string, near: readonly string[]): boolean {
  return likeness === 'part' || near.some((id) => areAlikeBy(likeness, userId, id))
}
