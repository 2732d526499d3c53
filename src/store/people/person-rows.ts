import { createHash } from 'node:crypto'

import type { Kysely } from 'kysely'

import { type Identity, identityOf } from '../../domain/identity.ts'
import { foldedId, findableMail, type Person, type PersonReading } from '../../domain/person.ts'
import type { PersonReference, User } from '../../domain/user.ts'
import type { Maybe } from '../../domain/world.ts'
import { plainLine } from '../../text/plain-text.ts'
import { inParts } from '../rows.ts'
import type { PersonRow, StoreTables } from '../tables.ts'

const unstorable = /[\p{Cc}\p{Cs}]/u
const idLengthMax = 256
const marksAtOnce = 10_000

/** The person that a row holds. */
export function personOf(row: PersonRow): Person {
  return {
    userId: row.user_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    managerId: row.manager_id,
    state: row.state,
    seenAt: row.seen_at,
    readAt: row.read_at,
    known: knownIdentity(row),
  }
}

/** By what the person of a row is known again. */
export function knownIdentity({
  known_name: name,
  known_mail: mail,
  ...row
}: Pick<PersonRow, 'known_name' | 'known_mail' | 'first_name' | 'last_name' | 'email'>): Identity {
  if (name !== null && mail !== null) return { name, mail }
  return identityOf({ firstName: row.first_name, lastName: row.last_name, email: row.email })
}

/** The row of someone of whom only this is known. */
export function sightedRow(companyId: string, person: PersonReference, seenAt: number): PersonRow {
  return {
    company_id: companyId,
    user_id: person.id,
    folded_id: foldedId(person.id),
    reversed_id: reversedId(person.id),
    first_name: storable(person.firstName),
    last_name: storable(person.lastName),
    email: null,
    folded_email: null,
    manager_id: null,
    state: 'unread',
    seen_at: seenAt,
    read_at: null,
    due_at: 0,
    known_name: null,
    known_mail: null,
  }
}

/** What a reading sets: without a record only the state, so that the person stays due. */
export function readColumns(
  { state, user, known, readAt }: PersonReading,
  dueAt: number,
): Partial<PersonRow> {
  if (!user) return { state, read_at: readAt, ...(state === 'active' ? {} : { due_at: dueAt }) }
  return {
    state,
    first_name: storable(user.firstName),
    last_name: storable(user.lastName),
    ...mailColumns(user),
    ...(known && { known_name: known.name, known_mail: known.mail }),
    manager_id: managerOf(user)?.id ?? null,
    read_at: readAt,
    due_at: dueAt,
  }
}

function mailColumns(user: User): Pick<PersonRow, 'email' | 'folded_email'> {
  const email = storable(user.email)
  return { email, folded_email: email === null ? null : findableMail(email) }
}

/** Whom the user names as manager. */
export function managerOf(user: User | undefined): PersonReference | undefined {
  const manager = user?.assignedManager ?? { id: user?.assignedManagerId ?? '' }
  return isIdentifier(manager.id) ? manager : undefined
}

function isIdentifier(id: string): boolean {
  return id !== '' && id.length <= idLengthMax && !unstorable.test(id)
}

/** The id from its end to its beginning. */
export function reversedId(id: string): string {
  return Array.from(id).toReversed().join('')
}

/** By which an erased person is known again without being named. */
export function erasureMark(companyId: string, userId: string): string {
  const what = JSON.stringify(['calendar-feed-bridge erased person', companyId, userId])
  return createHash('sha256').update(what).digest('base64url')
}

/** Those of the ids that were erased in that company. */
export async function findErased(
  queries: Kysely<StoreTables>,
  companyId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = new Map(userIds.map((id) => [erasureMark(companyId, id), id]))
  const found = new Set<string>()
  for (const marks of inParts([...ids.keys()], marksAtOnce)) {
    const rows = await queries
      .selectFrom('erased_people')
      .select('mark')
      .where('mark', 'in', marks)
      .execute()
    for (const { mark } of rows) found.add(ids.get(mark) ?? '')
  }
  return found
}

/** Both databases store it; empty is none. */
function storable(text: Maybe<string>): string | null {
  const kept = plainLine(text ?? '')
  return kept === '' ? null : kept
}
