import { type Kysely, type RawBuilder, sql } from 'kysely'

import type { Database } from '../database/database.ts'
import {
  isComplete,
  type ComparablePerson,
  type KnownMember,
  type Newcomer,
  type NewcomerStore,
  type PersonInCompany,
} from '../domain/person.ts'
import type { Instant } from '../domain/world.ts'
import { peopleInFeeds, knownIdentity } from './people.ts'
import { changeRow, inParts } from './rows.ts'
import type { NewcomerRow, PersonRow, StoreTables } from './tables.ts'

const idsAtOnce = 1000
/** The person is to be read again, whatever was known of them. */
const unknown = {
  first_name: null,
  last_name: null,
  email: null,
  folded_email: null,
  known_name: null,
  known_mail: null,
  state: 'unread',
  read_at: null,
  due_at: 0,
} as const

/** Ids that may have become somebody else's, one row each. */
export class SqlNewcomerStore implements NewcomerStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findNewcomer(companyId: string, userId: string): Promise<Newcomer | undefined> {
    const row = await this.#newcomers(companyId).where('user_id', '=', userId).executeTakeFirst()
    return row && newcomerOf(row)
  }

  async listNewcomers(companyId: string): Promise<readonly Newcomer[]> {
    return (await this.#newcomers(companyId).orderBy('user_id').execute()).map(newcomerOf)
  }

  async addNewcomer({ companyId, userId, since, readAt, confirmedAt }: Newcomer): Promise<void> {
    await this.#queries
      .insertInto('newcomers')
      .values({
        company_id: companyId,
        user_id: userId,
        since,
        read_at: readAt,
        confirmed_at: confirmedAt,
      })
      .onConflict((known) => known.doNothing())
      .execute()
  }

  noteRead(newcomer: PersonInCompany, before: Instant, readAt: Instant): Promise<boolean> {
    const row = this.#row(newcomer).where('read_at', '=', before)
    return changeRow(row.set({ read_at: readAt }))
  }

  confirmNewcomer(newcomer: PersonInCompany, confirmedAt: Instant): Promise<boolean> {
    const row = this.#row(newcomer).where('confirmed_at', 'is', null)
    return changeRow(row.set({ confirmed_at: confirmedAt }))
  }

  forgetNewcomer(newcomer: PersonInCompany): Promise<boolean> {
    return deleteNewcomer(this.#queries, newcomer)
  }

  settleNewcomer(newcomer: PersonInCompany): Promise<boolean> {
    const { companyId, userId } = newcomer
    return this.#queries.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('people')
        .set(unknown)
        .where('company_id', '=', companyId)
        .where('user_id', '=', userId)
        .execute()
      await transaction
        .deleteFrom('sessions')
        .where('company_id', '=', companyId)
        .where('user_id', '=', userId)
        .execute()
      return deleteNewcomer(transaction, newcomer)
    })
  }

  async listComparable(companyId: string, limit: number): Promise<readonly ComparablePerson[]> {
    const present = sql<boolean>`state = 'active'
      and not exists (select 1 from departures where departures.company_id = people.company_id
        and departures.user_id = people.user_id)`
    const here = await this.#listKnown(companyId, limit, present)
    return here.length > 0 ? here : this.#listKnown(companyId, limit, sql`true`)
  }

  async #listKnown(
    companyId: string,
    limit: number,
    condition: RawBuilder<boolean>,
  ): Promise<readonly ComparablePerson[]> {
    const { rows } = await sql<PersonRow>`select people.* from people
      where company_id = ${companyId} and ${condition}
        and ((known_name is not null and known_mail is not null)
          or (email is not null and (first_name is not null or last_name is not null)))
        and not exists (select 1 from newcomers where newcomers.company_id = people.company_id
          and newcomers.user_id = people.user_id)
      order by exists (select 1 from feed_users join feeds on feeds.id = feed_users.feed_id
        where feed_users.user_id = people.user_id and feeds.company_id = people.company_id
          and feeds.revoked_at is null and feeds.closed_at is null) desc, user_id
      limit ${limit}`.execute(this.#queries)
    return rows
      .map((row) => ({ userId: row.user_id, known: knownIdentity(row) }))
      .filter(({ known }) => isComplete(known))
  }

  async listKnownMembers(
    companyId: string,
    userIds: readonly string[],
  ): Promise<readonly KnownMember[]> {
    const members: KnownMember[] = []
    for (const ids of inParts(userIds, idsAtOnce)) {
      const rows = await this.#queries
        .selectFrom('people')
        .select(['user_id', 'first_name', 'last_name', 'email', 'known_name', 'known_mail'])
        .select('read_at')
        .where('company_id', '=', companyId)
        .where('user_id', 'in', ids)
        .where((person) =>
          person.exists(
            peopleInFeeds(this.#queries)
              .select('feeds.id')
              .where('feed_users.user_id', '=', person.ref('people.user_id'))
              .where('feeds.company_id', '=', companyId)
              .where('feeds.revoked_at', 'is', null)
              .where('feeds.closed_at', 'is', null),
          ),
        )
        .execute()
      for (const row of rows) {
        const known = knownIdentity(row)
        const { user_id: userId, read_at: readAt } = row
        if (isComplete(known)) members.push({ userId, name: known.name, readAt })
      }
    }
    return members
  }

  #newcomers(companyId: string) {
    return this.#queries.selectFrom('newcomers').selectAll().where('company_id', '=', companyId)
  }

  #row({ companyId, userId }: PersonInCompany) {
    return this.#queries
      .updateTable('newcomers')
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
  }
}

async function deleteNewcomer(
  queries: Kysely<StoreTables>,
  { companyId, userId }: PersonInCompany,
): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('newcomers')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

function newcomerOf(row: NewcomerRow): Newcomer {
  return {
    companyId: row.company_id,
    userId: row.user_id,
    since: row.since,
    readAt: row.read_at,
    confirmedAt: row.confirmed_at,
  }
}
