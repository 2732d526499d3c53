import { expect, it } from 'vitest'

import { Recent } from '../../src/domain/memo.ts'

it('a kept value replaces the previous one under its name and can be forgotten', () => {
  const recent = new Recent<string>(100)
  recent.keep('a', 'one', 10)
  expect(recent.find('a')).toBe('one')
  recent.keep('a', 'two', 10)
  expect(recent.find('a')).toBe('two')
  recent.forget('a')
  expect(recent.find('a')).toBeUndefined()
})

it('the total size is limited: the least recently used entries are dropped first', () => {
  const recent = new Recent<string>(100)
  for (const name of ['a', 'b', 'c']) recent.keep(name, name, 30)
  recent.find('a')
  recent.keep('d', 'd', 30)
  const there = ['a', 'b', 'c', 'd'].filter((name) => recent.find(name))
  expect(there).toEqual(['a', 'c', 'd'])
})

it('an entry larger than the limit is not kept and removes the previous one', () => {
  const recent = new Recent<string>(100)
  recent.keep('a', 'small', 60)
  recent.keep('b', 'b', 30)
  recent.keep('a', 'large', 101)
  expect(recent.find('a')).toBeUndefined()
  recent.keep('c', 'c', 70)
  expect([recent.find('b'), recent.find('c')]).toEqual(['b', 'c'])
})
