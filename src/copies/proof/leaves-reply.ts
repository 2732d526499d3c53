import { asAppError } from '../../domain/errors.ts'
import type { Answer, ReadApi } from '../../domain/read-api.ts'

/** What came of asking for somebody's leaves: `refused` says that the Read API has none to give, `unanswered` says nothing. */
export type LeavesReply = LeavesGiven | 'refused' | 'unanswered'

/** Every leave that came, whether it can be read or not. */
export interface LeavesGiven {
  readonly ids: ReadonlySet<string>
  readonly nameless: number
  readonly pages: readonly string[]
}

/** The leaves that came for a person. */
export interface PersonsAnswer extends LeavesGiven {
  readonly userId: string
  /** Those that are kept; undefined where none ever were. */
  readonly kept: ReadonlySet<string> | undefined
  /** Whether they were asked for without a feed. */
  readonly ofDraft: boolean
}

/** Answers to a request for an employee that are as good as an empty list. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 410, 422])

interface LeavesQuestion {
  readonly api: ReadApi
  readonly signal: AbortSignal
  /** Left out for a request without the parameter. */
  readonly employee?: string
  /** Of the answer that this one is compared with: a filter may hold on the first page alone. */
  readonly alongside?: readonly string[]
}

/** Asks for leaves by a reading of its own. Fails only with what is no fault of the Read API. */
export async function askLeaves(question: LeavesQuestion): Promise<LeavesReply> {
  const { api, signal, employee, alongside = [] } = question
  try {
    const filter = employee === undefined ? {} : { employee }
    const asking = { signal, anew: true, isUrgent: true, alongside }
    return leavesIn(await api.list('leaves', filter, asking))
  } catch (error) {
    const fault = asAppError(error)
    if (!fault) throw error
    return isRefusal(fault.status) ? 'refused' : 'unanswered'
  }
}

/** Whether a status says that there are none for that employee. */
export function isRefusal(status: number | undefined): boolean {
  return status !== undefined && refusals.has(status)
}

/** The leaves of an answer, whose they may be. */
function leavesIn(answer: Pick<Answer<unknown>, 'ids' | 'nameless' | 'pages'>): LeavesGiven {
  const { ids, nameless, pages } = answer
  return { ids: new Set(ids), nameless, pages }
}

/** Whether there are leaves at all. */
export function areGiven(reply: LeavesReply): reply is LeavesGiven {
  return typeof reply !== 'string'
}

/** The leaves of a reply, none where there are none. */
export function idsIn(reply: LeavesReply): ReadonlySet<string> {
  return areGiven(reply) ? reply.ids : new Set()
}

/** Whether the Read API says that there are none. */
export function isNone(reply: LeavesReply): boolean {
  return reply === 'refused' || (areGiven(reply) && reply.ids.size + reply.nameless === 0)
}

/** Whether there are some, readable or not. */
export function hasLeaves(reply: LeavesReply): boolean {
  return areGiven(reply) && reply.ids.size + reply.nameless > 0
}
