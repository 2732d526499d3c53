/* Steps of the history: whose each leave is and since when, and what is not believed yet. */
import { sql } from 'kysely'

import type { SchemaQueries } from '../../database/migrate.ts'

/** A leave that had come for one employee is theirs; one that had come for several is nobody's. */
export async function addOwners(queries: SchemaQueries): Promise<void> {
  const { schema } = queries
  await schema
    .alterTable('leave_owners')
    .addColumn('is_owner', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .alterTable('leave_owners')
    .addColumn('since', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema.alterTable('leave_owners').addColumn('absent_since', 'bigint').execute()
  await sql`update leave_owners set is_owner = 1 where contested = 0`.execute(queries)
  await schema
    .createIndex('leaves_of_owner')
    .on('leave_owners')
    .columns(['connection_id', 'user_id', 'leave_id'])
    .execute()
  await schema.alterTable('proofs').addColumn('battery_at', 'bigint').execute()
  await schema.alterTable('proofs').addColumn('tried_at', 'bigint').execute()
  await schema.alterTable('proofs').addColumn('credential', 'text').execute()
}

/** What was answered after a copy and is not believed yet, and what of a copy could not be read since. */
export async function addDoubts({ schema }: SchemaQueries): Promise<void> {
  await schema.alterTable('copies').addColumn('doubt', 'text').execute()
  await schema.alterTable('copies').addColumn('held', 'text').execute()
  await schema.alterTable('copies').addColumn('emptied_at', 'bigint').execute()
  await schema
    .createIndex('doubted_copies')
    .on('copies')
    .columns(['connection_id', 'key'])
    .where(sql.ref('doubt'), 'is not', null)
    .execute()
}

/** Whether a leave stays away since its owner is refused or has left. */
export async function markGoneOwners({ schema }: SchemaQueries): Promise<void> {
  await schema
    .alterTable('leave_owners')
    .addColumn('is_gone', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
