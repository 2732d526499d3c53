/* What an erasure removes and the export of a person shows, beside what other stores know. */
import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { ErasedPerson } from '../domain/erasure.ts'
import type { PersonDataStore } from '../domain/person-data.ts'
import type { PersonInCompany } from '../domain/person.ts'
import { entryOf } from './audit.ts'
import { claimColumns, claimOf } from './claims.ts'
import { findingsIn } from './connections.ts'
import type { Queries, StoreDatabase } from './tables.ts'

/** Tables with rows of one person. The rows are erased with the person, and exported. */
export const personTables = ['departures', 'newcomers', 'sessions', 'lostLinks', 'people'] as const

export function personDataStore({ queries }: StoreDatabase): PersonDataStore {
  return {
    async findKept(person) {
      const { companyId, userId, isStaffAnywhere } = person
      const staffActor = (await staffActorOf(queries, person)) ?? ''
      const actorAnywhere = isStaffAnywhere ? staffActor : ''
      const signIns = await queries
        .selectFrom('sessions')
        .select(['createdAt', 'endsAt'])
        .where((of) => of.or([of.and({ companyId, userId }), of('staffActor', '=', actorAnywhere)]))
        .execute()
      const lostLinks = await queries
        .selectFrom('lostLinks')
        .select('askedAt')
        .where((of) => of.and({ companyId, userId }))
        .execute()
      const { reports } = await queries
        .selectFrom('people')
        .select(({ fn }) => fn.countAll<number>().as('reports'))
        .where((of) => of.and({ companyId, managerId: userId }))
        .executeTakeFirstOrThrow()
      const examined = await queries
        .selectFrom('examinations')
        .select('connectionId')
        .where('companyId', '=', companyId)
        .execute()
      const acts = await queries
        .selectFrom('audit')
        .selectAll()
        .where('actor', 'in', [`person:${userId}`, staffActor])
        .where((of) => of.or([of('companyId', '=', companyId), of('actor', '=', actorAnywhere)]))
        .orderBy('at')
        .orderBy('id')
        .execute()
      return {
        signIns,
        lostLinks: lostLinks.map(({ askedAt }) => askedAt),
        reports,
        examinations: await listNaming(queries, person),
        connectionIds: examined.map(({ connectionId }) => connectionId),
        acts: acts.map(entryOf),
      }
    },
    async listClaimsOf({ userId, otherConnectionIds }) {
      const rows = await queries
        .selectFrom('leaveOwners')
        .select([...claimColumns, 'connectionId', 'contested'])
        .where('userId', '=', userId)
        .where(isNoneOf(otherConnectionIds))
        .orderBy('connectionId')
        .orderBy('leaveId')
        .execute()
      return rows.map(({ contested, connectionId, ...row }) => ({
        ...claimOf(row),
        connectionId,
        isDisputed: contested === 1,
      }))
    },
  }
}

/** Includes data of connections that no company has any more. */
export function isNoneOf(connectionIds: readonly string[]): RawBuilder<SqlBool> {
  if (connectionIds.length === 0) return sql<SqlBool>`1 = 1`
  return sql<SqlBool>`connection_id not in (${sql.join(connectionIds)})`
}

/** The name of a staff member in the audit log; null if others have the same address, or they have none. */
export async function staffActorOf(
  queries: Queries,
  { companyId, userId }: PersonInCompany,
): Promise<string | null> {
  const people = queries.selectFrom('people').select('foldedEmail')
  const own = await people.where((of) => of.and({ companyId, userId })).executeTakeFirst()
  const mail = own?.foldedEmail
  if (mail == null) return null
  const alike = await people.where('foldedEmail', '=', mail).execute()
  return alike.length > 1 ? null : `staff:${mail}`
}

/** The checks with findings that name the person, by examination; none if it cannot be read. */
async function listNaming(queries: Queries, { companyId, userId }: ErasedPerson) {
  const rows = await queries
    .selectFrom('examinations')
    .select(['findings', 'examinedAt'])
    .where('companyId', '=', companyId)
    .execute()
  return rows
    .filter(({ findings }) => names(findings, userId))
    .map(({ findings, examinedAt }) => ({
      examinedAt,
      checks: findingsIn(companyId, findings)
        .filter((finding) => names(JSON.stringify(finding), userId))
        .map(({ check }) => check),
    }))
}

/** Whether a text in the JSON contains the id as a whole; true if it cannot be parsed. */
export function names(json: string, userId: string): boolean {
  // Letters, digits and underscores continue an id; so do a hyphen or dot between two of them.
  const part = String.raw`[\p{L}\p{N}_]`
  const whole = new RegExp(`(?<!${part}[-.]?)${RegExp.escape(userId)}(?![-.]?${part})`, 'u')
  let isNamed = false
  try {
    JSON.parse(json, (_key, value: unknown) => {
      isNamed ||= typeof value === 'string' && whole.test(value)
    })
  } catch {
    return true
  }
  return isNamed
}
