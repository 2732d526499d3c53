import { hash, timingSafeEqual } from 'node:crypto'

import { z } from 'zod'

import { logAuditEvent } from '../domain/access/audit-entry.ts'
import {
  type ApiToken,
  roles,
  type Actor,
  refuseOtherCompany,
  type TokenStore,
  type Staff,
} from '../domain/access/staff.ts'
import { noCompany } from '../domain/company.ts'
import { AppError } from '../domain/errors.ts'
import { makeSecret, hashSecret } from '../domain/secrets.ts'
import type { Clock, Log } from '../domain/world.ts'
import { linkLabelField, idField, parseInput } from '../feeds/feed-input.ts'
import { instantSchema, toIso, toIsoOrNull } from '../feeds/feed-view.ts'
import { auditEventOf, sayConflict } from '../feeds/link-replacement.ts'

export const newTokenSchema = z.strictObject({
  name: linkLabelField.describe('Its name in lists, in the audit log and for revoking it'),
  role: z.enum(roles),
  companyId: idField
    .optional()
    .describe('The only company that it can see (default: all that its creator can see)'),
})

export const tokenCompanySchema = z.strictObject({
  companyId: idField
    .optional()
    .describe(
      'Company of the token (default: the token for all companies, or else the only one with that name)',
    ),
})

const about = z.strictObject({
  name: z.string(),
  role: z.enum(roles),
  companyId: z.string().nullable().describe('null: all companies'),
  createdAt: instantSchema,
})

export const tokenSchema = about
  .extend({ lastUsedAt: instantSchema.nullable().describe('To the minute') })
  .describe('A token for the API')

export const createdTokenSchema = about.extend({
  token: z.string().describe('The secret; only in the reply that creates it'),
})

export const tokenPageSchema = z.strictObject({
  data: z.array(tokenSchema),
  nextCursor: z.null(),
})

function viewToken({ name, role, companyId, ...token }: ApiToken): z.output<typeof tokenSchema> {
  const { createdAt, lastUsedAt } = token
  const used = toIsoOrNull(lastUsedAt)
  return { name, role, companyId, createdAt: toIso(createdAt), lastUsedAt: used }
}

interface ApiTokensDeps {
  readonly tokens: TokenStore
  readonly connections: ReadonlyMap<string, object>
  readonly clock: Clock
  readonly log: Log
}

/** Makes, lists and revokes tokens for the API; for staff of one company only that company's. */
export class ApiTokens {
  readonly #deps: ApiTokensDeps

  constructor(deps: ApiTokensDeps) {
    this.#deps = deps
  }

  /** Shows the secret, this once. `invalid`; `not_found` for a company the maker does not see; `conflict` for a name in use. */
  async create(by: Actor, input: unknown): Promise<z.output<typeof createdTokenSchema>> {
    const { tokens, connections, log } = this.#deps
    const wanted = parseInput(newTokenSchema, input, { what: 'The token' })
    const { name, role, companyId = by.companyId } = wanted
    refuseOtherCompany(by.companyId, companyId)
    if (companyId !== null && companyId !== by.companyId && !connections.has(companyId)) {
      const faults = [{ pointer: '/companyId', detail: noCompany(companyId, connections.keys()) }]
      throw new AppError('invalid', 'The token is not valid.', { faults })
    }
    const token = makeSecret('cft')
    const auditEvent = auditEventOf({ ...this.#deps, by }, 'token_created')
    const createdAt = auditEvent.at
    const kept = { name, tokenHash: sha256(token), role, companyId, createdAt, lastUsedAt: null }
    await tokens
      .createToken(kept, auditEvent, by.companyId)
      .catch(sayConflict(`There is a token "${name}" already.`))
    logAuditEvent(log, auditEvent, { companyId, label: name })
    return { name, role, companyId, token, createdAt: toIso(createdAt) }
  }

  /** By name, without secrets. */
  async list({ companyId }: Pick<Actor, 'companyId'>): Promise<z.output<typeof tokenPageSchema>> {
    const tokens = await this.#deps.tokens.listTokens(companyId)
    return { data: tokens.map(viewToken), nextCursor: null }
  }

  /**
   * Without a company it is the token of all companies, or else the only one with that name; null is that of all companies
   * and no other. `not_found` if there is none, `conflict` if several companies have one.
   */
  async revoke(by: Actor, name: string, wanted?: string | null): Promise<ApiToken> {
    const { tokens, log } = this.#deps
    refuseOtherCompany(by.companyId, wanted)
    const auditEvent = auditEventOf({ ...this.#deps, by }, 'token_revoked')
    const revoked = await tokens
      .deleteToken(name, wanted ?? by.companyId, auditEvent, wanted !== undefined)
      .catch(sayConflict(`Several companies have a token "${name}": name the company, too.`))
    if (!revoked) throw new AppError('not_found', `There is no token "${name}".`)
    logAuditEvent(log, auditEvent, { companyId: revoked.companyId, label: name })
    return revoked
  }
}

/** One use a minute is noted: a note for each would cost more than most requests. */
const notedEveryMs = 60_000

type StaffDeps = Omit<ApiTokensDeps, 'connections' | 'log'> & { readonly adminToken: string }

/** The hash under which a token is known; undefined for text that cannot be one. */
export function hashOfToken({ adminToken }: StaffDeps, given: string): Uint8Array | undefined {
  const isAdmin = timingSafeEqual(sha256(given), sha256(adminToken))
  return isAdmin ? sha256(given) : hashSecret('cft', given)
}

/** The staff member of the token with that hash; undefined if it opens nothing. */
export async function findStaff(
  { tokens, clock, adminToken }: StaffDeps,
  tokenHash: Uint8Array,
): Promise<Staff | undefined> {
  if (sha256(adminToken).equals(tokenHash)) {
    return { actor: 'admin', role: 'admin', companyId: null }
  }
  const token = await tokens.findByHash(tokenHash)
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

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
