import { expect, it } from 'vitest'

import { type Unpacked, SharedRecords } from '../../src/store/copies.ts'

function unpacked(id: string, bytes: number): Unpacked {
  return { records: [{ id }], bytes }
}

it('a copy is found as long as it holds the same', () => {
  const shared = new SharedRecords(100)
  shared.keep('a', 'one', unpacked('a1', 10))
  expect(shared.find('a', 'one')).toEqual([{ id: 'a1' }])
  expect(shared.find('a', 'two')).toBeUndefined()
  shared.keep('a', 'two', unpacked('a2', 10))
  expect([shared.find('a', 'one'), shared.find('a', 'two')]).toEqual([undefined, [{ id: 'a2' }]])
  shared.forget('a')
  expect(shared.find('a', 'two')).toBeUndefined()
})

it('all together have so many bytes at most, those go first that were not asked for longest', () => {
  const shared = new SharedRecords(100)
  for (const name of ['a', 'b', 'c']) shared.keep(name, name, unpacked(name, 30))
  shared.find('a', 'a')
  shared.keep('d', 'd', unpacked('d', 30))
  const there = ['a', 'b', 'c', 'd'].filter((name) => shared.find(name, name))
  expect(there).toEqual(['a', 'c', 'd'])
})

it('one that is larger than all may be takes no place, and leaves none of what was before it', () => {
  const shared = new SharedRecords(100)
  shared.keep('a', 'small', unpacked('a', 60))
  shared.keep('b', 'b', unpacked('b', 30))
  shared.keep('a', 'large', unpacked('a', 101))
  expect([shared.find('a', 'small'), shared.find('a', 'large')]).toEqual([undefined, undefined])
  shared.keep('c', 'c', unpacked('c', 70))
  expect([shared.find('b', 'b'), shared.find('c', 'c')]).toEqual([[{ id: 'b' }], [{ id: 'c' }]])
})
