import type { SignedIn } from '../../domain/access/staff.ts'
import {
  foldedMail,
  isActive,
  onlyActiveOfEach,
  type PeopleByMail,
  type PersonInCompany,
} from '../../domain/person.ts'
import { type SignInRefusal, SignInRefused } from './provider.ts'

type Claims = Readonly<Record<string, unknown>>

/** What the provider says about somebody: in the ID token, and in userinfo if that was asked. */
export interface Told {
  readonly idToken: Claims
  readonly userinfo: Claims | null
}

interface StaffRule {
  readonly claim: string
  readonly value: string
}

interface WhoRules {
  readonly person: { readonly by: 'email' } | { readonly by: 'claim'; readonly name: string }
  readonly admin: StaffRule | undefined
  readonly support: StaffRule | undefined
}

export interface WhoDeps {
  readonly rules: WhoRules
  readonly people: PeopleByMail
  /** Those that are set up: people of others are not let in. */
  readonly companies: ReadonlySet<string>
  /** Makes the directory read that person again, if the Read API answers. */
  readonly reread: (person: PersonInCompany) => Promise<void>
}

/**
 * A person of the directory, one of the staff, or both; if several companies know them, one entry for each. `SignInRefused`
 * if they are neither.
 */
export async function whoIs(deps: WhoDeps, told: Told): Promise<readonly SignedIn[]> {
  const staff = staffOf(deps.rules, told)
  let found = await findPeople(deps, told)
  if (typeof found !== 'string') {
    // The id or the address may be somebody else's since they were read.
    await Promise.all(found.map((person) => deps.reread(person)))
    found = await findPeople(deps, told)
  }
  if (typeof found !== 'string') return found.map((person) => ({ person, staff }))
  if (staff) return [{ person: null, staff }]
  const isForGroups = groupsLeftOut(deps.rules, told).length > 0
  throw new SignInRefused(isForGroups ? 'groups_left_out' : found)
}

/** The staff claims that the provider leaves out, as Microsoft does for many groups (OpenID Connect Core, 5.6.2). */
export function groupsLeftOut({ admin, support }: WhoRules, told: Told): readonly string[] {
  const elsewhere = claimOf(told, '_claim_names')
  if (typeof elsewhere !== 'object' || elsewhere === null) return []
  const names = new Set([admin, support].flatMap((rule) => rule?.claim ?? []))
  return [...names].filter(
    (name) => Object.hasOwn(elsewhere, name) && claimOf(told, name) === undefined,
  )
}

export function claimsNeeded({ person, admin, support }: WhoRules): readonly string[] {
  const ofPerson = person.by === 'email' ? 'email' : person.name
  const names = [ofPerson, ...[admin, support].flatMap((rule) => rule?.claim ?? [])]
  return [...new Set(names.flatMap((name) => (name === 'email' ? [name, 'email_verified'] : name)))]
}

/** Undefined also for a claim that is null, which says nothing (OpenID Connect Core, 5.3.2). */
export function ownClaim(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? (claims[name] ?? undefined) : undefined
}

function claimOf({ idToken, userinfo }: Told, name: string): unknown {
  return ownClaim(idToken, name) ?? (userinfo ? ownClaim(userinfo, name) : undefined)
}

/** The audit names staff by a verified address, else by what the provider calls them. */
function staffOf({ admin, support }: WhoRules, told: Told): SignedIn['staff'] {
  const fits = (rule: StaffRule | undefined): boolean => rule !== undefined && isMet(rule, told)
  const role = fits(admin) ? 'admin' : fits(support) ? 'support' : undefined
  if (role === undefined) return null
  const mail = toldMail(told)
  // Not every database takes these characters.
  const subject = String(claimOf(told, 'sub')).replaceAll(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')
  return { actor: `staff:${mail?.isVerified ? foldedMail(mail.mail) : subject}`, role }
}

/** The claim is that text, or a list with it; numbers and booleans count as JSON writes them. An address must be verified. */
function isMet({ claim, value }: StaffRule, told: Told): boolean {
  if (claim === 'email') {
    const mail = toldMail(told)
    return mail?.isVerified === true && foldedMail(mail.mail) === foldedMail(value)
  }
  const found = claimOf(told, claim)
  const members: readonly unknown[] = Array.isArray(found) ? found : [found]
  return members.some(
    (it) =>
      it === value ||
      ((typeof it === 'boolean' || Number.isSafeInteger(it)) && JSON.stringify(it) === value),
  )
}

/**
 * The address, verified only if the claims that contain it also say so. If these say neither, the other claims count if
 * they contain the same address: a provider that verifies one address has not verified another.
 */
function toldMail({
  idToken,
  userinfo,
}: Told): { readonly mail: string; readonly isVerified: boolean } | undefined {
  const found = [idToken, userinfo].flatMap((claims) => {
    const mail = claims && ownClaim(claims, 'email')
    if (typeof mail !== 'string' || !/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(mail)) return []
    return [{ mail, verified: ownClaim(claims ?? {}, 'email_verified') }]
  })
  const [first] = found
  if (!first) return undefined
  const same = found.filter(({ mail }) => foldedMail(mail) === foldedMail(first.mail))
  const verified = same.find((it) => it.verified !== undefined)?.verified
  return { mail: first.mail, isVerified: verified === true }
}

async function findPeople(
  { rules, people, companies }: WhoDeps,
  told: Told,
): Promise<readonly PersonInCompany[] | SignInRefusal> {
  const isSetUp = ({ companyId }: PersonInCompany): boolean => companies.has(companyId)
  if (rules.person.by === 'email') {
    const mail = toldMail(told)
    if (!mail) return 'no_mail'
    if (!mail.isVerified) return 'unverified_mail'
    const found = await people.findByMail(mail.mail)
    return onlyOnes(found.filter(isSetUp), 'unknown_mail')
  }
  const claim = claimOf(told, rules.person.name)
  const id = Number.isSafeInteger(claim) ? String(claim) : claim
  if (typeof id !== 'string' || id === '') return 'no_id'
  const found = (await people.findById(id)).filter((it) => it.userId === id && isSetUp(it))
  // Unlike a verified address, the same id in two companies may belong to two people.
  return found.length > 1 ? 'id_of_several' : onlyOnes(found, 'unknown_id')
}

function onlyOnes(
  found: Awaited<ReturnType<PeopleByMail['findById']>>,
  none: SignInRefusal,
): readonly PersonInCompany[] | SignInRefusal {
  const only = onlyActiveOfEach(found)
  if (only.length > 0) return only.map(({ companyId, userId }) => ({ companyId, userId }))
  if (found.some(isActive)) return 'mail_of_several'
  const hasAnyLeft = found.some(
    ({ state, hasLeft }) => hasLeft || state === 'user_inactive' || state === 'user_missing',
  )
  return hasAnyLeft ? 'has_left' : none
}
