import type { SchemaQueries } from '../../database/migrate.ts'

/** Tables by the words that the program has for what is in them; their keys and indexes keep their names, which SQLite cannot change. */
export async function renameTables({ schema }: SchemaQueries): Promise<void> {
  await schema.alterTable('snapshot_heads').renameTo('copies').execute()
  await schema.alterTable('snapshot_bodies').renameTo('copy_records').execute()
  await schema.alterTable('leavers').renameTo('departures').execute()
}
