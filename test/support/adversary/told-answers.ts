/* What the upstream has said of each list, so that what a calendar shows can be held against it. */
import type { Told } from './lying-company.ts'

const dayMs = 86_400_000
const secondReadingMs = 60_000
const thirdReadingMs = 600_000
/** A feed asks for a year and more of timesheets; anyone who asks for less cannot be told of all. */
const wholeRangeMs = 150 * dayMs
/** So many answers say enough of what led to a fault. */
const describedMax = 24
/** Statuses by which a project says, if it goes on saying so, that there is nothing of it. */
const emptyingStatuses = new Set([400, 401, 403, 404, 410])

/** Of one list; `ids` is null where the answer said nothing of any record. */
interface Said {
  /** Counted over all answers. */
  readonly order: number
  readonly at: number
  readonly status: number
  readonly ids: ReadonlySet<unknown> | null
  /** Whether one of its records could not even be called by its id. */
  readonly hasNameless: boolean
}

export class ToldAnswers {
  readonly #byList = new Map<string, Said[]>()
  /** How many answers there have been. */
  count = 0

  /** Takes what is new; forgets what is older than two days. */
  take(told: Told[]): void {
    for (const it of told.splice(0)) {
      if (it.operation === 'timesheets' && rangeOf(it) < wholeRangeMs) continue
      const key = keyOf(it.operation, it.subject)
      const said = this.#byList.get(key) ?? []
      const hasNameless = it.ids?.some((id) => typeof id !== 'string' || id === '') ?? false
      const ids = it.ids && new Set(it.ids)
      said.push({ order: (this.count += 1), at: it.at, status: it.status, ids, hasNameless })
      while (said.length > 1 && it.at - said[0]!.at > 2 * dayMs) said.shift()
      this.#byList.set(key, said)
    }
  }

  /** The answers for that person's leaves that held the leave, or for those of anybody else. */
  holding(leave: string, whose: (subject: string) => boolean): readonly Said[] {
    return [...this.#byList]
      .filter(([key]) => key.startsWith('leaves:') && whose(key.slice('leaves:'.length)))
      .flatMap(([, said]) => said.filter(({ ids }) => ids?.has(leave)))
      .toSorted((a, b) => a.order - b.order)
  }

  /** Whether somebody of these was last answered with the leave. */
  isLastAnswer(leave: string, whose: (subject: string) => boolean): boolean {
    return [...this.#byList].some(([key, said]) => {
      const isTheirs = key.startsWith('leaves:') && whose(key.slice('leaves:'.length))
      return isTheirs && said.findLast(({ ids }) => ids !== null)?.ids?.has(leave) === true
    })
  }

  /** Whether so many answers in a row for that person's leaves have held the leave. */
  cameInARow(leave: string, subject: string, times: number): boolean {
    const readable = (this.#byList.get(keyOf('leaves', subject)) ?? []).filter(({ ids }) => ids)
    return readable.some((_, index) => {
      const some = readable.slice(index, index + times)
      return some.length === times && some.every(({ ids }) => ids?.has(leave))
    })
  }

  /**
   * Whether the list has, since so many answers, been told without the record in a way that has to be believed: with little
   * else missing of what was `known`, or again and again for as long as it is doubted.
   */
  isBelievablyWithout(
    list: string,
    record: string,
    { known, since }: { readonly known: readonly string[]; readonly since: number },
  ): boolean {
    const said = this.#byList.get(list) ?? []
    const isRefused = ({ status }: Said): boolean => emptyingStatuses.has(status)
    return said.some((it) => {
      if (isRefused(it)) return lasts(said, it, { isOfKind: isRefused, ms: dayMs, since })
      if (!lacks(it, record)) return false
      const isOfKind = (next: Said): boolean => lacks(next, record)
      const knowns = [known, ...believedBefore(said, it)]
      const isAtOnce = it.order > since && knowns.some((one) => isSmallLoss(it, one))
      return isAtOnce || lasts(said, it, { isOfKind, ms: delay(it, known), since })
    })
  }

  /** The last answers for these lists, in words. */
  describe(isMeant: (list: string) => boolean): string {
    const meant = [...this.#byList].filter(([list]) => isMeant(list))
    return meant
      .flatMap(([list, said]) => said.map((it) => ({ list, ...it })))
      .toSorted((a, b) => a.order - b.order)
      .slice(-describedMax)
      .map(({ list, order, at, status, ids }) => {
        const what = ids ? [...ids].join(' ') : `status ${status}`
        return `  ${order} ${new Date(at).toISOString()} ${list} ${what}`
      })
      .join('\n')
  }
}

export function keyOf(operation: string, subject: string): string {
  return `${operation}:${subject}`
}

function rangeOf({ query }: Told): number {
  const [from, to] = [query.get('startDate'), query.get('endDate')]
  return from === null || to === null ? Infinity : Date.parse(to) - Date.parse(from)
}

function lacks({ ids, hasNameless }: Said, record: string): boolean {
  return ids !== null && !hasNameless && !ids.has(record)
}

/** Neither all is gone, nor more than half of three or more. */
function isSmallLoss({ ids }: Said, known: readonly string[]): boolean {
  const left = known.filter((id) => ids?.has(id)).length
  return left > 0 && (known.length < 3 || known.length - left <= known.length / 2)
}

/** What has been told twice in a row, a second reading's time apart, may be all that is known: of that the next may lack little. */
function believedBefore(said: readonly Said[], it: Said): readonly (readonly string[])[] {
  const before = said.filter(({ ids, order }) => ids !== null && order < it.order)
  return before.flatMap(({ ids, at }, index) => {
    const previous = before[index - 1]
    const isAgain =
      previous?.ids?.symmetricDifference(ids ?? new Set()).size === 0 &&
      at - previous.at >= secondReadingMs
    return isAgain ? [[...(ids ?? [])].map(String)] : []
  })
}

function delay({ ids }: Said, known: readonly string[]): number {
  return known.some((id) => ids?.has(id)) ? secondReadingMs : thirdReadingMs
}

interface Lasting {
  readonly isOfKind: (it: Said) => boolean
  readonly ms: number
  readonly since: number
}

/** Whether all that was said for so long from then on, failures left out, was of that kind, the last of it lately. */
function lasts(said: readonly Said[], first: Said, { isOfKind, ms, since }: Lasting): boolean {
  const after = said.slice(said.indexOf(first)).filter((it) => it.ids !== null || isOfKind(it))
  // What was asked first may be heard last: answers of one instant have no order.
  const isEnd = (it: Said): boolean =>
    !isOfKind(it) && !after.some((other) => other.at === it.at && isOfKind(other))
  const end = after.findIndex(isEnd)
  const last = (end === -1 ? after : after.slice(0, end)).at(-1) ?? first
  return last.at - first.at >= ms && last.order > since
}
