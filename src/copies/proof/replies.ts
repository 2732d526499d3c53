/* Asking for people's leaves, by their ids and by ids that only look like theirs, and comparing what comes. */
import { randomBytes } from 'node:crypto'

import type { Connection } from '../../domain/connection.ts'
import { asAppError } from '../../domain/errors.ts'
import type { LeaveProofReason } from '../../domain/leave.ts'

/** What came of asking for somebody's leaves: `refused` says that the Read API has none to give, `unanswered` says nothing. */
export type LeavesReply = LeavesGiven | 'refused' | 'unanswered'

/** Every leave that came, whether it can be read or not. */
export interface LeavesGiven {
  readonly ids: ReadonlySet<string>
  readonly nameless: number
  readonly pages: readonly string[]
}

export type LeavesReplies = ReadonlyMap<string, LeavesReply>

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

/**
 * Asks for leaves by a reading of its own; without an employee, by a request without the parameter. `alongside` are the pages of
 * the answer that this one is compared with: a filter may hold on the first page alone. Fails only with what is no fault of
 * the Read API.
 */
export async function askLeaves(
  { api }: Connection,
  employee: string | undefined,
  signal: AbortSignal,
  alongside: readonly string[] = [],
): Promise<LeavesReply> {
  try {
    const filter = employee === undefined ? {} : { employee }
    const asking = { signal, bypassCache: true, isUrgent: true, alongside }
    const { ids, nameless, pages } = await api.list('leaves', filter, asking)
    return { ids: new Set(ids), nameless, pages }
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

export function areGiven(reply: LeavesReply): reply is LeavesGiven {
  return typeof reply !== 'string'
}

export function idsIn(reply: LeavesReply): ReadonlySet<string> {
  return areGiven(reply) ? reply.ids : new Set()
}

/** Whether there are some, readable or not. */
export function hasLeaves(reply: LeavesReply): boolean {
  return areGiven(reply) && reply.ids.size + reply.nameless > 0
}

/** Whether one holds all that the other holds, two or more: single ones may be booked for both. */
export function areSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return Math.min(one.size, other.size) >= 2 && (one.isSubsetOf(other) || other.isSubsetOf(one))
}

export function shares(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return !one.isDisjointFrom(other)
}

export function areEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.isSubsetOf(other)
}

/** What was asked beside a person's own leaves. */
export interface Compared {
  readonly own: LeavesGiven
  /** Of an employee who cannot exist. */
  readonly nobody: LeavesReply
  /** Of the person's id with its last character cut off; undefined where that is nothing, or somebody's. */
  readonly cut: LeavesReply | undefined
  /** Of other people, by their ids. */
  readonly others: LeavesReplies
  /** Of people who were asked for moments ago, with nothing of the person's own in them. */
  readonly recent: readonly LeavesReply[]
}

/** `differs`: at least one of the answers was given and is another. */
export type Comparison =
  | { readonly is: 'clean'; readonly differs: boolean }
  | { readonly is: 'unanswered' }
  | { readonly is: 'disproved'; readonly reason: LeaveProofReason }

/** Whether the answer can be the person's own; `needsOthers`: one of the other people has to have answered. */
export function compare(
  { own, nobody, cut, others, recent }: Compared,
  needsOthers = false,
): Comparison {
  if (hasLeaves(nobody)) return { is: 'disproved', reason: 'canary_not_empty' }
  if (cut && shares(own.ids, idsIn(cut))) return { is: 'disproved', reason: 'similar_id' }
  const replies = [...others.values()]
  if (replies.some((reply) => areSame(own.ids, idsIn(reply)))) {
    return { is: 'disproved', reason: 'two_employees' }
  }
  const isSilent =
    needsOthers && replies.length > 0 && replies.every((reply) => reply === 'unanswered')
  if (nobody === 'unanswered' || cut === 'unanswered' || isSilent) return { is: 'unanswered' }
  const all = [nobody, ...(cut ? [cut] : []), ...replies, ...recent]
  const differs = all.some((reply) => areGiven(reply) && !areEqual(own.ids, reply.ids))
  return { is: 'clean', differs }
}

/** A user id that nobody has. */
export function unknownEmployee(): string {
  return `usr_${randomBytes(16).toString('hex')}`
}

/** Without its last character: a filter by the beginning of the id takes it for this one. Undefined where nothing is left. */
export function withoutLast(id: string): string | undefined {
  return Array.from(id).slice(0, -1).join('') || undefined
}

/** How an id looks like another. */
export type Likeness = 'part' | 'case' | 'zero'

export interface SimilarId {
  readonly id: string
  readonly likeness: Likeness
}

/**
 * All ids by which a filter is tried that takes a part, a pattern, the case or the number for the id itself: without the first
 * character, with a wildcard of SQL or of the shell in place of the last one, in the other case letter by letter, and with a
 * zero before the first number.
 */
export function similarIds(id: string): readonly SimilarId[] {
  const start = withoutLast(id) ?? ''
  const parts = [Array.from(id).slice(1).join(''), ...['%', '_', '*'].map((it) => start + it)]
  const otherCase = Array.from(id, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  const all: readonly SimilarId[] = [
    ...parts.map((part) => ({ id: part, likeness: 'part' as const })),
    { id: otherCase.join(''), likeness: 'case' },
    { id: id.replace(/\d+/, '0$&'), likeness: 'zero' },
  ]
  return all.filter((similar) => similar.id !== '' && similar.id !== id)
}

/** Whether two ids are the same but for case, or but for zeros that lead a number. */
export function areAlikeBy(likeness: Likeness, one: string, other: string): boolean {
  if (one === other) return false
  if (likeness === 'case') return one.toLowerCase() === other.toLowerCase()
  return likeness === 'zero' && withoutZeros(one) === withoutZeros(other)
}

function withoutZeros(id: string): string {
  return id.replaceAll(/(?<!\d)0+(?=\d)/g, '')
}
