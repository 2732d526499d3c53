import type { Instant, Maybe } from './world.ts'

export interface User {
  readonly id: string
  readonly email?: Maybe<string>
  readonly firstName?: Maybe<string>
  readonly lastName?: Maybe<string>
  readonly role?: Maybe<string>
  readonly employmentType?: Maybe<string>
  readonly position?: Maybe<string>
  /** Only an explicit `false` means that the person has left. */
  readonly isActive?: Maybe<boolean>
  readonly assignedManagerId?: Maybe<string>
  readonly assignedManager?: Maybe<PersonReference>
  readonly createdAt?: Maybe<Instant>
  readonly updatedAt?: Maybe<Instant>
}

export interface PersonReference {
  readonly id: string
  readonly firstName?: Maybe<string>
  readonly lastName?: Maybe<string>
}

/** First and last name on one line; may be empty. */
export function displayName(person: Pick<User, 'firstName' | 'lastName'> | undefined): string {
  const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ')
  return name.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
}

/** Undefined where the record names no manager. */
export function managerIdOf({ assignedManager, assignedManagerId }: User): string | undefined {
  const id = assignedManager?.id ?? assignedManagerId ?? ''
  return id === '' ? undefined : id
}
