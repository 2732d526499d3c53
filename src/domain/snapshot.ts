import type { WindowOption } from './feed-options.ts'
import type { Instant } from './instant.ts'
import type { CollectionKind, RecordOf } from './kinds.ts'

/** One thing the Read API can be asked for; `subject` is the user, project or invoice id, empty for schedules. */
export interface Collection<K extends CollectionKind = CollectionKind> {
  readonly kind: K
  readonly subject: string
}

/** The kinds whose collections are of one user each, named by `subject`. */
export const personalKinds: readonly CollectionKind[] = ['user', 'leaves', 'timesheets']

/** The collection's name within a connection: `leaves:usr_1`, `schedules`. */
export function collectionKey({ kind, subject }: Collection): string {
  return subject === '' ? kind : `${kind}:${subject}`
}

/** What is known of a kept copy without opening its records. */
export interface SnapshotHead {
  readonly key: string
  readonly contentHash: string
  /** When the refresh that brought it was sent off: the later one wins. */
  readonly begunAt: Instant
  /** When the Read API last confirmed this content. */
  readonly fetchedAt: Instant
  /** The widest window that was asked for, where the collection is asked for by window. */
  readonly reach: WindowOption | null
  /** Since when the Read API has answered that there is no such thing (404, 410); null while there is. */
  readonly missingSince: Instant | null
  /** Whether a copy of leaves holds their reasons; absent where it does not. */
  readonly withReasons?: boolean
}

/** The last good copy of one collection. */
export interface Snapshot<K extends CollectionKind = CollectionKind> extends SnapshotHead {
  readonly records: readonly RecordOf[K][]
}
