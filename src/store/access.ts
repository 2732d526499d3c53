import { randomUUID } from 'node:crypto'

import type { ApiToken, SessionStore, TokenStore } from '../domain/access/staff.ts'
import { AppError } from '../domain/errors.ts'
import type { LostLinkStore } from '../domain/link.ts'
import { note } from './audit.ts'
import { changeRow } from './rows.ts'
import type { Queries, StoreDatabase } from './tables.ts'

/** API tokens, stored by hash. */
export function tokenStore({ queries, takeTurn }: StoreDatabase): TokenStore {
  return {
    createToken: (token, auditEvent, seen = token.companyId) =>
      queries.transaction().execute(async (transaction) => {
        await takeTurn(transaction, 'names of tokens')
        // The caller learns only about tokens that they can see.
        if (await tokensOf(transaction, seen).where('name', '=', token.name).executeTakeFirst()) {
          throw new AppError('conflict', 'The name is in use.')
        }
        const { name, tokenHash, role, companyId, createdAt, lastUsedAt } = token
        const row = { name, tokenHash, role, companyId, createdAt, lastUsedAt }
        await transaction.insertInto('tokens').values(row).execute()
        await note(transaction, auditEvent, [subjectOf(token)])
      }),
    findByHash: (tokenHash) =>
      tokensOf(queries, null).where('tokenHash', '=', tokenHash).executeTakeFirst(),
    listTokens: (companyId) =>
      tokensOf(queries, companyId).orderBy('name').orderBy('companyId').execute(),
    deleteToken: (name, companyId, auditEvent, isExact = false) =>
      queries.transaction().execute(async (transaction) => {
        const named = await tokensOf(transaction, companyId).where('name', '=', name).execute()
        const token = isExact ? named.find((it) => it.companyId === companyId) : tokenMeant(named)
        if (!token) return undefined
        const found = transaction.deleteFrom('tokens').where('tokenHash', '=', token.tokenHash)
        if (!(await found.returning('name').executeTakeFirst())) return undefined
        await note(transaction, auditEvent, [subjectOf(token)])
        return token
      }),
    markUsed(tokenHash, usedAt, notedBefore) {
      const token = queries.updateTable('tokens').where('tokenHash', '=', tokenHash)
      const due = token.where((of) =>
        of.or([of('lastUsedAt', 'is', null), of('lastUsedAt', '<=', notedBefore)]),
      )
      return changeRow(due.set({ lastUsedAt: usedAt }))
    },
  }
}

/** Without a company: all tokens. */
function tokensOf(queries: Queries, companyId: string | null) {
  const tokens = queries.selectFrom('tokens').selectAll()
  return companyId === null ? tokens : tokens.where('companyId', '=', companyId)
}

/** With several tokens of one name: the one for all companies, else the only one. */
function tokenMeant(tokens: readonly ApiToken[]): ApiToken | undefined {
  const ofAll = tokens.find(({ companyId }) => companyId === null)
  if (!ofAll && tokens.length > 1)
    throw new AppError('conflict', 'Several companies have a token with this name.')
  return ofAll ?? tokens[0]
}

function subjectOf({ name: label, companyId }: ApiToken) {
  return { companyId, feedId: null, userIds: [], label }
}

/** Sessions, stored by the hash of their cookie. */
export function sessionStore({ queries }: StoreDatabase): SessionStore {
  return {
    async createSession({ cookieHash, person, staff, staffToken = null, createdAt, endsAt }) {
      const who = { companyId: person?.companyId ?? null, userId: person?.userId ?? null }
      const as = { staffActor: staff?.actor ?? null, staffRole: staff?.role ?? null }
      await queries
        .insertInto('sessions')
        .values({ cookieHash, ...who, ...as, staffToken, createdAt, endsAt })
        .execute()
    },
    async findSession(cookieHash) {
      const row = await queries
        .selectFrom('sessions')
        .selectAll()
        .where('cookieHash', '=', cookieHash)
        .executeTakeFirst()
      if (!row) return undefined
      const { companyId, userId, staffActor: actor, staffRole: role, ...session } = row
      return {
        ...session,
        person: companyId === null || userId === null ? null : { companyId, userId },
        staff: actor === null || role === null ? null : { actor, role },
      }
    },
    async deleteSession(cookieHash) {
      await queries.deleteFrom('sessions').where('cookieHash', '=', cookieHash).execute()
    },
    async dropEnded(now) {
      await queries.deleteFrom('sessions').where('endsAt', '<=', now).execute()
    },
  }
}

/** Recent mails of lost links. */
export function lostLinkStore({ queries, takeTurn }: StoreDatabase): LostLinkStore {
  return {
    takeTurn: ({ companyId, userId }, { now, since, most }) =>
      queries.transaction().execute(async (transaction) => {
        await takeTurn(transaction, 'lost links')
        await transaction.deleteFrom('lostLinks').where('askedAt', '<', since).execute()
        const { asked } = await transaction
          .selectFrom('lostLinks')
          .select(({ fn }) => fn.countAll<number>().as('asked'))
          .where((of) => of.and({ companyId, userId }))
          .executeTakeFirstOrThrow()
        if (asked >= most) return false
        const row = { companyId, userId, askedAt: now, id: randomUUID() }
        await transaction.insertInto('lostLinks').values(row).execute()
        return true
      }),
    async returnTurn({ companyId, userId }, now) {
      await queries
        .deleteFrom('lostLinks')
        .where((of) => of.and({ companyId, userId, askedAt: now }))
        .execute()
    },
  }
}
