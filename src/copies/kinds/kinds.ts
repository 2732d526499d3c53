import { collectionKey } from '../../domain/copy.ts'
import { type CollectionKind, collectionKinds } from '../../domain/kinds.ts'
import { invoices } from './invoices.ts'
import type { Kind } from './kind.ts'
import { leaves } from './leaves.ts'
import { schedules } from './schedules.ts'
import { tasks } from './tasks.ts'
import { timesheets } from './timesheets.ts'
import { users } from './users.ts'

/** All kinds of collections, each by itself in a file of its own. */
export const kinds: { readonly [K in CollectionKind]: Kind<K> } = {
  leaves,
  schedules,
  timesheets,
  tasks,
  invoice: invoices,
  user: users,
}

/** The keys of all copies that are of this person alone. */
export function personalKeys(userId: string): readonly string[] {
  return collectionKinds
    .filter((kind) => kinds[kind].isPersonal)
    .map((kind) => collectionKey({ kind, subject: userId }))
}
