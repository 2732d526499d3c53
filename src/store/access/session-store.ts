import type { Kysely } from 'kysely'

import type { Database } from '../../database/database.ts'
import type { Session, SessionStore } from '../../domain/access/session.ts'
import type { Instant } from '../../domain/world.ts'
import type { StoreTables } from '../tables.ts'
import type { SessionRow } from './tables.ts'

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
