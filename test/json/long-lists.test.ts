import { createHash } from 'node:crypto'

import fc from 'fast-check'
import { expect, it } from 'vitest'

import { bytesOfList, hashOfList } from '../../src/json/list-text.ts'
import { sortedById } from '../../src/json/sorted-by-id.ts'

const lengths = [0, 1, 2, 999, 1000, 1001, 2000, 3500]

it.each(lengths)('a list of %d is written and hashed as JSON.stringify writes it', (length) => {
  const list = Array.from({ length }, (_, index) => ({ id: `${index}`, name: undefined, n: null }))
  const text = JSON.stringify(list)
  expect(lastOf(bytesOfList(list)).toString()).toBe(text)
  expect(lastOf(hashOfList(list))).toBe(createHash('sha256').update(text).digest('base64url'))
})

it.each(lengths)('a list of %d is sorted, those of one id as they stood', (length) => {
  const list = Array.from({ length }, (_, index) => ({ id: `${(index * 7919) % 701}`, index }))
  const expected = list.toSorted((a, b) => (a.id === b.id ? 0 : a.id < b.id ? -1 : 1))
  expect(lastOf(sortedById(list))).toEqual(expected)
})

it('any ids are sorted by their code units', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }), (ids) => {
      const sorted = lastOf(sortedById(ids.map((id) => ({ id }))))
      expect(sorted.map(({ id }) => id)).toEqual(ids.toSorted())
    }),
  )
})

function lastOf<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
