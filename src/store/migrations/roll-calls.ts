/* A step of the history: before somebody's feeds are closed everybody else in feeds is asked. */
import type { SchemaQueries } from '../../database/migrate.ts'

export async function addRollCalls({ schema }: SchemaQueries): Promise<void> {
  await schema
    .alterTable('departures')
    .addColumn('cleared', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .alterTable('look_rounds')
    .addColumn('called_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
