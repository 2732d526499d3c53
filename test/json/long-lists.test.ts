import { createHash } from 'node:crypto'

import fc from 'fast-check'
import { expect, it } from 'vitest'

import { bytesOfList, hashOfList } from '../../src/json/list-text.ts'
import { filtered, grouped, mapped } from '../../src/json/long-lists.ts'
import { setBy, setOf, within, without } from '../../src/json/long-sets.ts'
import { sortedById, sortedTexts } from '../../src/json/sorted.ts'

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

it('any list and any two sets come to what they come to at once', () => {
  const texts = fc.array(fc.string({ maxLength: 2 }), { maxLength: 30 })
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const [ones, others] = [new Set(one), new Set(other)]
      const isShort = (text: string): boolean => text.length < 2
      const lengthOf = (text: string): number => text.length
      expect(lastOf(mapped(one, lengthOf))).toEqual(one.map(lengthOf))
      expect(lastOf(filtered(one, isShort))).toEqual(one.filter(isShort))
      expect(lastOf(grouped(one, lengthOf))).toEqual(Map.groupBy(one, lengthOf))
      expect(lastOf(setBy(one, lengthOf))).toEqual(new Set(one.map(lengthOf)))
      expect(lastOf(setOf(one, other))).toEqual(ones.union(others))
      expect(lastOf(within(ones, others))).toEqual(ones.intersection(others))
      expect(lastOf(without(ones, others))).toEqual(ones.difference(others))
      expect(lastOf(sortedTexts(one))).toEqual(one.toSorted())
    }),
  )
})

it('a long list takes many steps, of which each looks at some of it', () => {
  const list = Array.from({ length: 10_000 }, (_, index) => `${index}`)
  let [most, looked] = [0, 0]
  const steps = mapped(list, () => (looked += 1))
  for (let before = 0; steps.next().done !== true; before = looked) {
    most = Math.max(most, looked - before)
  }
  expect(looked).toBe(10_000)
  expect(most).toBeLessThanOrEqual(500)
})

function lastOf<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
