import type { Kysely, Transaction } from 'kysely'

import type { Database } from '../../database/database.ts'
import type { Deed } from '../../domain/access/audit-entry.ts'
import type { ApiToken, TokenStore } from '../../domain/access/staff.ts'
import { AppError } from '../../domain/errors.ts'
import type { Instant } from '../../domain/world.ts'
import { changeRow } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { auditRow } from './deeds.ts'
import type { TokenRow } from './tables.ts'

/** Tokens for the API, each known by its hash. */
export class SqlTokenStore implements TokenStore {
  readonly #queries: Kysely<StoreTables>
  readonly #takeTurn: Database<StoreTables>['takeTurn']

  constructor({ queries, takeTurn }: Database<StoreTables>) {
    this.#queries = queries
    this.#takeTurn = takeTurn
  }

  async createToken(token: ApiToken, deed?: Deed, seen = token.companyId): Promise<void> {
    await this.#queries.transaction().execute(async (transaction) => {
      await this.#takeTurn(transaction, 'names of tokens')
      await refuseNamesake(transaction, token.name, seen)
      await transaction.insertInto('tokens').values(rowOf(token)).execute()
      await noteOnToken(transaction, deed, token)
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
    deed?: Deed,
  ): Promise<ApiToken | undefined> {
    return this.#queries.transaction().execute(async (transaction) => {
      const named = transaction.selectFrom('tokens').selectAll().where('name', '=', name)
      const some = companyId === null ? named : named.where('company_id', '=', companyId)
      const token = tokenMeant((await some.execute()).map(tokenOf))
      if (!token) return undefined
      const found = transaction.deleteFrom('tokens').where('token_hash', '=', token.tokenHash)
      if (!(await found.returning('name').executeTakeFirst())) return undefined
      await noteOnToken(transaction, deed, token)
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
  deed: Deed | undefined,
  { name: label, companyId }: ApiToken,
): Promise<void> {
  if (!deed) return
  const object = { companyId, feedId: null, userIds: [], label }
  await queries.insertInto('audit').values(auditRow(deed, object)).execute()
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
