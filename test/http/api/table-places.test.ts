import { expect, it } from 'vitest'

import { TablePlaces } from '../../../src/http/api/table-places.ts'

it('up to four tables of one company and two of others are processed at the same time', async () => {
  const places = new TablePlaces()
  const taken: string[] = []
  const take = async (company: string): Promise<() => void> => {
    const free = await places.take(company)
    taken.push(company)
    return free
  }
  const [first, second] = await Promise.all([1, 2, 3, 4].map(() => take('a')))
  const fifth = take('a')
  await take('b')
  await take('c')
  const seventh = take('d')
  expect(taken).toEqual(['a', 'a', 'a', 'a', 'b', 'c'])
  first!()
  await seventh
  expect(taken.at(-1)).toBe('d')
  second!()
  await fifth
  expect(taken.at(-1)).toBe('a')
})

it('a table that waits too long is told to come back and does not block later ones', async () => {
  const places = new TablePlaces(1)
  const taken = await Promise.all([1, 2, 3, 4].map(() => places.take(null)))
  await expect(places.take(null)).rejects.toMatchObject({
    code: 'too_many_requests',
    retryAfterMs: 5000,
  })
  taken[0]!()
  await places.take(null)
})
