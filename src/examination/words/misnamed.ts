import { type Finding, findingOf } from '../../domain/examination.ts'
import { listed } from './counted.ts'

/** Names the ids in feeds by which the Read API calls nobody; none where there are none. */
export function sayMisnamed(userIds: readonly string[]): readonly Finding[] {
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
