import { expect, it } from 'vitest'

import { readBytes } from '../../../src/sandbox/loading/company-file.ts'

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(700_000, 'x')
}

async function* parts(...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const [index, size] of sizes.entries()) yield Buffer.alloc(size, index)
}

it('reads all parts in order', async () => {
  const sizes = [3, 0, 2_000_000, 1, 5_000_000]
  const bytes = await readBytes(parts(...sizes), 'The file')
  const expected = sizes.map((size, index) => Buffer.alloc(size, index))
  expect(Buffer.compare(bytes, Buffer.concat(expected))).toBe(0)
})

it('endless input is too large', async () => {
  await expect(readBytes(endless(), 'The file', 4_000_000)).rejects.toMatchObject({
    code: 'too_large',
    message: 'The file is larger than 256 MiB, the limit for company files.',
  })
})
