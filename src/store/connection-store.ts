import { sql, type Transaction } from 'kysely'

import type { Database } from '../database/database.ts'
import type { AdoptedConnection, ConnectionStore } from '../domain/connection.ts'
import { headColumns } from './copies.ts'
import type { StoreTables } from './tables.ts'

/** What is kept of connections, whatever it is. */
export class SqlConnectionStore implements ConnectionStore {
  readonly #database: Database<StoreTables>

  constructor(database: Database<StoreTables>) {
    this.#database = database
  }

  async adopt({ from, to, credential }: AdoptedConnection): Promise<void> {
    const { queries, takeTurn } = this.#database
    await queries.transaction().execute(async (transaction) => {
      await takeTurn(transaction, `connection:${to}`)
      if ((await holds(transaction, to)) || !(await holds(transaction, from))) return
      await moveCopies(transaction, from, to)
      await transaction.deleteFrom('examinations').where('connection_id', '=', to).execute()
      for (const table of ['leave_owners', 'proofs', 'examinations'] as const) {
        await transaction
          .updateTable(table)
          .set({ connection_id: to })
          .where('connection_id', '=', from)
          .execute()
      }
      await transaction
        .updateTable('proofs')
        .set({ credential })
        .where('connection_id', '=', to)
        .execute()
    })
  }
}

/** An examination alone is nothing: it is made again. */
async function holds(
  transaction: Transaction<StoreTables>,
  connectionId: string,
): Promise<boolean> {
  for (const table of ['copies', 'proofs', 'leave_owners'] as const) {
    const row = await transaction
      .selectFrom(table)
      .select('connection_id')
      .where('connection_id', '=', connectionId)
      .limit(1)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}

/** The records hang on their copies, so these are made again before those are moved. */
async function moveCopies(
  transaction: Transaction<StoreTables>,
  from: string,
  to: string,
): Promise<void> {
  const columns = sql.raw(headColumns.join(', '))
  await sql`insert into copies (connection_id, ${columns})
    select ${to}, ${columns} from copies where connection_id = ${from}`.execute(transaction)
  await transaction
    .updateTable('copy_records')
    .set({ connection_id: to })
    .where('connection_id', '=', from)
    .execute()
  await transaction.deleteFrom('copies').where('connection_id', '=', from).execute()
}
