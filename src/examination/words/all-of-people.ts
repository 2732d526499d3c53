import type { DepartedMember, DepartureShare } from '../../domain/departure.ts'
import type { Finding } from '../../domain/examination.ts'
import type { Newcomer } from '../../domain/newcomer.ts'
import type { LookRound } from '../../domain/person.ts'
import { sayDepartures, sayLeftInFeeds } from './departures.ts'
import { sayMisnamed } from './misnamed.ts'
import { sayNewcomers } from './newcomers.ts'
import { sayPeople } from './people.ts'

/** What the bridge knows of people by itself. */
export interface KnownOfPeople {
  /** Where too many people leave at once to be believed. */
  readonly heldBack: DepartureShare | null
  /** Who has left and is in an open feed still. */
  readonly leftInFeeds: readonly DepartedMember[]
  /** Ids in feeds by which the Read API calls nobody. */
  readonly misnamed: readonly string[]
  /** Ids that may be somebody else's by now. */
  readonly newcomers: readonly Newcomer[]
  /** When people were last looked for, and what could not be seen. */
  readonly look: LookRound
  /** How many are known who have not left. */
  readonly people: number
}

/** Says all of it; where the Read API could not be entered it is no news that some people were not seen. */
export function sayAllOfPeople(
  { heldBack, leftInFeeds, misnamed, newcomers, look, people }: KnownOfPeople,
  { isEntered }: { readonly isEntered: boolean },
): readonly Finding[] {
  return [
    ...(look.lookedAt === null || !isEntered ? [] : [sayPeople(look.problems, people)]),
    ...(heldBack ? [sayDepartures(heldBack)] : []),
    ...sayLeftInFeeds(leftInFeeds),
    ...sayMisnamed(misnamed),
    ...sayNewcomers(newcomers),
  ]
}
