import { expect, it } from 'vitest'

import {
  areTooManyLeaving,
  areTooManyOfSample,
  withLeaving,
} from '../../src/people/leaving-share.ts'

const nobody = { people: 0, leaving: 0 }
const none = { known: nobody, wereHere: 0, heldBack: 0, inFeeds: nobody }

it.each([
  { people: 1, leaving: 1, tooMany: false },
  { people: 2, leaving: 1, tooMany: false },
  { people: 2, leaving: 2, tooMany: true },
  { people: 3, leaving: 2, tooMany: false },
  { people: 3, leaving: 3, tooMany: true },
  { people: 10, leaving: 3, tooMany: false },
  { people: 10, leaving: 4, tooMany: true },
  { people: 80, leaving: 4, tooMany: false },
  { people: 79, leaving: 4, tooMany: true },
  { people: 3000, leaving: 150, tooMany: false },
  { people: 3000, leaving: 151, tooMany: true },
  { people: 0, leaving: 0, tooMany: false },
])('$leaving leavers out of $people are too many: $tooMany', ({ tooMany, ...share }) => {
  const wereHere = share.leaving
  expect(areTooManyLeaving({ ...none, known: share, wereHere })).toBe(tooMany)
})

it('people who were gone when first seen are not too many unless all are gone', () => {
  const wereHere = 3
  const some = { people: 20, leaving: 12 }
  const all = { people: 20, leaving: 20 }
  expect(areTooManyLeaving({ ...none, known: some, wereHere })).toBe(false)
  expect(areTooManyLeaving({ ...none, known: all, wereHere })).toBe(true)
})

it.each([
  { people: 1, leaving: 1, tooMany: false },
  { people: 2, leaving: 2, tooMany: true },
  { people: 3, leaving: 2, tooMany: false },
  { people: 5, leaving: 3, tooMany: false },
  { people: 8, leaving: 4, tooMany: false },
  { people: 7, leaving: 4, tooMany: true },
])('$leaving leavers out of $people in feeds are too many: $tooMany', ({ tooMany, ...inFeeds }) => {
  const known = { people: 100, leaving: inFeeds.leaving }
  expect(areTooManyLeaving({ ...none, known, wereHere: inFeeds.leaving, inFeeds })).toBe(tooMany)
})

it.each([
  { heldBack: 1, tooMany: false },
  { heldBack: 2, tooMany: true },
])('leavers beside $heldBack already held back are too many: $tooMany', ({ heldBack, tooMany }) => {
  const known = { people: 3000, leaving: 3 }
  expect(areTooManyLeaving({ ...none, known, wereHere: 3, heldBack })).toBe(tooMany)
})

it.each([
  { asked: 50, leaving: 7, tooMany: false },
  { asked: 50, leaving: 8, tooMany: true },
  { asked: 10, leaving: 3, tooMany: false },
  { asked: 10, leaving: 4, tooMany: true },
])(
  '$leaving leavers in a sample of $asked are too many: $tooMany',
  ({ asked, leaving, tooMany }) => {
    expect(areTooManyOfSample(asked, leaving)).toBe(tooMany)
  },
)

it('possible leavers also count where people in feeds are counted', () => {
  const some = { people: 9, leaving: 1 }
  expect(withLeaving({ known: some, wereHere: 1, heldBack: 1, inFeeds: some }, 2)).toEqual({
    known: { people: 9, leaving: 3 },
    wereHere: 3,
    heldBack: 1,
    inFeeds: { people: 9, leaving: 3 },
  })
})
