import { expect, it } from 'vitest'

import { connectionsWithin } from '../src/process/open-files.ts'

it.each([
  [20_000, 5000],
  [5256, 5000],
  [1024, 768],
  [256, 128],
])('of %d files that it may have open, the server takes %d for connections', (files, most) => {
  const limits = `Limit                     Soft Limit           Hard Limit           Units
Max processes             unlimited            unlimited            processes
Max open files            ${files}                 1048576              files
`
  expect(connectionsWithin(limits)).toBe(most)
})

it('where the system does not say, or allows any number, it takes the usual number', () => {
  expect(connectionsWithin('')).toBe(5000)
  expect(
    connectionsWithin(
      'Max open files            unlimited            unlimited            files\n',
    ),
  ).toBe(5000)
})
