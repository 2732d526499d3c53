import { randomUUID } from 'node:crypto'

import type { Kysely, Transaction } from 'kysely'

import type { Database } from '../database/database.ts'
import type { AuditEvent } from '../domain/access/audit-entry.ts'
import type { ApiToken, TokenStore, Session, SessionStore } from '../domain/access/staff.ts'
import type { CredentialStore, TrustedCredential } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import type { LostLinkStore } from '../domain/link.ts'
import type { PersonInCompany } from '../domain/person.ts'
import type { Instant } from '../domain/world.ts'
import { auditRow } from './audit.ts'
import { changeRow } from './rows.ts'
import type { StoreTables, TokenRow, SessionRow } from './tables.ts'

/** Tokens for the API, each known by its hash. */
export class SqlTokenStore implements TokenStore {
  readonly #queries: Kysely<StoreTables>
  readonly #takeTurn: Database<StoreTables>['takeTurn']

  constructor({ queries, takeTurn }: Database<StoreTables>) {
    this.#queries = queries
    this.#takeTurn = takeTurn
  }

  async createToken(
    token: ApiToken,
    auditEvent?: AuditEvent,
    seen = token.companyId,
  ): Promise<void> {
    await this.#queries.transaction().execute(async (transaction) => {
      await this.#takeTurn(transaction, 'names of tokens')
      await refuseNamesake(transaction, token.name, seen)
      await transaction.insertInto('tokens').values(rowOf(token)).execute()
      await noteOnToken(transaction, auditEvent, token)
    })
  }

  async findByHash(tokenHash: Uint8Array): Promise<ApiToken | undefined> {
    const tokens = this.#queries.selectFrom('tokens').selectAll()
    const row = await tokens.where('token_hash', '=', tokenHash).executeTakeFirst()
    return row && tokenOf(row)
  }

  async listTokens(companyId: string | null): Promise<readonly ApiToken[]> {
    const all = this.#queries.selectFrom('tokens').selectAll()
    const tokens = all.orderBy('name').orderBy('company_id')
    const some = companyId === null ? tokens : tokens.where('company_id', '=', companyId)
    return (await some.execute()).map(tokenOf)
  }

  async deleteToken(
    name: string,
    companyId: string | null,
    auditEvent?: AuditEvent,
  ): Promise<ApiToken | undefined> {
    return this.#queries.transaction().execute(async (transaction) => {
      const named = transaction.selectFrom('tokens').selectAll().where('name', '=', name)
      const some = companyId === null ? named : named.where('company_id', '=', companyId)
      const token = tokenMeant((await some.execute()).map(tokenOf))
      if (!token) return undefined
      const found = transaction.deleteFrom('tokens').where('token_hash', '=', token.tokenHash)
      if (!(await found.returning('name').executeTakeFirst())) return undefined
      await noteOnToken(transaction, auditEvent, token)
      return token
    })
  }

  markUsed(tokenHash: Uint8Array, usedAt: Instant, notedBefore: Instant): Promise<boolean> {
    const token = this.#queries.updateTable('tokens').where('token_hash', '=', tokenHash)
    const due = token.where((of) =>
      of.or([of('last_used_at', 'is', null), of('last_used_at', '<=', notedBefore)]),
    )
    return changeRow(due.set({ last_used_at: usedAt }))
  }
}

/** Its maker learns only of those that they see. */
async function refuseNamesake(
  transaction: Transaction<StoreTables>,
  name: string,
  seen: string | null,
): Promise<void> {
  const named = transaction.selectFrom('tokens').select('name').where('name', '=', name)
  const some = seen === null ? named : named.where('company_id', '=', seen)
  if (await some.executeTakeFirst()) throw new AppError('conflict', 'The name is in use.')
}

/** Of those of one name that of all companies, else the only one. */
function tokenMeant(tokens: readonly ApiToken[]): ApiToken | undefined {
  const ofAll = tokens.find(({ companyId }) => companyId === null)
  if (!ofAll && tokens.length > 1) throw new AppError('conflict', 'Several companies have one.')
  return ofAll ?? tokens[0]
}

/** Notes what is done to a token, where there is anything to note. */
async function noteOnToken(
  queries: Kysely<StoreTables>,
  auditEvent: AuditEvent | undefined,
  { name: label, companyId }: ApiToken,
): Promise<void> {
  if (!auditEvent) return
  const object = { companyId, feedId: null, userIds: [], label }
  await queries.insertInto('audit').values(auditRow(auditEvent, object)).execute()
}

function rowOf({ name, role, ...token }: ApiToken): TokenRow {
  return {
    name,
    token_hash: token.tokenHash,
    role,
    company_id: token.companyId,
    created_at: token.createdAt,
    last_used_at: token.lastUsedAt,
  }
}

function tokenOf(row: TokenRow): ApiToken {
  return {
    name: row.name,
    tokenHash: row.token_hash,
    role: row.role,
    companyId: row.company_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}

/** Sign-ins, each known by the hash of its cookie. */
export class SqlSessionStore implements SessionStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async createSession({ person, staff, ...session }: Session): Promise<void> {
    await this.#queries
      .insertInto('sessions')
      .values({
        cookie_hash: session.cookieHash,
        company_id: person?.companyId ?? null,
        user_id: person?.userId ?? null,
        staff_actor: staff?.actor ?? null,
        staff_role: staff?.role ?? null,
        created_at: session.createdAt,
        ends_at: session.endsAt,
      })
      .execute()
  }

  async findSession(cookieHash: Uint8Array): Promise<Session | undefined> {
    const sessions = this.#queries.selectFrom('sessions').selectAll()
    const row = await sessions.where('cookie_hash', '=', cookieHash).executeTakeFirst()
    return row && sessionOf(row)
  }

  async deleteSession(cookieHash: Uint8Array): Promise<void> {
    await this.#queries.deleteFrom('sessions').where('cookie_hash', '=', cookieHash).execute()
  }

  async dropEnded(now: Instant): Promise<void> {
    await this.#queries.deleteFrom('sessions').where('ends_at', '<=', now).execute()
  }
}

function sessionOf(row: SessionRow): Session {
  const { company_id: companyId, user_id: userId, staff_actor: actor, staff_role: role } = row
  return {
    cookieHash: row.cookie_hash,
    person: companyId === null || userId === null ? null : { companyId, userId },
    staff: actor === null || role === null ? null : { actor, role },
    createdAt: row.created_at,
    endsAt: row.ends_at,
  }
}

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

/** With which credential each connection is read, one row each. */
export class SqlCredentialStore implements CredentialStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findTrusted(connectionId: string): Promise<TrustedCredential | undefined> {
    const row = await this.#queries
      .selectFrom('trusted_credentials')
      .selectAll()
      .where('connection_id', '=', connectionId)
      .executeTakeFirst()
    return row && { credential: row.credential, doubtedSince: row.doubted_since }
  }

  async trust(connectionId: string, credential: string): Promise<boolean> {
    const doubted = this.#queries
      .updateTable('trusted_credentials')
      .where('connection_id', '=', connectionId)
      .where('doubted_since', 'is not', null)
    if (await changeRow(doubted.set({ credential, doubted_since: null }))) return true
    await this.#queries
      .insertInto('trusted_credentials')
      .values({ connection_id: connectionId, credential, doubted_since: null })
      .onConflict((known) => known.column('connection_id').doUpdateSet({ credential }))
      .execute()
    return false
  }

  async doubt(connectionId: string, since: Instant): Promise<boolean> {
    const trusted = this.#queries
      .updateTable('trusted_credentials')
      .where('connection_id', '=', connectionId)
      .where('doubted_since', 'is', null)
    if (await changeRow(trusted.set({ doubted_since: since }))) return true
    const { numInsertedOrUpdatedRows: added } = await this.#queries
      .insertInto('trusted_credentials')
      .values({ connection_id: connectionId, credential: none, doubted_since: since })
      .onConflict((known) => known.doNothing())
      .executeTakeFirst()
    return (added ?? 0n) > 0n
  }
}

/** With which nothing has been read yet. */
const none = ''
