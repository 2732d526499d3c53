import { beforeEach, expect, it } from 'vitest'

import { proofOf, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

const minuteMs = 60_000

/** What `LeaveProofStore` promises of the filter's proof. */
export function testProofs({ store, nodes }: Stores): void {
  const { proofs } = store
  let connection: string

  beforeEach(() => {
    connection = uniqueId('connection')
  })

  it('a connection that was never requested is unproven', async () => {
    const unproven = proofOf({ state: 'unproven', reason: 'not_asked', since: 0 })
    expect(await proofs.findProof(connection)).toEqual(unproven)
  })

  it('the last saved proof counts, for its connection only', async () => {
    const proven = proofOf({ batteryAt: 7, credential: 'hash' })
    await proofs.changeProof(connection, () => proven)
    expect(await proofs.findProof(connection)).toEqual(proven)
    const disproved = proofOf({ state: 'disproved', reason: 'similar_id', since: 6, triedAt: 8 })
    await proofs.changeProof(connection, () => disproved)
    expect(await proofs.findProof(connection)).toEqual(disproved)
    expect(await proofs.findProof(uniqueId('connection'))).toMatchObject({ state: 'unproven' })
  })

  it('simultaneous changes do not miss each other', async () => {
    await proofs.changeProof(connection, () => proofOf({ state: 'proven', batteryAt: null }))
    await Promise.all([
      proofs.changeProof(connection, (proof) => ({ ...proof, state: 'disproved' })),
      proofs.changeProof(connection, (proof) => ({ ...proof, batteryAt: 9 })),
      proofs.changeProof(connection, (proof) => ({ ...proof, triedAt: 8 })),
    ])
    expect(await proofs.findProof(connection)).toEqual(
      proofOf({ state: 'disproved', batteryAt: 9, triedAt: 8 }),
    )
  })

  it('a try is taken by the first caller, and again when it is old enough', async () => {
    await proofs.changeProof(connection, () => proofOf({ state: 'disproved' }))
    expect(await proofs.takeTry(connection, 90, 100)).toBe(true)
    expect(await proofs.findProof(connection)).toEqual(
      proofOf({ state: 'disproved', triedAt: 100 }),
    )
    expect(await proofs.takeTry(connection, 99, 109)).toBe(false)
    expect(await proofs.takeTry(connection, 100, 110)).toBe(true)
    expect(await proofs.takeTry(uniqueId('connection'), 100, 110)).toBe(false)
  })

  it('a try from the future holds no one back, one ahead by less than a minute does', async () => {
    const now = 10 * minuteMs
    await proofs.changeProof(connection, () => proofOf({ triedAt: now + minuteMs }))
    expect(await proofs.takeTry(connection, 0, now)).toBe(false)
    await proofs.changeProof(connection, () => proofOf({ triedAt: now + minuteMs + 1 }))
    expect(await proofs.takeTry(connection, 0, now)).toBe(true)
    expect(await proofs.findProof(connection)).toMatchObject({ triedAt: now })
  })

  it('of two nodes with slightly different clocks, one takes the try', async () => {
    await proofs.changeProof(connection, () => proofOf({ state: 'disproved' }))
    for (let now = minuteMs; now <= 20 * minuteMs; now += minuteMs) {
      const taken = await Promise.all(
        nodes.map((node, index) => {
          const before = now - minuteMs / 2
          return node.call('proofs', 'takeTry', connection, before + 5 * index, now + 5 * index)
        }),
      )
      expect(taken.toSorted()).toEqual([false, true])
    }
  })
}
