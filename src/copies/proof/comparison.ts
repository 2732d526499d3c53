/* What the answers for others say of a person's answer. Pure. */
import type { LeaveProofReason } from '../../domain/leave.ts'
import { areGiven, hasLeaves, idsIn, type LeavesGiven, type LeavesReply } from './leaves-reply.ts'

/** What was asked beside a person's own leaves. */
export interface Compared {
  readonly own: LeavesGiven
  /** Of an employee who cannot exist. */
  readonly nobody: LeavesReply
  /** Of the person's id with its last character cut off; undefined where that is nothing, or somebody's. */
  readonly cut: LeavesReply | undefined
  /** Of other people, by their ids. */
  readonly others: ReadonlyMap<string, LeavesReply>
  /** Of people who were asked for moments ago, with nothing of the person's own in them. */
  readonly recent: readonly LeavesReply[]
  /** Whether one of them has to have answered. */
  readonly needsOthers?: boolean
}

/** `differs`: at least one of the answers was given and is another. */
export type Comparison =
  | { readonly is: 'clean'; readonly differs: boolean }
  | { readonly is: 'unanswered' }
  | { readonly is: 'disproved'; readonly reason: LeaveProofReason }

const unanswered: Comparison = { is: 'unanswered' }

/** Whether the answer can be the person's own. */
export function compare({ own, nobody, cut, others, recent, needsOthers }: Compared): Comparison {
  if (hasLeaves(nobody)) return disproved('canary_not_empty')
  if (cut && shares(own.ids, idsIn(cut))) return disproved('similar_id')
  const replies = [...others.values()]
  if (replies.some((reply) => areSame(own.ids, idsIn(reply)))) return disproved('two_employees')
  const isSilent = needsOthers === true && areSilent(replies)
  if (nobody === 'unanswered' || cut === 'unanswered' || isSilent) return unanswered
  const all = [nobody, ...(cut ? [cut] : []), ...replies, ...recent]
  return {
    is: 'clean',
    differs: all.some((reply) => areGiven(reply) && !areEqual(own.ids, reply.ids)),
  }
}

function areSilent(replies: readonly LeavesReply[]): boolean {
  return replies.length > 0 && replies.every((reply) => reply === 'unanswered')
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

function disproved(reason: LeaveProofReason): Comparison {
  return { is: 'disproved', reason }
}
