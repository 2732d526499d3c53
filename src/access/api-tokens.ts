/* What programs are told of tokens, and what a new one may be given. */
import { z } from 'zod'

import { type AuditEvent, type AuditSubject, logAuditEvent } from '../domain/access/audit-entry.ts'
import {
  type ApiToken,
  roles,
  type Actor,
  refuseOtherCompany,
  type TokenStore,
  type Staff,
} from '../domain/access/staff.ts'
import { noCompany } from '../domain/company.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import type { Clock, Log } from '../domain/world.ts'
import { linkLabelField, idField, parseInput } from '../feeds/feed-input.ts'
import { instantSchema, toIso, toIsoOrNull } from '../feeds/feed-view.ts'
import { auditEventOf } from '../feeds/link-replacement.ts'
import { makeSecret, isAdminToken, hashSecret } from './secrets.ts'

/** What a new token may be given. */
export const newTokenSchema = z.strictObject({
  name: linkLabelField.describe('By which it is listed, revoked and known in the audit'),
  role: z.enum(roles),
  companyId: idField
    .optional()
    .describe('The only company of which it sees anything; all that its maker sees, if left out'),
})

/** Which of several of that name is revoked. */
export const tokenCompanySchema = z.strictObject({
  companyId: idField
    .optional()
    .describe(
      'Company of the token (default: the token for all companies, or else the only one of that name)',
    ),
})

const about = z.strictObject({
  name: z.string(),
  role: z.enum(roles),
  companyId: z.string().nullable().describe('null: all companies'),
  createdAt: instantSchema,
})

/** A token as it is listed. */
export const tokenSchema = about
  .extend({ lastUsedAt: instantSchema.nullable().describe('To the minute') })
  .describe('One more token for the API')

/** A token that was just made. */
export const createdTokenSchema = about.extend({
  token: z.string().describe('The secret; only in the reply that makes it'),
})

/** All that there are. */
export const tokenPageSchema = z.strictObject({
  data: z.array(tokenSchema),
  nextCursor: z.null(),
})

export type TokenView = z.output<typeof tokenSchema>
export type CreatedTokenView = z.output<typeof createdTokenSchema>
export type TokenPage = z.output<typeof tokenPageSchema>

/** The token as programs see it. */
function viewToken({ name, role, companyId, ...token }: ApiToken): TokenView {
  const { createdAt, lastUsedAt } = token
  const used = toIsoOrNull(lastUsedAt)
  return { name, role, companyId, createdAt: toIso(createdAt), lastUsedAt: used }
}

interface ApiTokensDeps {
  readonly tokens: Pick<TokenStore, 'createToken' | 'listTokens' | 'deleteToken'>
  /** By company. */
  readonly connections: ReadonlyMap<string, object>
  readonly clock: Clock
  readonly log: Log
}

/** Makes, lists and revokes further tokens for the API; those of one company only that company's. */
export class ApiTokens {
  readonly #deps: ApiTokensDeps

  constructor(deps: ApiTokensDeps) {
    this.#deps = deps
  }

  /**
   * A new token, its secret shown only here; of the maker's own company where none is named. `invalid` for wrong input,
   * `not_found` for another company than the maker's, `conflict` for a name in use.
   */
  async create(by: Actor, input: unknown): Promise<CreatedTokenView> {
    const wanted = parseInput(newTokenSchema, input, { what: 'The token' })
    const { name, role, companyId = by.companyId } = wanted
    this.#refuseCompany(by, wanted.companyId)
    const { secret: token, hash: tokenHash } = makeSecret('cft')
    const auditEvent = auditEventOf({ ...this.#deps, by }, 'token_created')
    const createdAt = auditEvent.at
    const kept: ApiToken = { name, tokenHash, role, companyId, createdAt, lastUsedAt: null }
    await this.#deps.tokens.createToken(kept, auditEvent, by.companyId).catch((error: unknown) => {
      throw nameInUse(error, name)
    })
    this.#tell(auditEvent, kept)
    return { name, role, companyId, token, createdAt: toIso(createdAt) }
  }

  /** All that there are, by name; never with their secret. */
  async list({ companyId }: Pick<Actor, 'companyId'>): Promise<TokenPage> {
    const tokens = await this.#deps.tokens.listTokens(companyId)
    return { data: tokens.map(viewToken), nextCursor: null }
  }

  /**
   * It opens nothing any more, on any node. Where no company is named it is the token of all companies, or else the only one of
   * that name. Gives it; `not_found` where there is none, `conflict` where several companies have one.
   */
  async revoke(by: Actor, name: string, wanted?: string): Promise<Pick<ApiToken, 'companyId'>> {
    refuseOtherCompany(by.companyId, wanted)
    const auditEvent = auditEventOf({ ...this.#deps, by }, 'token_revoked')
    const { tokens } = this.#deps
    const revoked = await tokens
      .deleteToken(name, wanted ?? by.companyId, auditEvent)
      .catch((error: unknown) => {
        throw nameOfSeveral(error, name)
      })
    if (!revoked) throw new AppError('not_found', `There is no token "${name}".`)
    this.#tell(auditEvent, revoked)
    return revoked
  }

  #refuseCompany(by: Actor, wanted: string | undefined): void {
    const { connections } = this.#deps
    refuseOtherCompany(by.companyId, wanted)
    if (wanted === undefined || wanted === by.companyId || connections.has(wanted)) return
    const faults = [{ pointer: '/companyId', detail: noCompany(wanted, connections.keys()) }]
    throw new AppError('invalid', 'The token is not valid.', { faults })
  }

  #tell(
    auditEvent: AuditEvent,
    { name: label, companyId }: Pick<ApiToken, 'name' | 'companyId'>,
  ): void {
    const object: Partial<AuditSubject> = { companyId, label }
    logAuditEvent(this.#deps.log, auditEvent, object)
  }
}

function nameOfSeveral(error: unknown, name: string): unknown {
  if (asAppError(error)?.code !== 'conflict') return error
  const message = `Several companies have a token "${name}": name the company, too.`
  return new AppError('conflict', message, { cause: error })
}

function nameInUse(error: unknown, name: string): unknown {
  if (asAppError(error)?.code !== 'conflict') return error
  return new AppError('conflict', `There is a token "${name}" already.`, { cause: error })
}

/** Uses within it are noted once: a note for each would cost more than what is asked. */
const notedEveryMs = 60_000

interface StaffTokensDeps {
  readonly tokens: Pick<TokenStore, 'findByHash' | 'markUsed'>
  readonly clock: Clock
  readonly adminToken: string
}

/** Whose a token is that comes with a request. */
export class StaffTokens {
  readonly #deps: StaffTokensDeps

  constructor(deps: StaffTokensDeps) {
    this.#deps = deps
  }

  /** undefined for a token that opens nothing. */
  async find(given: string): Promise<Staff | undefined> {
    const { tokens, adminToken, clock } = this.#deps
    if (isAdminToken(given, adminToken)) return { actor: 'admin', role: 'admin', companyId: null }
    const tokenHash = hashSecret('cft', given)
    const token = tokenHash && (await tokens.findByHash(tokenHash))
    if (!token) return undefined
    const now = clock.now()
    const notedBefore = now - notedEveryMs
    if ((token.lastUsedAt ?? notedBefore) <= notedBefore) {
      await tokens.markUsed(token.tokenHash, now, notedBefore)
    }
    const { name, role, companyId } = token
    // A token of all companies may have the same name.
    const called = companyId === null ? name : `${companyId}/${name}`
    return { actor: `token:${called}`, role, companyId }
  }
}
