/* Hands out calendars to people whom somebody names, all or none. */
import { type Actor, refuseOtherCompany } from '../../domain/access/staff.ts'
import { asAppError, asFailure, type InputFault } from '../../domain/errors.ts'
import { type FeedOptions, readOptions } from '../../domain/feed-options.ts'
import { type Locale, programLocale } from '../../domain/feed.ts'
import type { PeopleListStore } from '../../domain/people-list.ts'
import type { PeopleByMail } from '../../domain/person.ts'
import type { Instant } from '../../domain/world.ts'
import { createRests } from '../../json/rest.ts'
import { connectionOf } from '../company-lookup.ts'
import type { FeedsDeps } from '../deps.ts'
import { creationKey, findKnown } from '../feed-creation.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import type { FeedImport, ForAllRows, ImportedRow, PlannedRow } from './feed-import.ts'
import { type DirectoryPerson, type FoundPerson, PeopleLookup } from './people-lookup.ts'
import { cellOf, type CsvRecord } from './read-table.ts'

/** People at once. */
export const handOutMax = 1000

/** How long names may take to appear in an empty directory. */
const firstSearchMs = 5000

type FaultName = 'empty' | 'unknown' | 'several' | 'left' | 'held' | 'misnamed' | 'unasked'

/** What is wrong with a line or a row. */
export interface HandOutFault {
  readonly row: number
  /** As it was typed. */
  readonly given: string
  /** `unasked`: the directory does not know the id, and the Read API cannot be asked; `cell`: see `column`. */
  readonly about: FaultName | 'email' | 'cell'
  /** Those who were perhaps meant, or all of that name. */
  readonly people: readonly DirectoryPerson[]
  readonly column: string
  /** In English. */
  readonly detail: string
}

export interface HandOutRequest {
  readonly companyId: string
  /** The column `userId` holds an id, a mail address or a full name. */
  readonly records: readonly CsvRecord[]
  readonly forAll: ForAllRows
}

/** Either faults, or what would be made. */
export interface HandOutCheck {
  readonly faults: readonly HandOutFault[]
  /** How many there are beside `faults`. */
  readonly moreFaults: number
  /** What is wrong with the table as a whole; null if nothing is. */
  readonly tableFault: string | null
  readonly rows: readonly PlannedRow[]
  readonly warnings: readonly HandOutWarning[]
}

/** `ignored`: the columns; `unchecked`: the Read API does not answer for somebody; `other`: a sentence in English. */
interface HandOutWarning {
  readonly about: 'ignored' | 'unchecked' | 'other'
  readonly text: string
}

interface Making {
  /** Of the form: it makes calendars once. */
  readonly key: string
  readonly label: string
  /** Give those who have the calendar already a new link; their old one works for `graceDays` more. */
  readonly renews: boolean
  readonly graceDays: number
}

type HandOutDeps = FeedsDeps & {
  readonly by: Actor
  readonly peopleList: PeopleListStore
  readonly peopleByMail: PeopleByMail
  readonly feedImport: FeedImport
}

interface Named {
  readonly record: CsvRecord
  readonly found: Extract<FoundPerson, { readonly userId: string }>
}

const nothingWrong = { faults: [], moreFaults: 0, tableFault: null, rows: [], warnings: [] }

export class HandOut {
  readonly #deps: HandOutDeps

  constructor(deps: HandOutDeps) {
    this.#deps = deps
  }

  /** What a calendar of the company shows unless something else is set. */
  async defaults(
    companyId: string,
  ): Promise<{ readonly locale: Locale; readonly options: FeedOptions }> {
    const { locale, own } = await this.#deps.companyDefaults.findDefaults(companyId)
    return { locale: locale ?? programLocale, options: readOptions('own', own) }
  }

  /** Finds and checks everybody; stores nothing. Somebody who is named twice counts once. */
  async check({ companyId, records, forAll }: HandOutRequest): Promise<HandOutCheck> {
    refuseOtherCompany(this.#deps.by.companyId, companyId)
    await this.#deps.directory.untilSeen(companyId, AbortSignal.timeout(firstSearchMs))
    const lookup = new PeopleLookup(this.#deps, companyId)
    const { named, faults } = await findAll(records, lookup)
    const known = named.map(({ record, found }) => ({
      ...record,
      cells: { ...record.cells, userId: found.userId },
    }))
    try {
      if (known.length === 0) return { ...nothingWrong, faults }
      const options = { companyId, forAll }
      const { drafts, ignored } = await this.#deps.feedImport.check(known, options)
      const all = [...faults, ...uncertain(drafts, named)].toSorted((a, b) => a.row - b.row)
      if (all.length > 0) return { ...nothingWrong, faults: all }
      const warnings = warningsOf(ignored, drafts)
      return { ...nothingWrong, warnings, rows: await this.#deps.feedImport.plan(drafts) }
    } catch (error) {
      const refused = asFailure(error)
      if (refused.code !== 'invalid') throw error
      if (refused.faults.length === 0) {
        return { ...nothingWrong, faults, tableFault: refused.message }
      }
      const told = refused.faults.map((fault) => this.#faultOf(fault, named, companyId, lookup))
      const all = [...faults, ...(await Promise.all(told))].toSorted((a, b) => a.row - b.row)
      return { ...nothingWrong, faults: all, moreFaults: refused.moreFaults }
    }
  }

  /**
   * Makes what was checked, once: if the form with that key has made its calendars before, the instant when it did. The rows
   * come in the order in which they were done.
   */
  async make(
    rows: readonly PlannedRow[],
    { key, label, renews, graceDays }: Making,
  ): Promise<readonly ImportedRow[] | { readonly madeAt: Instant }> {
    const { feeds, clock, by } = this.#deps
    const known = creationKey(key, '', by)
    try {
      await feeds.createFeeds([], { ...known, feedIds: [], createdAt: clock.now() })
    } catch (error) {
      const before = await findKnown(this.#deps, known)
      if (!before) throw error
      return { madeAt: before.createdAt }
    }
    const drafts = rows.map(({ draft }) => draft)
    return this.#deps.feedImport.make(drafts, { label, rotateExisting: renews, graceDays })
  }

  async #faultOf(
    { pointer, detail }: InputFault,
    named: readonly Named[],
    companyId: string,
    lookup: PeopleLookup,
  ): Promise<HandOutFault> {
    const [, index = '', member = ''] = pointer.split('/')
    const { record } = named[Number(index)] ?? {}
    const given = cellOf(record, 'userId')
    const fault = { row: record?.row ?? 0, given, column: member, detail, people: [] }
    if (member === 'email') return { ...fault, about: 'email' }
    if (member !== 'userIds') return { ...fault, about: 'cell' }
    const userId = named[Number(index)]?.found.userId ?? ''
    const about = await this.#whyNot(companyId, userId)
    const people = about === 'unknown' ? await lookup.similarTo(given) : []
    return { ...fault, about, column: 'userId', people }
  }

  /** Why nobody of that id can get a calendar: asked again, since faults are sentences. */
  async #whyNot(companyId: string, userId: string): Promise<FaultName> {
    const { api } = connectionOf(this.#deps.connections, companyId)
    try {
      const { isActive } = await api.get('user', userId)
      return isActive === false ? 'left' : 'held'
    } catch (error) {
      const code = asAppError(error)?.code
      if (code === 'upstream_misnamed') return 'misnamed'
      return code === 'upstream_not_found' ? 'unknown' : 'unasked'
    }
  }
}

async function findAll(
  records: readonly CsvRecord[],
  lookup: PeopleLookup,
): Promise<{ readonly named: readonly Named[]; readonly faults: readonly HandOutFault[] }> {
  const named = new Map<string, Named>()
  const faults: HandOutFault[] = []
  const rests = createRests()
  for (const record of records) {
    const given = cellOf(record, 'userId')
    const found = given === '' ? { fault: 'empty' as const, people: [] } : await lookup.find(given)
    if ('fault' in found) {
      const { fault: about, people } = found
      faults.push({ row: record.row, given, about, people, column: 'userId', detail: '' })
    } else {
      const person = JSON.stringify([found.userId, cellOf(record, 'name')])
      if (!named.has(person)) named.set(person, { record, found })
    }
    if (rests.isDue()) await rests.take()
  }
  return { named: [...named.values()], faults }
}

/** Further warnings about people for whom the Read API does not answer say the same. */
function warningsOf(
  ignored: readonly string[],
  drafts: readonly FeedDraft[],
): readonly HandOutWarning[] {
  const asked = drafts.filter(({ users }) => users.length > 0)
  const others = new Set(asked.flatMap((it) => it.warnings))
  return [
    ...(ignored.length > 0 ? [{ about: 'ignored' as const, text: ignored.join(', ') }] : []),
    ...(asked.length < drafts.length ? [{ about: 'unchecked' as const, text: '' }] : []),
    ...[...others].map((text) => ({ about: 'other' as const, text })),
  ]
}

/** While the Read API does not answer, only those count whom the directory knows. */
function uncertain(drafts: readonly FeedDraft[], named: readonly Named[]): readonly HandOutFault[] {
  return drafts.flatMap(({ users }, index): HandOutFault[] => {
    const { record, found } = named[index] ?? {}
    if (!record || !found || users.length > 0 || (found.isKnown && !found.hasLeft)) return []
    const about = found.hasLeft ? 'left' : 'unasked'
    const given = cellOf(record, 'userId')
    return [{ row: record.row, given, about, people: [], column: 'userId', detail: '' }]
  })
}
