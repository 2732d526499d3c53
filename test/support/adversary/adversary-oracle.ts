/*
 * What holds of every calendar whatever the upstream says:
 * - A leave that was never the person's own is in none of their calendars, unless the upstream has lied consistently to
 *   every comparison. It has only if an answer brought it to the person (1) before which no answer for anybody else had held
 *   it for a day, nor the last one for any of them, (2) which did not hold all of what another's calendar shows, two leaves
 *   or more, and (3) which was one of two in a row that held it, while some person's calendar was still unknown one of three.
 *   These exceptions are counted.
 * - An event whose record the company still has stays, unless the list has been told without it as an honest company
 *   would: with little else missing, or for as long as a list that shrinks suddenly is doubted. A failure, a record that
 *   cannot be read and a list that is empty for a moment take nothing away, and a calendar that was served is served.
 * - No event's SEQUENCE falls.
 * - Once the lies have ended every calendar is exact within a quarter of an hour and a poll: leaves that somebody else
 *   was told of first, that changed hands, or that come with all that another's calendar shows, after a day.
 */
import type { LyingCompany } from './lying-company.ts'
import { exactly, shown, uidsOf } from './shown.ts'
import type { Polled } from './subscribers.ts'
import { keyOf, ToldAnswers } from './told-answers.ts'

const dayMs = 86_400_000
const host = '@main.calendar-feed-bridge'

export class AdversaryOracle {
  readonly #company: LyingCompany
  readonly #told = new ToldAnswers()
  /** Whose each leave is or was. */
  readonly #owners = new Map<string, Set<string>>()
  /** The last calendar of each person, and what it could be made of. */
  readonly #last = new Map<string, Polled>()
  readonly #known = new Map<string, readonly string[]>()
  readonly #sequences = new Map<string, number>()
  /** How many answers there had been at each person's last poll. */
  readonly #polledAt = new Map<string, number>()
  readonly #late = new Set<string>()
  #exceptions = 0

  constructor(company: LyingCompany) {
    this.#company = company
    this.noteOwners()
  }

  /** How often the upstream had lied consistently to every comparison. */
  get exceptions(): number {
    return this.#exceptions
  }

  /** To be called after every change of the company's leaves. */
  noteOwners(): void {
    for (const [person, leaves] of Object.entries(this.#company.records.leaves)) {
      for (const { id } of leaves) {
        const owners = this.#owners.get(id) ?? new Set()
        if (owners.size > 0 && !owners.has(person)) this.#late.add(id)
        this.#owners.set(id, owners.add(person))
      }
    }
  }

  /** Holds the answer of a poll against all that; gives what is wrong, in words. */
  faultsOf(polled: Polled): readonly string[] {
    this.#told.take(this.#company.told)
    if (polled.status !== 200) return this.#unserved(polled)
    const faults = [...this.#foreign(polled), ...this.#gone(polled), ...this.#fallen(polled)]
    this.#last.set(polled.person, polled)
    this.#polledAt.set(polled.person, this.#told.count)
    this.#known.set('tasks:prj_web', this.#taskIds())
    return faults
  }

  /** What a calendar that should be exact has too much or too little; `aDayLater` also of leaves that take their time. */
  inexact(polled: Polled, aDayLater: boolean): readonly string[] {
    this.#told.take(this.#company.told)
    const { records } = this.#company
    const should = new Set(exactly(records, polled.person))
    const is = new Set(uidsOf(polled))
    const wrong = [
      ...[...should].filter((uid) => !is.has(uid)).map((uid) => `lacks ${uid}`),
      ...[...is].filter((uid) => !should.has(uid)).map((uid) => `has ${uid}`),
    ]
    const counted = wrong.filter((it) => aDayLater || !this.#isLate(it))
    const status = polled.status === 200 ? [] : [`answers ${polled.status}: ${polled.text}`]
    return [...status, ...counted].map((it) => `${polled.person}, all being true again, ${it}`)
  }

  #unserved({ person, status, text }: Polled): readonly string[] {
    const wasServed = this.#last.has(person)
    return wasServed || status !== 503 ? [`${person} got ${status} ${text.slice(0, 100)}`] : []
  }

  #foreign(polled: Polled): readonly string[] {
    const { person } = polled
    const before = new Set(this.#shownBefore(person))
    return shown(polled, 'leave')
      .filter((id) => !this.#owners.get(id)?.has(person) && !before.has(id))
      .flatMap((id) => {
        const reason = this.#contradiction(id, person)
        if (reason === null) this.#exceptions += 1
        this.#late.add(id)
        if (reason === null) return []
        const said = this.#told.describe((list) => list.startsWith('leaves:'))
        return [`${person} sees ${id}: ${reason}\n${said}`]
      })
  }

  /** Why the bridge could have known that the leave is not that person's; null where it could not. */
  #contradiction(id: string, person: string): string | null {
    const all = this.#told.holding(id, (it) => it === person)
    const since = this.#polledAt.get(person) ?? 0
    const lately = all.filter(({ order }) => order > since)
    const reasons = (lately.length > 0 ? lately : all.slice(-1)).map((it) =>
      this.#contradictionOf(id, person, it),
    )
    return reasons.length === 0
      ? 'it never came for them'
      : reasons.includes(null)
        ? null
        : reasons[0]!
  }

  #contradictionOf(
    id: string,
    person: string,
    own: { readonly order: number; readonly at: number; readonly ids: ReadonlySet<unknown> | null },
  ): string | null {
    const isOther = (it: string): boolean => it !== person && it !== ''
    const before = this.#told.holding(id, isOther).filter(({ order }) => order < own.order)
    if (before.some(({ at }) => own.at - at < dayMs)) return 'it came for others'
    if (before.length > 0 && this.#told.isLastAnswer(id, isOther)) return 'it is another’s still'
    const another = this.#whoseAllCame(person, own.ids)
    if (another !== undefined) return `with all of ${another}’s`
    const isAllKnown = this.#company.records.users.every((it) => this.#last.has(it.id))
    const times = isAllKnown ? 2 : 3
    return this.#told.cameInARow(id, person, times) ? null : `not ${times} times in a row`
  }

  #gone(polled: Polled): readonly string[] {
    const before = this.#last.get(polled.person)
    if (!before) return []
    const { records } = this.#company
    const still = new Set(exactly(records, polled.person))
    return [...before.uids]
      .filter((uid) => !polled.uids.has(uid) && (still.has(uid) || uid.startsWith('shift-')))
      .filter((uid) => !this.#isBelievablyGone(uid, before))
      .map((uid) => `${polled.person} lost ${uid}\n${this.#saidOf(uid, before)}`)
  }

  #saidOf(uid: string, before: Polled): string {
    const [kind = ''] = uid.split('-')
    const [list, known] = this.#listOf(kind, before)
    const since = this.#polledAt.get(before.person) ?? 0
    return `known: ${known.join(' ')}, since ${since}\n${this.#told.describe((it) => it === list)}`
  }

  #isBelievablyGone(uid: string, before: Polled): boolean {
    const [kind = '', id = ''] = uid.slice(0, -host.length).split('-')
    const since = this.#polledAt.get(before.person) ?? 0
    const [list, known] = this.#listOf(kind, before)
    return this.#told.isBelievablyWithout(list, id, { known, since })
  }

  /** The list from which events of that kind come, and the ids of what was known of it. */
  #listOf(kind: string, before: Polled): readonly [list: string, known: readonly string[]] {
    if (kind === 'shift') return ['schedules:', ['sch_day', 'sch_late']]
    if (kind === 'task') return ['tasks:prj_web', this.#known.get('tasks:prj_web') ?? []]
    const operation = kind === 'leave' ? 'leaves' : 'timesheets'
    return [keyOf(operation, before.person), shown(before, kind as 'leave' | 'timesheet')]
  }

  #fallen({ person, sequences }: Polled): readonly string[] {
    return [...sequences].flatMap(([uid, sequence]) => {
      const key = `${person} ${uid}`
      const before = this.#sequences.get(key) ?? 0
      this.#sequences.set(key, sequence)
      return sequence < before ? [`${key}: SEQUENCE ${before} became ${sequence}`] : []
    })
  }

  /** Somebody else all of whose shown leaves, two or more, are among these; undefined where there is nobody. */
  #whoseAllCame(person: string, ids: ReadonlySet<unknown> | null): string | undefined {
    return [...this.#last.keys()].find((other) => {
      const theirs = other === person ? [] : this.#shownBefore(other)
      return theirs.length > 1 && theirs.every((it) => ids?.has(it))
    })
  }

  #shownBefore(person: string): readonly string[] {
    const last = this.#last.get(person)
    return last ? shown(last, 'leave') : []
  }

  #taskIds(): readonly string[] {
    return (this.#company.records.tasks['prj_web'] ?? []).map(({ id }) => id)
  }

  /** A leave that changed hands, was first told of to somebody else, or comes with all that is another's. */
  #isLate(wrong: string): boolean {
    const id = /leave-(\w+)@/.exec(wrong)?.[1]
    if (id === undefined) return false
    const owners = this.#owners.get(id) ?? new Set()
    const others = this.#told.holding(id, (it) => it !== '' && !owners.has(it))
    const own = this.#told.holding(id, (it) => owners.has(it))
    const wasFirst = others[0] && (!own[0] || others[0].at <= own[0].at)
    const last = own.at(-1)?.ids ?? null
    const isAmongAnothers = [...owners].some((owner) => this.#whoseAllCame(owner, last))
    return this.#late.has(id) || wasFirst === true || isAmongAnothers
  }
}
