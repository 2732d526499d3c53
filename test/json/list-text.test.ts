import { createHash } from 'node:crypto'

import { expect, it } from 'vitest'

import { bytesOfList, hashOfList } from '../../src/json/list-text.ts'

const lengths = [0, 1, 2, 999, 1000, 1001, 2000, 3500]

it.each(lengths)(
  'a list of %d is written and hashed exactly like JSON.stringify writes it',
  async (length) => {
    const list = Array.from({ length }, (_, index) => ({
      id: `${index}`,
      name: undefined,
      n: null,
    }))
    const text = JSON.stringify(list)
    expect((await bytesOfList(list)).toString()).toBe(text)
    expect(await hashOfList(list)).toBe(createHash('sha256').update(text).digest('base64url'))
  },
)
