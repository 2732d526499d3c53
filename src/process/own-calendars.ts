import type { Actor } from '../domain/access/staff.ts'
import type { FeedStore } from '../domain/feed.ts'
import type { LinkStore } from '../domain/link.ts'
import type { PersonInCompany } from '../domain/person.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { FeedAdministration } from '../feeds/feed-administration.ts'
import { OwnCalendar } from '../feeds/own/own-calendar.ts'

interface OwnCalendarsDeps {
  readonly administrationBy: (by: Actor) => FeedAdministration
  readonly feeds: FeedStore
  readonly links: LinkStore
  readonly clock: Clock
  readonly log: Log
}

/** The own calendar of whoever has signed in, whose deeds are theirs. */
export function ownCalendars(deps: OwnCalendarsDeps): (person: PersonInCompany) => OwnCalendar {
  return (person) => {
    const { companyId, userId } = person
    const by: Actor = { actor: `person:${userId}`, companyId }
    const { creation } = deps.administrationBy(by)
    return new OwnCalendar({ ...deps, creation, by }, person)
  }
}
