/* All the ways of lying that a random history picks from, by their names. */
import { alikeIds, stranger } from './eight-people.ts'
import type { Lie } from './lie.ts'
import {
  alwaysUnmodified,
  cutJson,
  empty,
  redirects,
  repeated,
  reset,
  reversed,
  stalled,
  status,
  torn,
  truncated,
  withRubbish,
  wrongBodies,
} from './lies-about-bytes.ts'
import { damagedAll, damages } from './lies-about-fields.ts'
import {
  cachedForAnother,
  carelessFilters,
  delayed,
  exchanged,
  type Mix,
  mixed,
  sharedLeave,
  unfiltered,
  unfilteredButRefusing,
} from './lies-about-people.ts'

/** Makes a lie of a number, so that one name stands for many lies. */
type LieOf = (choice: number) => Lie

function one(lie: Lie): LieOf {
  return () => lie
}

function among<T>(choices: readonly T[], choice: number): T {
  const chosen = choices[choice % choices.length]
  if (chosen === undefined) throw new Error('There is nothing to choose from.')
  return chosen
}

function pairOf(choice: number): readonly [string, string] {
  const first = choice % alikeIds.length
  const second = first + 1 + (Math.floor(choice / alikeIds.length) % (alikeIds.length - 1))
  return [among(alikeIds, first), among(alikeIds, second)]
}

/** An answer for one of the eight, or for anybody, with one to three leaves of another, or of a stranger. */
export function mixOf(choice: number): Mix {
  const [person, next] = pairOf(choice)
  const other = choice % 3 === 0 ? stranger : next
  return { person: choice % 4 === 0 ? null : person, other, count: 1 + (choice % 3) }
}

/** But those by which the upstream says that somebody has left: what it means is another matter. */
function statusOf(choice: number): Lie {
  const code = 400 + (choice % 200)
  const lie = status(code, code === 429 || code === 503 ? '120' : undefined)
  return code === 404 || code === 410
    ? { ...lie, of: ['leaves', 'timesheets', 'tasks', 'schedules', 'invoice'] }
    : lie
}

/** More than thirty. */
export const liePool: Readonly<Record<string, LieOf>> = {
  ...Object.fromEntries(
    [
      ...Object.values(carelessFilters),
      ...wrongBodies,
      ...redirects,
      unfiltered,
      cachedForAnother,
      delayed,
      empty,
      truncated,
      repeated,
      reversed,
      withRubbish,
      cutJson,
      reset,
      torn,
      stalled,
      alwaysUnmodified,
    ].map((lie) => [lie.name, one(lie)]),
  ),
  'unknown refused, known not filtered': (choice) =>
    unfilteredButRefusing(among([400, 404, 422], choice)),
  'answers exchanged': (choice) => exchanged(...pairOf(choice)),
  'a leave of somebody else': (choice) => sharedLeave(among(alikeIds, choice)),
  'a few leaves of somebody else': (choice) => mixed(mixOf(choice)),
  'a field damaged': (choice) => among(damages, choice),
  'a field damaged in all': (choice) => damagedAll(among(damages, choice)),
  'a status': statusOf,
  '503 with Retry-After': () => status(503, '60'),
  '429 with Retry-After': () => status(429, '60'),
  '429 without Retry-After': () => status(429),
}
