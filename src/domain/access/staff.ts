import { AppError } from '../errors.ts'
import type { PersonInCompany } from '../person.ts'
import type { Instant, Maybe } from '../world.ts'
import type { AuditEvent } from './audit-entry.ts'

/** What staff may do, each role more than the one before. */
export const roles = ['reader', 'support', 'admin'] as const
export type Role = (typeof roles)[number]

export function mayDo(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

export interface Actor {
  /** `admin`, `token:NAME`, `token:COMPANY/NAME`, `staff:MAIL`, `person:ID`, `command-line` or `bridge`. */
  readonly actor: string
  /** The only company that they see; null: all. */
  readonly companyId: string | null
}

/** HR, IT or support, or a program of theirs. */
export interface Staff extends Actor {
  readonly role: Role
}

/** Access to the database and the settings allows everything. */
export const commandLine: Actor = { actor: 'command-line', companyId: null }
export const bridge: Actor = { actor: 'bridge', companyId: null }

/** `not_found` for a company that the actor does not see, whether it exists or not. */
export function refuseOtherCompany(only: Actor['companyId'], companyId: Maybe<string>): void {
  if (only === null || companyId == null || companyId === only) return
  throw new AppError('not_found', 'There is no such company.')
}

export interface ApiToken {
  readonly name: string
  readonly tokenHash: Uint8Array
  readonly role: Role
  readonly companyId: string | null
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
}

export interface TokenStore {
  /** `conflict` if a token of the company `seen` (null: of any; default: its own) has that name. */
  createToken(token: ApiToken, auditEvent?: AuditEvent, seen?: string | null): Promise<void>
  findByHash(tokenHash: Uint8Array): Promise<ApiToken | undefined>
  listTokens(companyId: string | null): Promise<readonly ApiToken[]>
  /**
   * Gives what is deleted. null: the token of all companies, or else, unless `isExact`, the only one with that name;
   * `conflict` if there are several.
   */
  deleteToken(
    name: string,
    companyId: string | null,
    auditEvent?: AuditEvent,
    isExact?: boolean,
  ): Promise<ApiToken | undefined>
  /** Notes a use, unless one after `notedBefore` is noted; of many uses at once, one is noted. */
  markUsed(tokenHash: Uint8Array, usedAt: Instant, notedBefore: Instant): Promise<boolean>
}

/** Who has signed in: a person of the directory, one of the staff, or both. */
export interface SignedIn {
  readonly person: PersonInCompany | null
  /** From an identity provider; they see all companies. */
  readonly staff: Pick<Staff, 'actor' | 'role'> | null
  /** Hash of the token they signed in with: they are staff as long as it exists, in its role. */
  readonly staffToken?: Uint8Array | null
}

/** A browser that is signed in; only the hash of its cookie is known. */
export interface Session extends SignedIn {
  readonly cookieHash: Uint8Array
  readonly createdAt: Instant
  readonly endsAt: Instant
}

export interface SessionStore {
  createSession(session: Session): Promise<void>
  findSession(cookieHash: Uint8Array): Promise<Session | undefined>
  deleteSession(cookieHash: Uint8Array): Promise<void>
  dropEnded(now: Instant): Promise<void>
}
