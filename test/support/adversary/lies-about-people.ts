/* Lies about whose a record is: filters that are careless, and answers that are somebody else's. */
import type { Json } from '../company/company-server.ts'
import { knows, leavesWhere, type Lie, type Reply, statusReply } from './lie.ts'
import { honestRecords } from './question.ts'

type Matches = (id: string, asked: string) => boolean

/** A filter that takes others for the one who is asked for. */
function careless(name: string, matches: Matches): Lie {
  return {
    name,
    of: ['leaves'],
    pick: ({ subject }, { records }) =>
      leavesWhere(records, (id) => subject === '' || matches(id, subject)),
  }
}

const bySqlLike: Matches = (id, asked) => likePattern(asked).test(id)

function likePattern(asked: string): RegExp {
  const parts = asked.split('').map((it) => ({ '%': '.*', _: '.' })[it] ?? RegExp.escape(it))
  return new RegExp(`^${parts.join('')}$`)
}

function byGlob(id: string, asked: string): boolean {
  const parts = asked.split('').map((it) => ({ '*': '.*', '?': '.' })[it] ?? RegExp.escape(it))
  return new RegExp(`^${parts.join('')}$`).test(id)
}

const byNumber: Matches = (id, asked) => withoutZeros(id) === withoutZeros(asked)

const byLetters: Matches = (id, asked) => collator.compare(id, asked) === 0

const collator = new Intl.Collator('en', { sensitivity: 'base' })

const byDouble: Matches = (id, asked) =>
  id === asked || (/^\d+$/.test(id + asked) && Number(id) === Number(asked))

function withoutZeros(id: string): string {
  return id.replaceAll(/(?<!\d)0+(?=\d)/g, '')
}

/** Those of the filter by what it matches. */
export const carelessFilters = {
  prefix: careless('filter by prefix', (id, asked) => id.startsWith(asked)),
  suffix: careless('filter by suffix', (id, asked) => id.endsWith(asked)),
  substring: careless('filter by substring', (id, asked) => id.includes(asked)),
  reversed: careless('filter by ids that the asked one begins with', (id, asked) =>
    asked.startsWith(id),
  ),
  case: careless('filter without case', (id, asked) => id.toLowerCase() === asked.toLowerCase()),
  wildcard: careless('filter by LIKE', bySqlLike),
  glob: careless('filter by glob', byGlob),
  number: careless('filter by number', byNumber),
  accents: careless('filter without accents', byLetters),
  digits: careless('filter by floating-point numbers', byDouble),
} as const

const everybodys: NonNullable<Lie['pick']> = (_, { records }) => leavesWhere(records, () => true)

export const unfiltered: Lie = { name: 'filter ignored', of: ['leaves'], pick: everybodys }

/** Refuses whom it does not know, and filters nobody else. */
export function unfilteredButRefusing(status: number): Lie {
  return {
    name: `unknown employees refused with ${status}, the filter ignored for known ones`,
    of: ['leaves'],
    pick: everybodys,
    reply: (reply, { subject }, known) =>
      subject === '' || knows(known, subject) ? reply : statusReply(status),
  }
}

export const unfilteredAfterPageOne: Lie = {
  name: 'only page 1 filtered',
  of: ['leaves'],
  pick: (asked, known) =>
    asked.page.start === 0 ? (known.records.leaves[asked.subject] ?? []) : everybodys(asked, known),
}

/** Each of the two gets the other's answer. */
export function exchanged(one: string, other: string): Lie {
  const partner = new Map([
    [one, other],
    [other, one],
  ])
  return {
    name: 'answers of two people exchanged',
    of: ['leaves'],
    pick: ({ subject }, { records }) => records.leaves[partner.get(subject) ?? subject] ?? [],
  }
}

/** What was asked for the time before is what is answered. */
export const cachedForAnother: Lie = {
  name: 'answer cached for the wrong person',
  of: ['leaves', 'timesheets'],
  pick: (asked, { records, lastSubject }) => {
    const query = new URLSearchParams(asked.query)
    query.set('userId', lastSubject)
    return honestRecords({ ...asked, subject: lastSubject, query }, records) ?? []
  },
}

export const delayed: Lie = {
  name: 'answer of a while ago',
  pick: (asked, { before }) => honestRecords(asked, before) ?? [],
}

/** Somebody's first leave comes for all others, too. */
export function sharedLeave(owner: string): Lie {
  return {
    name: 'a leave of somebody else among one’s own',
    of: ['leaves'],
    pick: ({ subject }, { records }) => {
      const own = records.leaves[subject] ?? []
      const [foreign] = records.leaves[owner] ?? []
      return foreign && subject !== owner && knowsOwnLeaves(own) ? [...own, foreign] : own
    },
  }
}

/** For whom an answer holds leaves of somebody else, and how many; for everybody else where no person is named. */
export interface Mix {
  readonly person: string | null
  readonly other: string
  readonly count: number
}

/** Among a person's own leaves stand some of somebody else. */
export function mixed({ person, other, count }: Mix): Lie {
  return {
    name: 'an answer with a few leaves of somebody else',
    of: ['leaves'],
    pick: ({ subject }, { records }) => {
      const own = records.leaves[subject] ?? []
      const isMixed = subject !== other && subject === (person ?? subject)
      return isMixed ? [...own, ...(records.leaves[other] ?? []).slice(0, count)] : own
    },
  }
}

function knowsOwnLeaves(own: readonly Json[]): boolean {
  return own.length > 0
}

/** The employee is no longer there to be asked for. */
export function refusedPerson(id: string, status: number): Lie {
  return {
    name: `one person answered with ${status}`,
    of: ['leaves', 'user'],
    reply: (reply: Reply, { subject }) => (subject === id ? statusReply(status) : reply),
  }
}
