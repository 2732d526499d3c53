import type { Kysely } from 'kysely'

import type { Database } from '../../database/database.ts'
import { foldedMail, type PeopleByMail, type PersonByMail } from '../../domain/person.ts'
import type { PersonRow, StoreTables } from '../tables.ts'

type FoundRow = Pick<
  PersonRow,
  'company_id' | 'user_id' | 'state' | 'first_name' | 'last_name' | 'email'
> & { readonly left_at: number | null; readonly is_held: unknown }

/** Finds people of the directory as a sign-in names them. */
export class SqlPeopleByMail implements PeopleByMail {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findByMail(email: string): Promise<readonly PersonByMail[]> {
    const rows = await this.#people().where('folded_email', '=', foldedMail(email)).execute()
    return rows
      .filter((row) => !row.is_held)
      .map((row) => ({ ...foundOf(row), email: row.email ?? '' }))
  }

  async findById(userId: string): Promise<readonly Omit<PersonByMail, 'email'>[]> {
    const rows = await this.#people().where('people.user_id', '=', userId).execute()
    return rows.map(foundOf)
  }

  #people() {
    return this.#queries
      .selectFrom('people')
      .leftJoin('departures', (both) =>
        both
          .onRef('departures.company_id', '=', 'people.company_id')
          .onRef('departures.user_id', '=', 'people.user_id'),
      )
      .select((person) =>
        person
          .exists(
            person
              .selectFrom('newcomers')
              .select('newcomers.user_id')
              .whereRef('newcomers.company_id', '=', 'people.company_id')
              .whereRef('newcomers.user_id', '=', 'people.user_id'),
          )
          .as('is_held'),
      )
      .select(['people.company_id', 'people.user_id', 'people.state'])
      .select(['first_name', 'last_name', 'email', 'left_at'])
      .orderBy('people.company_id')
      .orderBy('people.user_id')
  }
}

function foundOf(row: FoundRow): Omit<PersonByMail, 'email'> {
  return {
    companyId: row.company_id,
    userId: row.user_id,
    // Whose an id is that may be somebody else's by now is not known: nobody signs in by it.
    state: row.is_held ? 'unread' : row.state,
    firstName: row.first_name,
    lastName: row.last_name,
    hasLeft: row.left_at !== null,
  }
}
