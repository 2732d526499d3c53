/* Checks of what the bridge itself knows about people and its copies. */
import { collectionOf, type CopyHead } from '../../domain/copy.ts'
import type { DepartedMember, DepartureShare } from '../../domain/departure.ts'
import { type Finding, findingOf } from '../../domain/examination.ts'
import type { LookRound, Newcomer } from '../../domain/person.ts'
import type { Trust } from '../../people/company-trust.ts'
import { counted, listed } from '../inquiry.ts'

/** Reports how many people are known, and where the search for more failed. */
export function checkPeople({ lookedAt, problems }: LookRound, people: number): readonly Finding[] {
  if (lookedAt === null) return []
  const check = 'people'
  const known = `Known people of the company: ${people}.`
  if (problems.length === 0) {
    const means =
      'They were seen in timesheets, tasks and feeds; the Read API has no list of people.'
    return [findingOf({ check, level: 'ok', seen: known, means })]
  }
  const missing = problems.map(({ source, reason }) => `The ${source} could not be read: ${reason}`)
  const means =
    'People who are named nowhere else are not known: they cannot be found, and leaves are not compared with theirs.'
  return [findingOf({ check, level: 'wrong', seen: [known, ...missing].join(' '), means })]
}

/** Reports that too many people left at once to be believed. */
export function checkDepartures(heldBack: DepartureShare | null): readonly Finding[] {
  if (!heldBack) return []
  const { people, leaving } = heldBack
  const seen = `Of ${people} known people ${leaving} became inactive or were not found, too many within a day.`
  const means =
    'That is more likely a fault of the Read API than the truth: no calendar is closed for it unless seven days confirm it.'
  return [findingOf({ check: 'departures', level: 'wrong', seen, means })]
}

/** Reports that too many people lost their manager at once to be believed. */
export function checkManagers(heldBack: DepartureShare | null): readonly Finding[] {
  if (!heldBack) return []
  const { people, leaving } = heldBack
  const seen = `Of ${people} people with a manager ${leaving} have lost theirs, too many within a day.`
  const means =
    'That is more likely a fault of the Read API than the truth: they stay in their teams unless seven days confirm it.'
  return [findingOf({ check: 'managers', level: 'wrong', seen, means })]
}

/** Reports people in open feeds who have left. */
export function checkLeftInFeeds(members: readonly DepartedMember[]): readonly Finding[] {
  if (members.length === 0) return []
  const byPerson = Map.groupBy(members, ({ userId }) => userId)
  const { size } = byPerson
  const who = size === 1 ? 'one person in them who has' : `${size} people in them who have`
  const people = [...byPerson].map(
    ([userId, of]) => `${userId} (${of.map(({ feedId }) => feedId).join(', ')})`,
  )
  const seen = `Open feeds have ${who} left: ${listed(people)}.`
  const means =
    'Nothing of theirs is shown any more. To take them out: feed update FEED with a --user for each of the others; to end a feed: feed revoke FEED, with --purge for 30 days of a calendar that says so.'
  return [findingOf({ check: 'left-in-feeds', level: 'note', seen, means })]
}

/** Reports ids in feeds that no person has in the Read API. */
export function checkMisnamed(userIds: readonly string[]): readonly Finding[] {
  if (userIds.length === 0) return []
  const ids = listed(userIds.map((id) => JSON.stringify(id)))
  const seen = `Feeds are made for ids to which the Read API answers with a person of another id: ${ids}.`
  const means =
    'Their leaves are not asked for, so that they cannot be taken for another person’s; calendars show what was kept before. Find these feeds by `feed list --user ID`, make a feed for each person by the id that `feed create` then names, and revoke these.'
  return [findingOf({ check: 'user-ids', level: 'wrong', seen, means })]
}

/** Reports ids that probably belong to another person now. */
export function checkNewcomers(newcomers: readonly Newcomer[]): readonly Finding[] {
  const held = newcomers.filter(({ confirmedAt }) => confirmedAt !== null)
  if (held.length === 0) return []
  const ids = listed(held.map(({ userId }) => userId))
  const seen = `The Read API answers with another name and another mail address than before for: ${ids}.`
  const means =
    'They are probably other people now. Calendars show what was known before for FEED_STALE_DAYS days and nothing new; after that those of one person end. Say who they are: person confirm --user ID --same (a new name and a new address), or --other.'
  return [findingOf({ check: 'another-person', level: 'wrong', seen, means })]
}

/** Reports a changed credential, or another way to the Read API, that is not trusted. */
export function checkTrust(trust: Trust): readonly Finding[] {
  if (trust.is === 'trusted') return []
  const check = 'another-company'
  const changed = 'The credential or the way to the Read API was changed'
  if (trust.is === 'unknown') {
    const seen = `${changed}, and no known person has been recognized with it yet.`
    const means =
      'Until then nothing else is read, so that no other company’s records are shown: calendars show what was known before. It is tried again every minute.'
    return [findingOf({ check, level: 'wrong', seen, means })]
  }
  const { others, missing } = trust
  const seen =
    others.length === 0
      ? `${changed}, and the Read API no longer shows these people with it: ${listed(missing)}.`
      : `${changed}, and with it the Read API answers with another name and another mail address than before for: ${listed(others)}.`
  const means =
    'It is probably another company’s. Nothing is read with it, and calendars show what was known before, for FEED_STALE_DAYS days. Put the right credential in its place; if this one is right, say of one of these people: person confirm --user ID --same.'
  return [findingOf({ check, level: 'wrong', seen, means })]
}

/** Reports lists that lost too much to be believed yet. */
export function checkDoubts(doubted: readonly CopyHead[]): readonly Finding[] {
  if (doubted.length === 0) return []
  const names = doubted.map(({ key }) => {
    const { kind, subject } = collectionOf(key)
    return subject === '' ? kind : `${kind} of ${subject}`
  })
  const seen = `${counted(doubted.length, 'list')} lost much at once: ${listed(names)}.`
  const verdict = doubted.some(({ doubt }) => doubt?.ofMany)
    ? ({
        level: 'wrong',
        means:
          'So many emptied together that it is more likely a fault of the Read API: calendars show what was read before for a day.',
      } as const)
    : ({
        level: 'note',
        means: 'Calendars show what was read before until further readings say the same.',
      } as const)
  return [findingOf({ check: 'shrinking', seen, ...verdict })]
}
