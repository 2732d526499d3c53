import { beforeEach, expect, it } from 'vitest'

import { uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `LeaveProofStore` promises. */
export function testProofs({ store, nodes }: Stores): void {
  let connection: string

  beforeEach(() => {
    connection = uniqueId('connection')
  })

  it('a connection that was never asked is unproven', async () => {
    expect(await store.proofs.findProof(connection)).toEqual({
      state: 'unproven',
      reason: 'not_asked',
      since: 0,
    })
  })

  it('the last proof saved stands', async () => {
    await store.proofs.saveProof(connection, { state: 'proven', reason: null, since: 5 })
    expect(await store.proofs.findProof(connection)).toEqual({
      state: 'proven',
      reason: null,
      since: 5,
    })
    const disproved = { state: 'disproved', reason: 'canary_not_empty', since: 6 } as const
    await store.proofs.saveProof(connection, disproved)
    expect(await store.proofs.findProof(connection)).toEqual(disproved)
  })

  it('a leave claimed by one user only is uncontested, however often', async () => {
    expect(await store.proofs.claimLeaves(connection, 'usr_ada', ['lv_1', 'lv_2'])).toEqual([])
    expect(await store.proofs.claimLeaves(connection, 'usr_ada', ['lv_2', 'lv_2'])).toEqual([])
    expect(await store.proofs.claimLeaves(connection, 'usr_bob', ['lv_3'])).toEqual([])
    expect(await store.proofs.claimLeaves(connection, 'usr_bob', [])).toEqual([])
    expect(await store.proofs.listContested(connection)).toEqual([])
  })

  it('a leave that a second user claims is contested by both, now and later', async () => {
    const contested = [{ leaveId: 'lv_2', userIds: ['usr_ada', 'usr_bob'] }]
    await store.proofs.claimLeaves(connection, 'usr_ada', ['lv_1', 'lv_2'])
    expect(await store.proofs.claimLeaves(connection, 'usr_bob', ['lv_2', 'lv_3'])).toEqual(
      contested,
    )
    expect(await store.proofs.listContested(connection)).toEqual(contested)
    expect(await store.proofs.claimLeaves(connection, 'usr_ada', ['lv_2'])).toEqual(contested)
    expect(await store.proofs.claimLeaves(connection, 'usr_ada', ['lv_1'])).toEqual([])
  })

  it('claims of one connection contest none of another', async () => {
    await store.proofs.claimLeaves(connection, 'usr_ada', ['lv_1'])
    expect(await store.proofs.claimLeaves(uniqueId('connection'), 'usr_bob', ['lv_1'])).toEqual([])
    expect(await store.proofs.listContested(connection)).toEqual([])
  })

  it('a contest ends when all but one have withdrawn', async () => {
    for (const user of ['usr_ada', 'usr_bob', 'usr_cleo']) {
      await store.proofs.claimLeaves(connection, user, ['lv_1', 'lv_2'])
    }
    await store.proofs.withdrawClaims(connection, 'usr_bob', ['lv_1', 'lv_unknown'])
    await store.proofs.withdrawClaims(connection, 'usr_bob', [])
    expect(await store.proofs.listContested(connection)).toEqual([
      { leaveId: 'lv_1', userIds: ['usr_ada', 'usr_cleo'] },
      { leaveId: 'lv_2', userIds: ['usr_ada', 'usr_bob', 'usr_cleo'] },
    ])
    await store.proofs.withdrawClaims(connection, 'usr_ada', ['lv_1'])
    expect((await store.proofs.listContested(connection)).map(({ leaveId }) => leaveId)).toEqual([
      'lv_2',
    ])
    const leftToCleo = [{ leaveId: 'lv_1', userIds: ['usr_bob', 'usr_cleo'] }]
    expect(await store.proofs.claimLeaves(connection, 'usr_bob', ['lv_1'])).toEqual(leftToCleo)
  })

  it('more leaves than one statement can take are claimed and contested all the same', async () => {
    const leaveIds = Array.from({ length: 12_001 }, (_, index) => `lv_${index}`)
    expect(await store.proofs.claimLeaves(connection, 'usr_ada', leaveIds)).toEqual([])
    expect(await store.proofs.claimLeaves(connection, 'usr_bob', leaveIds)).toHaveLength(12_001)
    await store.proofs.withdrawClaims(connection, 'usr_bob', leaveIds)
    expect(await store.proofs.listContested(connection)).toEqual([])
  })

  it('when two nodes claim one leave for two users at once, one of them sees it', async () => {
    for (let round = 0; round < 40; round += 1) {
      const leaveIds = [`lv_${round}`, `lv_${round}b`]
      const seen = await Promise.all([
        nodes[0].call('proofs', 'claimLeaves', connection, 'usr_ada', leaveIds),
        nodes[1].call('proofs', 'claimLeaves', connection, 'usr_bob', leaveIds.toReversed()),
      ])
      const contested = leaveIds.map((leaveId) => ({ leaveId, userIds: ['usr_ada', 'usr_bob'] }))
      expect(seen).toContainEqual(contested)
      expect(await store.proofs.listContested(connection)).toEqual(
        expect.arrayContaining(contested),
      )
    }
  })
}
