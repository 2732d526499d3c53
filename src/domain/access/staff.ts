import { AppError } from '../errors.ts'
import type { Instant, Maybe } from '../world.ts'
import type { AuditEvent } from './audit-entry.ts'

/** What staff may do, each more than the one before. */
export const roles = ['reader', 'support', 'admin'] as const
export type Role = (typeof roles)[number]

/** Whether one of that role may do what takes the other. */
export function mayDo(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

/** Who does something, and where. */
export interface Actor {
  /** As the audit names them: `admin`, `token:NAME`, `token:COMPANY/NAME`, `staff:MAIL`, `person:ID`, `command-line` or `bridge`. */
  readonly actor: string
  /** The only company whose anything they see; null: all. */
  readonly companyId: string | null
}

/** Who of HR, IT or support does something, or which program of theirs. */
export interface Staff extends Actor {
  readonly role: Role
}

/** Who has the database and the settings may do all. */
export const commandLine: Actor = { actor: 'command-line', companyId: null }
/** What the bridge does by itself. */
export const bridge: Actor = { actor: 'bridge', companyId: null }

/** `not_found` for any other company than the only one that may be seen, whether or not there is one; null: all may be. */
export function refuseOtherCompany(only: Actor['companyId'], companyId: Maybe<string>): void {
  if (only === null || companyId == null || companyId === only) return
  throw new AppError('not_found', 'There is no such company.')
}

/** One more token for the API; only its hash is known. */
export interface ApiToken {
  readonly name: string
  readonly tokenHash: Uint8Array
  readonly role: Role
  /** null: all. */
  readonly companyId: string | null
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
}

/** The tokens for the API. */
export interface TokenStore {
  /**
   * `conflict` where a token of the company that its maker sees has that name; where any has, if its maker sees all (null).
   * Left out: the token's own company.
   */
  createToken(token: ApiToken, auditEvent?: AuditEvent, seen?: string | null): Promise<void>
  findByHash(tokenHash: Uint8Array): Promise<ApiToken | undefined>
  /** By name; only those of that company where one is named. */
  listTokens(companyId: string | null): Promise<readonly ApiToken[]>
  /**
   * Gives what is deleted; undefined where there is none of that name, or not of the company that is named. Where none is
   * named it is that of all companies, or else the only one; `conflict` where several companies have one.
   */
  deleteToken(
    name: string,
    companyId: string | null,
    auditEvent?: AuditEvent,
  ): Promise<ApiToken | undefined>
  /** Notes the use, unless one is noted that was after `notedBefore`: of many at once, on whatever nodes, one is. */
  markUsed(tokenHash: Uint8Array, usedAt: Instant, notedBefore: Instant): Promise<boolean>
}
