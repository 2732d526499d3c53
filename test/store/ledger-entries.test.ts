import fc from 'fast-check'
import { expect, it } from 'vitest'

import type { LedgerEntry } from '../../src/domain/ledger.ts'
import { decodeEntries, encodeEntries } from '../../src/store/ledgers.ts'

const hash = fc
  .uint8Array({ minLength: 7, maxLength: 7 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'))
const instant = fc.integer({ min: 0, max: 253_402_300_799 }).map((seconds) => seconds * 1000)
const entry: fc.Arbitrary<LedgerEntry> = fc.record({
  contentHash: hash,
  sequence: fc.nat(),
  changedAt: instant,
  goneAt: fc.option(instant),
})
const entries = fc.array(fc.tuple(hash, entry)).map((pairs) => new Map(pairs))

it('any ledger is read as it was written, in its order', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (ledger) => {
      expect([...(await decodeEntries(await encodeEntries(ledger)))]).toEqual([...ledger])
    }),
  )
})

it('the bytes may lie anywhere in a larger buffer', async () => {
  const ledger = new Map([['AAAAAAAAAA', oneEntry()]])
  const bytes = await encodeEntries(ledger)
  const larger = new Uint8Array(bytes.length + 7)
  larger.set(bytes, 3)
  expect(await decodeEntries(larger.subarray(3, 3 + bytes.length))).toEqual(ledger)
})

it('a hash of another length is a programming error', async () => {
  const ledger = new Map([['AAAA', oneEntry()]])
  await expect(encodeEntries(ledger)).rejects.toThrow('seven bytes')
})

it('350 events, most of them unchanged, take less than 15 bytes each', async () => {
  const sample = fc.sample(fc.tuple(hash, hash), { numRuns: 350, seed: 1 })
  const ledger = new Map(
    sample.map(([key, contentHash], index) => {
      const changed = index % 10 === 0
      const changedAt = Date.UTC(2026, 0, changed ? 1 + (index % 30) : 1)
      return [key, { contentHash, sequence: changed ? index % 4 : 0, changedAt, goneAt: null }]
    }),
  )
  expect((await encodeEntries(ledger)).length).toBeLessThan(350 * 15)
})

function oneEntry(): LedgerEntry {
  return { contentHash: 'AAAAAAAAAQ', sequence: 0, changedAt: 0, goneAt: null }
}
