import type { PersonState } from '../../domain/departure.ts'
import { answerOf } from '../../domain/read-api.ts'
import type { User } from '../../domain/user.ts'
import { anyScope, type Kind } from './kind.ts'

/** A person's name, and whether they have left; every feed needs those of its people. */
export const users: Kind<'user'> = {
  shownAs: null,
  neededBy: [],
  isPersonal: true,
  mayBeMissing: false,
  freshMs: 12 * 3_600_000,
  subjectsOf: ({ userIds }) => userIds,
  scopeOf: () => anyScope,
  // Who somebody is decides what else of them may be kept: no cache speaks for the API, and other answers wait for this one.
  read: async ({ collection }, { api, signal }) =>
    answerOf([await api.get('user', collection.subject, { signal, anew: true, isUrgent: true })]),
  keep: ({ id, firstName, lastName, isActive }) => ({ id, firstName, lastName, isActive }),
}

/** What a user says of itself: only an explicit `false` means that the person has left. */
export function personState({ isActive }: Pick<User, 'isActive'>): PersonState {
  return isActive === false ? 'user_inactive' : 'active'
}
