import type { PersonReference, User } from './user.ts'

/** By what a person is known again, in a form that can be compared; empty where it is not said. */
export interface Identity {
  readonly name: string
  readonly mail: string
}

const unsaid: Identity = { name: '', mail: '' }

/** What a record says of who somebody is. */
export function identityOf({ email, ...person }: Omit<User, 'id'>): Identity {
  return { name: foldedName(person), mail: (email ?? '').normalize('NFKC').trim().toLowerCase() }
}

/** Whether both are said: of all others nobody can tell whether they are somebody else. */
export function isComplete({ name, mail }: Identity): boolean {
  return name !== '' && mail !== ''
}

/**
 * Whether the record is of the one who was known: what is missing on either side says nothing, unless the last record still
 * said it. A newcomer's account often has no address yet.
 */
export function compareIdentity(
  known: Identity,
  read: Identity,
  last: Identity = unsaid,
): 'same' | 'another' | 'unsaid' {
  if (!isComplete(known)) return 'same'
  if (isRecognised(known, read)) return 'same'
  if (isComplete(read)) return 'another'
  const hasLostMail = read.name !== '' && last.mail !== ''
  const hasLostName = read.mail !== '' && last.name !== ''
  return hasLostMail || hasLostName ? 'another' : 'unsaid'
}

/** A record without an address may merely say less of the name, too, than one before. */
function isRecognised({ name, mail }: Identity, read: Identity): boolean {
  if (mail === read.mail || isSameName(name, read.name)) return true
  return read.mail === '' && hasAllWords(name, read.name)
}

/**
 * By what a person is known once that is read of them and is nobody else's. Who was not known in full becomes known by two
 * readings in a row if they say otherwise than what was known: one alone may be a mistake.
 */
export function knownAfter(known: Identity, read: Identity, last: Identity): Identity {
  if (!isComplete(read)) return known
  return isComplete(known) || agree(known, read) || agree(last, read) ? read : known
}

/** Whether the record says all that was said, and not otherwise. */
function agree({ name, mail }: Identity, read: Identity): boolean {
  return (name === '' || isSameName(name, read.name)) && (mail === '' || mail === read.mail)
}

/**
 * Whether both names are said, and neither has a word that contradicts the other: a middle name may be left out. One word
 * alone is not enough for that: many are called Anna.
 */
export function isSameName(one: string, other: string): boolean {
  if (one === other) return one !== ''
  return (
    [one, other].every((name) => name.includes(' ')) &&
    (hasAllWords(one, other) || hasAllWords(other, one))
  )
}

/** Whether that name is said, and every word of it stands in the one that is known. */
function hasAllWords(known: string, name: string): boolean {
  return name !== '' && new Set(name.split(' ')).isSubsetOf(new Set(known.split(' ')))
}

/** The words of a name whatever their order, without case and accents. */
export function foldedName({
  firstName,
  lastName,
}: Pick<PersonReference, 'firstName' | 'lastName'>): string {
  const letters = `${firstName ?? ''} ${lastName ?? ''}`.normalize('NFKD')
  const plain = letters
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toUpperCase()
    .toLowerCase()
  const words = plain.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')
  return words.toSorted().join(' ')
}
