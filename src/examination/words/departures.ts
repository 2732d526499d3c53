import type { DepartedMember, DepartureShare } from '../../domain/departure.ts'
import { type Finding, findingOf } from '../../domain/examination.ts'
import { listed } from './counted.ts'

/** Says that too many people leave at once to be believed, as has been judged where they are held back. */
export function sayDepartures({ people, leaving }: DepartureShare): Finding {
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
export function sayLeftInFeeds(members: readonly DepartedMember[]): readonly Finding[] {
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
