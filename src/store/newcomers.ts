import { type RawBuilder, sql } from 'kysely'

import {
  type ComparablePerson,
  isComplete,
  type KnownMember,
  type NewcomerStore,
  type PersonInCompany,
  sortNameOf,
} from '../domain/person.ts'
import { knownIdentity } from './people.ts'
import { changeRow, inParts, isOpen, members } from './rows.ts'
import type { PersonRow, Queries, StoreDatabase } from './tables.ts'

const idsAtOnce = 1000
/** The person must be read again. */
const unknown = {
  firstName: null,
  lastName: null,
  email: null,
  foldedEmail: null,
  knownName: null,
  knownMail: null,
  state: 'unread',
  readAt: null,
  dueAt: 0,
} as const

export function newcomerStore({ queries }: StoreDatabase): NewcomerStore {
  const newcomersOf = (companyId: string) =>
    queries.selectFrom('newcomers').selectAll().where('companyId', '=', companyId)
  const rowOfPerson = ({ companyId, userId }: PersonInCompany) =>
    queries.updateTable('newcomers').where((of) => of.and({ companyId, userId }))
  const listKnown = async (
    companyId: string,
    limit: number,
    condition: RawBuilder<boolean>,
  ): Promise<readonly ComparablePerson[]> => {
    const { rows } = await sql<PersonRow>`select people.* from people
      where company_id = ${companyId} and ${condition}
        and ((known_name is not null and known_mail is not null)
          or (email is not null and (first_name is not null or last_name is not null)))
        and not exists (select 1 from newcomers where newcomers.company_id = people.company_id
          and newcomers.user_id = people.user_id)
      order by exists (select 1 from feed_users join feeds on feeds.id = feed_users.feed_id
        where feed_users.user_id = people.user_id and feeds.company_id = people.company_id
          and ${isOpen}) desc, user_id
      limit ${limit}`.execute(queries)
    return rows
      .map((row) => ({ userId: row.userId, known: knownIdentity(row) }))
      .filter(({ known }) => isComplete(known))
  }
  return {
    findNewcomer: (companyId, userId) =>
      newcomersOf(companyId).where('userId', '=', userId).executeTakeFirst(),
    listNewcomers: (companyId) => newcomersOf(companyId).orderBy('userId').execute(),
    async addNewcomer({ companyId, userId, since, readAt, confirmedAt }) {
      await queries
        .insertInto('newcomers')
        .values({ companyId, userId, since, readAt, confirmedAt })
        .onConflict((known) => known.doNothing())
        .execute()
    },
    noteRead: (newcomer, before, readAt) =>
      changeRow(rowOfPerson(newcomer).where('readAt', '=', before).set({ readAt })),
    confirmNewcomer: (newcomer, confirmedAt) =>
      changeRow(rowOfPerson(newcomer).where('confirmedAt', 'is', null).set({ confirmedAt })),
    forgetNewcomer: (newcomer) => deleteNewcomer(queries, newcomer),
    settleNewcomer: (newcomer, is) =>
      queries.transaction().execute(async (transaction) => {
        const { companyId, userId } = newcomer
        const person = transaction
          .updateTable('people')
          .where((of) => of.and({ companyId, userId }))
        const ofManager = { managerId: null, managerMissingSince: null }
        const forgotten = { ...unknown, ...(is === 'another' && ofManager) }
        await person.set({ ...forgotten, sortName: sortNameOf({ ...unknown, userId }) }).execute()
        const sessions = transaction.deleteFrom('sessions')
        await sessions.where((of) => of.and({ companyId, userId })).execute()
        return deleteNewcomer(transaction, newcomer)
      }),
    async listComparable(companyId, limit) {
      const present = sql<boolean>`state = 'active'
        and not exists (select 1 from departures where departures.company_id = people.company_id
          and departures.user_id = people.user_id)`
      const here = await listKnown(companyId, limit, present)
      return here.length > 0 ? here : listKnown(companyId, limit, sql`true`)
    },
    async listKnownMembers(companyId, userIds) {
      const known: KnownMember[] = []
      for (const ids of inParts(userIds, idsAtOnce)) {
        const rows = await queries
          .selectFrom('people')
          .selectAll()
          .where('companyId', '=', companyId)
          .where('userId', 'in', ids)
          .where((of) =>
            of.exists(
              members(queries)
                .select('feeds.id')
                .where('feedUsers.userId', '=', of.ref('people.userId'))
                .where('feeds.companyId', '=', companyId)
                .where(isOpen),
            ),
          )
          .execute()
        for (const row of rows) {
          const identity = knownIdentity(row)
          const { userId, readAt } = row
          if (isComplete(identity)) known.push({ userId, name: identity.name, readAt })
        }
      }
      return known
    },
  }
}

async function deleteNewcomer(
  queries: Queries,
  { companyId, userId }: PersonInCompany,
): Promise<boolean> {
  const newcomer = queries.deleteFrom('newcomers').where((of) => of.and({ companyId, userId }))
  return (await newcomer.executeTakeFirst()).numDeletedRows > 0n
}
