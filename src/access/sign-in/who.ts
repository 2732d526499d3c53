import type { SignedIn } from '../../domain/access/session.ts'
import { foldedMail, type PeopleByMail, type PersonInCompany } from '../../domain/person.ts'
import { claimOf, holds, isLeftOut, type Told, toldMail } from './claims.ts'
import { type SignInRefusal, SignInRefused } from './refusals.ts'

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
type PersonOrWhy = { readonly person: PersonInCompany } | { readonly why: SignInRefusal }

/** Who that is: a person of the directory, one of the staff, or both. `SignInRefused` where they are neither. */
export async function whoIs(deps: WhoDeps, told: Told): Promise<SignedIn> {
  const staff = staffOf(deps.rules, told)
  const found = await findPersonNow(deps, told)
  if ('person' in found) return { person: found.person, staff }
  if (staff) return { person: null, staff }
  const isForGroups = groupsLeftOut(deps.rules, told).length > 0
  throw new SignInRefused(isForGroups ? 'groups_left_out' : found.why)
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
async function findPersonNow(deps: WhoDeps, told: Told): Promise<PersonOrWhy> {
  const found = await findPerson(deps, told)
  if (!('person' in found)) return found
  await deps.reread(found.person)
  return findPerson(deps, told)
}

function findPerson({ rules, people, companies }: WhoDeps, told: Told): Promise<PersonOrWhy> {
  const { person } = rules
  return person.by === 'email'
    ? findByMail({ people, companies }, told)
    : findById({ people, companies }, claimOf(told, person.name))
}

async function findByMail(
  { people, companies }: Pick<WhoDeps, 'people' | 'companies'>,
  told: Told,
): Promise<PersonOrWhy> {
  const mail = toldMail(told)
  if (!mail) return { why: 'no_mail' }
  if (!mail.isVerified) return { why: 'unverified_mail' }
  const found = await people.findByMail(mail.mail)
  return onlyOne(companies, found, { none: 'unknown_mail', several: 'mail_of_several' })
}

async function findById(
  { people, companies }: Pick<WhoDeps, 'people' | 'companies'>,
  claim: unknown,
): Promise<PersonOrWhy> {
  const id = typeof claim === 'number' && Number.isSafeInteger(claim) ? String(claim) : claim
  if (typeof id !== 'string' || id === '') return { why: 'no_id' }
  const found = (await people.findById(id)).filter(({ userId }) => userId === id)
  return onlyOne(companies, found, { none: 'unknown_id', several: 'id_of_several' })
}

function onlyOne(
  companies: ReadonlySet<string>,
  found: Found,
  whys: { readonly none: SignInRefusal; readonly several: SignInRefusal },
): PersonOrWhy {
  const known = found.filter(({ companyId }) => companies.has(companyId))
  const active = known.filter(({ state, hasLeft }) => state === 'active' && !hasLeft)
  const [first, ...others] = active
  if (others.length > 0) return { why: whys.several }
  if (first) return { person: { companyId: first.companyId, userId: first.userId } }
  const left = known.filter(({ state, hasLeft }) => hasLeft || !unsaid.has(state))
  return { why: left.length > 0 ? 'has_left' : whys.none }
}

/** States of whom the Read API has not said that they have left. */
const unsaid: ReadonlySet<string> = new Set(['active', 'unread', 'misnamed'])
