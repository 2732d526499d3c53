import { randomUUID } from 'node:crypto'

import type { Database } from '../../database/database.ts'
import type { LostLinkStore } from '../../domain/access/lost-link.ts'
import type { PersonInCompany } from '../../domain/person.ts'
import type { Instant } from '../../domain/world.ts'
import type { StoreTables } from '../tables.ts'

/** Who was mailed a lost link lately. */
export class SqlLostLinkStore implements LostLinkStore {
  readonly #database: Database<StoreTables>

  constructor(database: Database<StoreTables>) {
    this.#database = database
  }

  takeTurn(
    { companyId, userId }: PersonInCompany,
    { now, since, most }: Parameters<LostLinkStore['takeTurn']>[1],
  ): Promise<boolean> {
    const { queries, takeTurn } = this.#database
    return queries.transaction().execute(async (transaction) => {
      await takeTurn(transaction, 'lost links')
      await transaction.deleteFrom('lost_links').where('asked_at', '<', since).execute()
      const { asked } = await transaction
        .selectFrom('lost_links')
        .select(({ fn }) => fn.countAll<number>().as('asked'))
        .where('company_id', '=', companyId)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      if (asked >= most) return false
      const row = { company_id: companyId, user_id: userId, asked_at: now, id: randomUUID() }
      await transaction.insertInto('lost_links').values(row).execute()
      return true
    })
  }

  async returnTurn({ companyId, userId }: PersonInCompany, now: Instant): Promise<void> {
    await this.#database.queries
      .deleteFrom('lost_links')
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .where('asked_at', '=', now)
      .execute()
  }
}
