import type { SignedIn } from '../../domain/access/session.ts'
import {
  foldedMail,
  isActive,
  onlyActiveOfEach,
  type PeopleByMail,
  type PersonInCompany,
} from '../../domain/person.ts'
import { type SignInRefusal, SignInRefused } from './provider.ts'

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
function claimOf({ idToken, userinfo }: Told, name: string): unknown {
  return ownClaim(idToken, name) ?? (userinfo ? ownClaim(userinfo, name) : undefined)
}

/** Whether the claim is that text, or holds it; a number or a truth counts as JSON writes it. */
function holds(claim: unknown, text: string): boolean {
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
function toldMail({ idToken, userinfo }: Told): ToldMail | undefined {
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
function isLeftOut(told: Told, name: string): boolean {
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

/** By what a sign-in says who somebody is. */
export interface WhoRules {
  readonly person: { readonly by: 'email' } | { readonly by: 'claim'; readonly name: string }
  readonly admin: StaffRule | undefined
  readonly support: StaffRule | undefined
}

interface StaffRule {
  readonly claim: string
  readonly value: string
}

/** By what it is found out who somebody is. */
export interface WhoDeps {
  readonly rules: WhoRules
  readonly people: PeopleByMail
  /** Those that are set; people of others are nobody. */
  readonly companies: ReadonlySet<string>
  /** Has the directory say of that person what the Read API does now, as far as it answers. */
  readonly reread: (person: PersonInCompany) => Promise<void>
}

type Found = Awaited<ReturnType<PeopleByMail['findById']>>
/** One of each company at most. */
type PeopleOrWhy = readonly PersonInCompany[] | SignInRefusal

/**
 * Who that is: a person of the directory, one of the staff, or both; where several companies know them, one of those that are
 * given. `SignInRefused` where they are nobody.
 */
export async function whoIs(deps: WhoDeps, told: Told): Promise<readonly SignedIn[]> {
  const staff = staffOf(deps.rules, told)
  const found = await findPeopleNow(deps, told)
  if (typeof found !== 'string') return found.map((person) => ({ person, staff }))
  if (staff) return [{ person: null, staff }]
  const isForGroups = groupsLeftOut(deps.rules, told).length > 0
  throw new SignInRefused(isForGroups ? 'groups_left_out' : found)
}

/** The claims that say who is staff, of which the provider does not tell what they hold. */
export function groupsLeftOut({ admin, support }: WhoRules, told: Told): readonly string[] {
  const names = [admin, support].flatMap((rule) => rule?.claim ?? [])
  return [...new Set(names)].filter((name) => isLeftOut(told, name))
}

/** The claims without which it is not known who somebody is. */
export function claimsNeeded({ person, admin, support }: WhoRules): readonly string[] {
  const ofPerson = person.by === 'email' ? 'email' : person.name
  const names = [ofPerson, ...[admin, support].flatMap((rule) => rule?.claim ?? [])]
  return [...new Set(names.flatMap((name) => (name === 'email' ? [name, 'email_verified'] : name)))]
}

function staffOf({ admin, support }: WhoRules, told: Told): SignedIn['staff'] {
  const isOne = (rule: StaffRule | undefined): boolean => rule !== undefined && fits(rule, told)
  const role = isOne(admin) ? 'admin' : isOne(support) ? 'support' : undefined
  return role === undefined ? null : { actor: `staff:${nameOf(told)}`, role }
}

/** An address counts as it does for everybody else: only where it is theirs for sure, and whatever the case of its letters. */
function fits({ claim, value }: StaffRule, told: Told): boolean {
  if (claim !== 'email') return holds(claimOf(told, claim), value)
  const mail = toldMail(told)
  return mail?.isVerified === true && foldedMail(mail.mail) === foldedMail(value)
}

/** As the audit names them: by an address that is theirs for sure, else by what the provider calls them. */
function nameOf(told: Told): string {
  const mail = toldMail(told)
  return mail?.isVerified ? foldedMail(mail.mail) : toldSubject(told)
}

/** Without what not every database takes as text. */
function toldSubject(told: Told): string {
  return String(claimOf(told, 'sub')).replaceAll(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')
}

/** Of somebody who was read a day ago the id or the address may be another's by now. */
async function findPeopleNow(deps: WhoDeps, told: Told): Promise<PeopleOrWhy> {
  const found = await findPeople(deps, told)
  if (typeof found === 'string') return found
  await Promise.all(found.map((person) => deps.reread(person)))
  return findPeople(deps, told)
}

function findPeople({ rules, people, companies }: WhoDeps, told: Told): Promise<PeopleOrWhy> {
  const { person } = rules
  return person.by === 'email'
    ? findByMail({ people, companies }, told)
    : findById({ people, companies }, claimOf(told, person.name))
}

async function findByMail(
  { people, companies }: Pick<WhoDeps, 'people' | 'companies'>,
  told: Told,
): Promise<PeopleOrWhy> {
  const mail = toldMail(told)
  if (!mail) return 'no_mail'
  if (!mail.isVerified) return 'unverified_mail'
  const found = await people.findByMail(mail.mail)
  return onlyOnes(companies, found, 'unknown_mail')
}

async function findById(
  { people, companies }: Pick<WhoDeps, 'people' | 'companies'>,
  claim: unknown,
): Promise<PeopleOrWhy> {
  const id = typeof claim === 'number' && Number.isSafeInteger(claim) ? String(claim) : claim
  if (typeof id !== 'string' || id === '') return 'no_id'
  const found = (await people.findById(id)).filter(({ userId }) => userId === id)
  const known = found.filter(({ companyId }) => companies.has(companyId))
  // Unlike a verified address, the same id in two companies may be two people's, and who has left may still sign in.
  return known.length > 1 ? 'id_of_several' : onlyOnes(companies, known, 'unknown_id')
}

/** The only active person of each company: what another company knows changes nothing. */
function onlyOnes(companies: ReadonlySet<string>, found: Found, none: SignInRefusal): PeopleOrWhy {
  const known = found.filter(({ companyId }) => companies.has(companyId))
  const only = onlyActiveOfEach(known)
  if (only.length > 0) return only.map(({ companyId, userId }) => ({ companyId, userId }))
  if (known.some(isActive)) return 'mail_of_several'
  const left = known.filter(({ state, hasLeft }) => hasLeft || !unsaid.has(state))
  return left.length > 0 ? 'has_left' : none
}

/** States of whom the Read API has not said that they have left. */
const unsaid: ReadonlySet<string> = new Set(['active', 'unread', 'misnamed'])
