import { expect, it } from 'vitest'

import { leavesTooMany } from '../../src/people/departure-share.ts'

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
])('$leaving of $people are too many: $tooMany', ({ tooMany, ...share }) => {
  expect(leavesTooMany(share)).toBe(tooMany)
})
