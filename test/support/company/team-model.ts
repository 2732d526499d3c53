/* A company whose people change managers, join, leave and are erased, and the members of its teams. */
import fc from 'fast-check'

import { dayMs, type Instant } from '../../../src/domain/world.ts'
import type { CompanyRecords } from './company-server.ts'
import { leave, task } from './people.ts'

/** People by number; the Read API knows nobody by the last of them, and another system's id stands for nobody at all. */
const peopleMax = 14
const ghost = 'usr_ghost'

/** What happens in a company between two looks at it. */
export type TeamChange =
  | { readonly does: 'reports to'; readonly who: number; readonly manager: number | 'ghost' }
  | { readonly does: 'names nobody'; readonly who: readonly number[] }
  | { readonly does: 'joins' | 'leaves' | 'returns' | 'is erased'; readonly who: number }
  | { readonly does: 'waits'; readonly days: number }

const person = fc.nat(peopleMax - 1)

export const teamChanges: fc.Arbitrary<TeamChange> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('reports to' as const),
      who: person,
      manager: fc.oneof(
        { weight: 6, arbitrary: fc.nat(4) },
        { weight: 3, arbitrary: person },
        { weight: 1, arbitrary: fc.constant('ghost' as const) },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('names nobody' as const),
      who: fc.oneof(
        fc.array(person, { minLength: 1, maxLength: 3 }),
        fc.constant(Array.from({ length: peopleMax }, (_, number) => number)),
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('joins' as const, 'leaves' as const, 'returns' as const),
      who: person,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('is erased' as const), who: person }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('waits' as const), days: fc.constantFrom(3, 8) }),
  },
)

export function idOf(number: number): string {
  return `usr_${String(number).padStart(2, '0')}`
}

/** The first name stands for nobody else. */
export function nameOf(userId: string): string {
  return `Name${userId.slice(4)}x`
}

interface ModelPerson {
  /** As the Read API says. */
  named: string | null
  isActive: boolean
  /** As it is known. */
  managerId: string | null
  missingSince: Instant | null
  hasLeft: boolean
}

/** Who has to be in a team, by the same rules written independently. */
export class TeamModel {
  readonly people = new Map<string, ModelPerson>()
  readonly erased = new Set<string>()
  readonly #read = new Set<string>()

  constructor(count: number) {
    for (let number = 0; number < count; number += 1) this.#join(idOf(number), (number - 1) / 2)
  }

  /** Whether it can happen now. */
  change(change: TeamChange): boolean {
    if (change.does === 'waits') return true
    if (change.does === 'names nobody') {
      for (const number of change.who) this.#update(number, { named: null })
      return true
    }
    const { who } = change
    if (change.does === 'reports to') {
      const named = change.manager === 'ghost' ? ghost : idOf(change.manager)
      return this.#update(who, { named })
    }
    if (change.does === 'leaves') return this.#update(who, { isActive: false })
    if (change.does === 'returns') return this.#update(who, { isActive: true })
    const userId = idOf(who)
    if (change.does === 'joins') {
      if (this.people.has(userId) || this.erased.has(userId)) return false
      this.#join(userId, 1)
      return true
    }
    // Nobody can be erased before the directory knows them.
    if (!this.#read.has(userId) || !this.people.delete(userId)) return false
    this.erased.add(userId)
    for (const one of this.people.values()) {
      if (one.managerId === userId) Object.assign(one, { managerId: null, missingSince: null })
    }
    return true
  }

  /** What the Read API would answer; erased people stay in it. */
  write(records: CompanyRecords): void {
    const erased = [...this.erased].map((id) => [id, { named: null, isActive: true }] as const)
    const users = [...this.people, ...erased].map(([id, { named, isActive }]) => ({
      id,
      firstName: nameOf(id),
      lastName: `Last${id}`,
      email: `${id}@example.com`,
      isActive,
      ...(named === null ? {} : { assignedManagerId: named }),
    }))
    records.users = users
    records.tasks = { prj_web: [task('tsk_all', '2026-01-20', users)] }
    records.leaves = Object.fromEntries(
      users.map(({ id }) => [
        id,
        [leave(`lv_${id}`, `2026-01-${id.slice(4)}`.replace('-00', '-20'))],
      ]),
    )
  }

  /** Everybody is read. */
  readAll(now: Instant): void {
    for (const [userId, one] of this.people) {
      this.#read.add(userId)
      const { named, managerId } = one
      one.hasLeft = !one.isActive
      if (named !== null) {
        one.managerId = this.erased.has(named) ? null : named
        one.missingSince = null
      } else if (one.isActive && managerId !== null) {
        one.missingSince ??= now
        if (now - one.missingSince < 7 * dayMs) continue
        Object.assign(one, { managerId: null, missingSince: null })
      }
    }
  }

  membersOf(managerId: string, depth: 'direct' | 'all'): readonly string[] {
    const found = new Set<string>()
    const below = (manager: string): void => {
      for (const [id, one] of this.people) {
        const isBelow = one.managerId === manager && !this.#isGone(one)
        if (!isBelow || found.has(id)) continue
        found.add(id)
        if (depth === 'all') below(id)
      }
    }
    below(managerId)
    found.delete(managerId)
    return [...found].filter((id) => !this.people.get(id)?.hasLeft).toSorted()
  }

  #isGone({ missingSince, managerId }: ModelPerson): boolean {
    if (missingSince === null) return false
    const managed = [...this.people.values()].filter((it) => it.managerId !== null)
    const team = managed.filter((it) => it.managerId === managerId)
    const areTooMany = (
      of: readonly ModelPerson[],
      isMost: (count: number) => boolean,
    ): boolean => {
      const lost = of.flatMap((it) => it.missingSince ?? [])
      return lost.some((first) => {
        const isWithin = (it: Instant): boolean => it >= first && it < first + dayMs
        const count = lost.filter(isWithin).length
        return count >= 2 && isWithin(missingSince) && isMost(count)
      })
    }
    return !(
      areTooMany(managed, (count) => {
        return (count > 3 && count > managed.length / 20) || count >= managed.length
      }) || areTooMany(team, (count) => count > team.length / 2)
    )
  }

  #join(userId: string, manager: number): void {
    const named = manager < 0 ? null : idOf(Math.floor(manager))
    const known = { managerId: null, missingSince: null, hasLeft: false }
    this.people.set(userId, { named, isActive: true, ...known })
  }

  #update(number: number, change: Partial<ModelPerson>): boolean {
    const one = this.people.get(idOf(number))
    if (one) Object.assign(one, change)
    return one !== undefined
  }
}
