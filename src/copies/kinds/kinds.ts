import type { Connection } from '../../domain/connection.ts'
import { collectionKey } from '../../domain/copy.ts'
import { type CollectionKind, collectionKinds } from '../../domain/kinds.ts'
import type { PersonInCompany } from '../../domain/person.ts'
import { invoices } from './invoices.ts'
import type { CollectionRequest, Kind } from './kind.ts'
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

/** What is of one person is kept only while a feed has them; undefined for all else, and for what is asked for without a feed. */
export function personInFeed(
  { company }: Connection,
  { collection, ofDraft }: CollectionRequest,
): PersonInCompany | undefined {
  if (ofDraft || !kinds[collection.kind].isPersonal) return undefined
  return { companyId: company.id, userId: collection.subject }
}
