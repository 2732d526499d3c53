import { localTime } from '../calendar/local-time.ts'
import type { CompanyWorkStore, HeldBackPerson } from '../domain/company-work.ts'
import { ofCompany } from '../domain/company.ts'
import type { Connection, CredentialStore } from '../domain/connection.ts'
import type { HeldBack } from '../domain/departure.ts'
import type { PeopleGroup } from '../domain/people-list.ts'
import type { NewcomerStore, PeopleFinder, PeopleStore } from '../domain/person.ts'
import type { PersonReference } from '../domain/user.ts'
import { type Clock, dayMs, type Instant } from '../domain/world.ts'
import type { PeopleOverviews } from './people-overview.ts'

/** People about whom somebody has to decide; of more than these, only the number is told. */
const listedMax = 50
const countedForMs = 30_000
/** A page shows at once what is known. */
const patienceMs = 100

interface CompanyWorkDeps {
  readonly connections: ReadonlyMap<string, Connection>
  readonly companyWork: CompanyWorkStore
  readonly newcomers: Pick<NewcomerStore, 'listNewcomers'>
  readonly people: Pick<PeopleStore, 'findPerson'>
  readonly peopleFinder: Pick<PeopleFinder, 'countPeople'>
  readonly peopleOverview: Pick<PeopleOverviews, 'countPeopleBy'>
  readonly credentials: Pick<CredentialStore, 'findTrusted'>
  readonly clock: Clock
}

/** A known person with an id that was read twice with another name and address. */
interface HeldPerson extends PersonReference {
  readonly since: Instant
}

/** What is to be decided. */
export interface Undecided {
  readonly heldBack: HeldBack & { readonly people: readonly HeldBackPerson[] }
  readonly held: { readonly count: number; readonly people: readonly HeldPerson[] }
  /** Since when the credential reads what may be another company's. */
  readonly doubtedSince: Instant | null
}

export interface CompanyCounts {
  readonly at: Instant
  readonly people: number
  readonly calendars: number
  /** Today, in the company's time zone. */
  readonly asked: number
  readonly groups: Readonly<Record<PeopleGroup, number>>
  readonly disputed: number
  readonly mailRefused: number
  readonly misnamed: number
}

export class CompanyWork {
  readonly #deps: CompanyWorkDeps
  readonly #known = new Map<string, CompanyCounts>()
  readonly #counting = new Map<string, Promise<CompanyCounts>>()

  constructor(deps: CompanyWorkDeps) {
    this.#deps = deps
  }

  async findUndecided(companyId: string): Promise<Undecided> {
    const { companyWork, newcomers, connections, credentials } = this.#deps
    const { id } = ofCompany(connections, companyId)
    const [sum, people, all, trusted] = await Promise.all([
      companyWork.sumHeldBack(companyId),
      companyWork.listHeldBack(companyId, listedMax),
      newcomers.listNewcomers(companyId),
      credentials.findTrusted(id),
    ])
    // What was read only once may be a single wrong answer.
    const confirmed = all.filter(({ confirmedAt }) => confirmedAt !== null)
    const named = confirmed.slice(0, listedMax).map(async ({ userId, since }) => {
      const person = await this.#deps.people.findPerson(companyId, userId)
      return { id: userId, firstName: person?.firstName, lastName: person?.lastName, since }
    })
    return {
      heldBack: { ...sum, people },
      held: { count: confirmed.length, people: await Promise.all(named) },
      doubtedSince: trusted?.doubtedSince ?? null,
    }
  }

  sumHeldBack(companyId: string): Promise<HeldBack> {
    return this.#deps.companyWork.sumHeldBack(companyId)
  }

  /** Counts again what is half a minute old, and returns what is known by then; null if nothing is yet. */
  async findCounts(companyId: string): Promise<CompanyCounts | null> {
    const known = this.#known.get(companyId)
    if (known && this.#deps.clock.now() - known.at < countedForMs) return known
    const counting = this.#counting.get(companyId) ?? this.#begin(companyId)
    const { promise: patience, resolve } = Promise.withResolvers<null>()
    const timer = setTimeout(() => resolve(null), patienceMs)
    try {
      return (await Promise.race([counting, patience])) ?? known ?? null
    } finally {
      clearTimeout(timer)
    }
  }

  #begin(companyId: string): Promise<CompanyCounts> {
    const counting = this.#count(companyId)
      .then((counts) => {
        this.#known.set(companyId, counts)
        return counts
      })
      .finally(() => this.#counting.delete(companyId))
    counting.catch(() => undefined)
    this.#counting.set(companyId, counting)
    return counting
  }

  async #count(companyId: string): Promise<CompanyCounts> {
    const { connections, companyWork, peopleFinder, peopleOverview, clock } = this.#deps
    const { id: connectionId, company } = ofCompany(connections, companyId)
    const now = clock.now()
    const { open, asked } = await companyWork.countCalendars(
      companyId,
      startOfDay(company.timezone, now),
    )
    return {
      at: now,
      people: await peopleFinder.countPeople(companyId),
      calendars: open,
      asked,
      groups: await peopleOverview.countPeopleBy(companyId),
      ...(await companyWork.countTroubles({ companyId, connectionId, now })),
    }
  }
}

function startOfDay(timezone: string, now: Instant): Instant {
  const zone = localTime(timezone)
  return zone.instantOn(Math.floor(zone.wallClockAt(now) / dayMs), 0)
}
