import { foldedMail } from '../../domain/person.ts'

export type Claims = Readonly<Record<string, unknown>>

/** What the provider tells of somebody: in the ID token, and in userinfo where that was asked. */
export interface Told {
  readonly idToken: Claims
  readonly userinfo: Claims | null
}

/** The address by which somebody is known, and whether the provider has made sure that it is theirs. */
export interface ToldMail {
  readonly mail: string
  readonly isVerified: boolean
}

/** The claim as it is told first; undefined where it is told nowhere. */
export function claimOf({ idToken, userinfo }: Told, name: string): unknown {
  return ownClaim(idToken, name) ?? (userinfo ? ownClaim(userinfo, name) : undefined)
}

/** Whether the claim is that text, or holds it; a number or a truth counts as JSON writes it. */
export function holds(claim: unknown, text: string): boolean {
  const claims: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  return claims.some((it) => it === text || (isPlain(it) && JSON.stringify(it) === text))
}

function isPlain(value: unknown): boolean {
  return typeof value === 'boolean' || Number.isSafeInteger(value)
}

/**
 * The address, verified only where what tells it also says so. Where that says neither, the other counts, but only if it tells
 * the same address: a provider that verifies one address has not verified another.
 */
export function toldMail({ idToken, userinfo }: Told): ToldMail | undefined {
  const both = userinfo ? [idToken, userinfo] : [idToken]
  const telling = both.flatMap((claims) => mailOf(claims) ?? [])
  const [first] = telling
  if (!first) return undefined
  const same = telling.filter(({ mail }) => foldedMail(mail) === foldedMail(first.mail))
  const verified = same.map(({ verified: it }) => it).find((it) => it !== undefined)
  return { mail: first.mail, isVerified: verified === true }
}

/** Whether what is needed may stand only in userinfo. */
export function needsUserinfo(idToken: Claims, names: readonly string[]): boolean {
  return names.some((name) => ownClaim(idToken, name) === undefined)
}

/** Whether the provider says of the claim only that it would be told elsewhere (OpenID Connect Core, 5.6.2), as Microsoft's does of many groups. */
export function isLeftOut(told: Told, name: string): boolean {
  const elsewhere = claimOf(told, '_claim_names')
  const isNamed =
    typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name)
  return isNamed && claimOf(told, name) === undefined
}

/** undefined also for a claim that is null, which says nothing (OpenID Connect Core, 5.3.2). */
function ownClaim(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? (claims[name] ?? undefined) : undefined
}

function mailOf(claims: Claims): { readonly mail: string; readonly verified: unknown } | undefined {
  const mail = ownClaim(claims, 'email')
  if (typeof mail !== 'string' || !/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(mail)) return undefined
  return { mail, verified: ownClaim(claims, 'email_verified') }
}
