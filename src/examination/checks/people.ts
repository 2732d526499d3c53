import { collectionOf, type CopyHead } from '../../domain/copy.ts'
import type { DepartedMember, DepartureShare } from '../../domain/departure.ts'
import { type Finding, findingOf } from '../../domain/examination.ts'
import type { Newcomer, LookRound, SightingProblem } from '../../domain/person.ts'
import type { Trust } from '../../people/company-trust.ts'
import { listed, counted } from '../advice.ts'

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

/** Says that too many people leave at once to be believed, as has been judged where they are held back. */
function sayDepartures({ people, leaving }: DepartureShare): Finding {
  return findingOf({
    check: 'departures',
    level: 'wrong',
    seen: `Of ${people} known people ${leaving} became inactive or were not found, too many within a day.`,
    means:
      'That is more likely a fault of the Read API than the truth: no calendar is closed for it unless seven days confirm it.',
    set: null,
  })
}

/** Says which open feeds still have people in them who have left; nothing where none has. */
function sayLeftInFeeds(members: readonly DepartedMember[]): readonly Finding[] {
  if (members.length === 0) return []
  const byPerson = Map.groupBy(members, ({ userId }) => userId)
  const people = [...byPerson].map(
    ([userId, of]) => `${userId} (${of.map(({ feedId }) => feedId).join(', ')})`,
  )
  return [
    findingOf({
      check: 'left-in-feeds',
      level: 'note',
      seen: `Open feeds have ${peopleWho(byPerson.size)} left: ${listed(people)}.`,
      means:
        'Nothing of theirs is shown any more. To take them out: feed update FEED with a --user for each of the others; to end a feed: feed revoke FEED, with --purge for 30 days of a calendar that says so.',
      set: null,
    }),
  ]
}

function peopleWho(count: number): string {
  return count === 1 ? 'one person in them who has' : `${count} people in them who have`
}

/** Names the ids in feeds by which the Read API calls nobody; none where there are none. */
function sayMisnamed(userIds: readonly string[]): readonly Finding[] {
  if (userIds.length === 0) return []
  const ids = listed(userIds.map((id) => JSON.stringify(id)))
  return [
    findingOf({
      check: 'user-ids',
      level: 'wrong',
      seen: `Feeds are made for ids to which the Read API answers with a person of another id: ${ids}.`,
      means:
        'Their leaves are not asked for, so that they cannot be taken for another person’s; calendars show what was kept before. Find these feeds by `feed list --user ID`, make a feed for each person by the id that `feed create` then names, and revoke these.',
      set: null,
    }),
  ]
}

/** Says how many people the bridge knows, and where it could not look for more. */
function sayPeople(problems: readonly SightingProblem[], people: number): Finding {
  const known = `Known people of the company: ${people}.`
  const missing = problems.map(({ source, reason }) => `The ${source} could not be read: ${reason}`)
  const ok = problems.length === 0
  return findingOf({
    check: 'people',
    level: ok ? 'ok' : 'wrong',
    seen: [known, ...missing].join(' '),
    means: ok
      ? 'They were seen in timesheets, tasks and feeds; the Read API has no list of people.'
      : 'People who are named nowhere else are not known: they cannot be found, and leaves are not compared with theirs.',
    set: null,
  })
}

/** Names the ids that have become somebody else's, as far as is known; none where there are none. */
function sayNewcomers(newcomers: readonly Newcomer[]): readonly Finding[] {
  const held = newcomers.filter(({ confirmedAt }) => confirmedAt !== null)
  if (held.length === 0) return []
  const ids = listed(held.map(({ userId }) => userId))
  return [
    findingOf({
      check: 'another-person',
      level: 'wrong',
      seen: `The Read API answers with another name and another mail address than before for: ${ids}.`,
      means:
        'They are probably other people now. Calendars show what was known before for FEED_STALE_DAYS days and nothing new; after that those of one person end. Say who they are: person confirm --user ID --same (a new name and a new address), or --other.',
      set: null,
    }),
  ]
}

/** Says that a changed credential, or another way to the Read API, is not trusted; nothing where it is. */
export function sayTrust(trust: Trust): readonly Finding[] {
  if (trust.is === 'trusted') return []
  const isDoubted = trust.is === 'doubted'
  return [
    findingOf({
      check: 'another-company',
      level: 'wrong',
      seen: isDoubted
        ? seenOf(trust)
        : `${changed}, and no known person has been recognized with it yet.`,
      means: isDoubted
        ? 'It is probably another company’s. Nothing is read with it, and calendars show what was known before, for FEED_STALE_DAYS days. Put the right credential in its place; if this one is right, say of one of these people: person confirm --user ID --same.'
        : 'Until then nothing else is read, so that no other company’s records are shown: calendars show what was known before. It is tried again every minute.',
      set: null,
    }),
  ]
}

const changed = 'The credential or the way to the Read API was changed'

function seenOf({ others, nobody }: Trust & { readonly is: 'doubted' }): string {
  return others.length === 0
    ? `${changed}, and the Read API shows none of the people with it who were known before: ${listed(nobody)}.`
    : `${changed}, and with it the Read API answers with another name and another mail address than before for: ${listed(others)}.`
}

/** Says what has become less than can be believed yet; nothing where all is believed. */
export function sayDoubts(doubted: readonly CopyHead[]): readonly Finding[] {
  if (doubted.length === 0) return []
  const isOfMany = doubted.some(({ doubt }) => doubt?.ofMany)
  const names = doubted.map(({ key }) => {
    const { kind, subject } = collectionOf(key)
    return subject === '' ? kind : `${kind} of ${subject}`
  })
  const seen = `${counted(doubted.length, 'list')} lost much at once: ${listed(names)}.`
  const means = isOfMany
    ? 'So many emptied together that it is more likely a fault of the Read API: calendars show what was read before for a day.'
    : 'Calendars show what was read before until further readings say the same.'
  const level = isOfMany ? 'wrong' : 'note'
  return [findingOf({ check: 'shrinking', level, seen, means, set: null })]
}
