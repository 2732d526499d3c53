import type { Kysely } from 'kysely'

import type { Database } from '../../database/database.ts'
import type { ApiToken, TokenStore } from '../../domain/access/staff.ts'
import type { Instant } from '../../domain/world.ts'
import { changeRow } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import type { TokenRow } from './tables.ts'

/** Tokens for the API, each known by its hash. */
export class SqlTokenStore implements TokenStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async createToken(token: ApiToken): Promise<void> {
    await this.#queries
      .insertInto('tokens')
      .values({
        name: token.name,
        token_hash: token.tokenHash,
        role: token.role,
        company_id: token.companyId,
        created_at: token.createdAt,
        last_used_at: token.lastUsedAt,
      })
      .execute()
  }

  async findByHash(tokenHash: Uint8Array): Promise<ApiToken | undefined> {
    const tokens = this.#queries.selectFrom('tokens').selectAll()
    const row = await tokens.where('token_hash', '=', tokenHash).executeTakeFirst()
    return row && tokenOf(row)
  }

  async listTokens(companyId: string | null): Promise<readonly ApiToken[]> {
    const tokens = this.#queries.selectFrom('tokens').selectAll().orderBy('name')
    const some = companyId === null ? tokens : tokens.where('company_id', '=', companyId)
    return (await some.execute()).map(tokenOf)
  }

  async deleteToken(name: string, companyId: string | null): Promise<boolean> {
    const named = this.#queries.deleteFrom('tokens').where('name', '=', name)
    const token = companyId === null ? named : named.where('company_id', '=', companyId)
    const { numDeletedRows } = await token.executeTakeFirst()
    return numDeletedRows > 0
  }

  async markUsed(tokenHash: Uint8Array, usedAt: Instant): Promise<void> {
    const token = this.#queries.updateTable('tokens').where('token_hash', '=', tokenHash)
    await changeRow(
      token
        .where((of) => of.or([of('last_used_at', 'is', null), of('last_used_at', '<', usedAt)]))
        .set({ last_used_at: usedAt }),
    )
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
