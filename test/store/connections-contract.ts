import { beforeEach, expect, inject, it } from 'vitest'

import type { Copy } from '../../src/domain/copy.ts'
import type { KeptExamination } from '../../src/domain/examination.ts'
import { copyBegunAt, firstRead, ownersOf, proofOf, readingOf, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

const credential = 'hash of the credential'
const doubt = {
  lostHash: 'lost',
  since: 1500,
  ofAll: false,
  isReplaced: false,
  readings: 1,
  ofMany: false,
}
const copies: readonly Copy[] = [
  copyBegunAt(1000, {
    reach: { pastDays: 1, futureDays: 2 },
    missingSince: 900,
    withReasons: true,
    doubt,
    held: { lv_1: 800 },
    emptiedAt: 700,
  }),
  copyBegunAt(2000, { key: 'schedules' }),
]
const kept: KeptExamination = {
  examination: { companyId: 'main', ok: true, findings: [] },
  examinedAt: firstRead,
}

/** What `ConnectionStore` promises of what is kept under a connection's former name. */
export function testConnections({ store, nodes }: Stores): void {
  const { connections } = store
  let from: string
  let to: string

  beforeEach(() => {
    from = uniqueId('connection')
    to = uniqueId('connection')
  })

  /** Something of everything. */
  async function fill(connection: string): Promise<void> {
    for (const copy of copies) await store.copies.keepCopy(connection, copy)
    for (const user of ['usr_ada', 'usr_bob']) {
      await store.proofs.noteReading(connection, readingOf(user, { present: ['lv_1'] }))
    }
    await store.proofs.changeProof(connection, () => proofOf())
    await store.examinations.keepExamination(connection, kept)
  }

  async function keptOf(connection: string): Promise<unknown> {
    const found = copies.map(({ key }) => store.copies.findCopy(connection, key))
    return {
      copies: await Promise.all(found),
      owners: await ownersOf(store, connection, 'lv_1'),
      disputed: (await store.proofs.listDisputed(connection, 9)).length,
      proof: await store.proofs.findProof(connection),
      examination: await store.examinations.findExamination(connection),
    }
  }

  const nothing = {
    copies: [undefined, undefined],
    owners: [],
    disputed: 0,
    proof: proofOf({ state: 'unproven', reason: 'not_asked', since: 0 }),
    examination: undefined,
  }
  const everything = {
    copies,
    owners: ['usr_ada'],
    disputed: 2,
    proof: proofOf({ credential }),
    examination: kept,
  }

  it('all data moves to the new id, with the proof of that credential, and nothing remains', async () => {
    await fill(from)
    await connections.adopt({ from, to, credential })
    expect(await keptOf(to)).toEqual(everything)
    expect(await keptOf(from)).toEqual(nothing)
  })

  it('data written under the old id after the move is ignored', async () => {
    await fill(from)
    await connections.adopt({ from, to, credential })
    const later = copyBegunAt(3000)
    await store.copies.keepCopy(from, later)
    await connections.adopt({ from, to, credential: 'another' })
    expect(await keptOf(to)).toEqual(everything)
    expect(await store.copies.findCopy(from, later.key)).toEqual(later)
  })

  it('other connections keep their data', async () => {
    const other = uniqueId('connection')
    await fill(other)
    await fill(from)
    await connections.adopt({ from, to, credential })
    expect(await keptOf(other)).toEqual({ ...everything, proof: proofOf() })
  })

  it('moving from an empty connection changes and loses nothing', async () => {
    await fill(to)
    await connections.adopt({ from, to, credential })
    await connections.adopt({ from: uniqueId('connection'), to: from, credential })
    expect(await keptOf(to)).toEqual({ ...everything, proof: proofOf() })
    expect(await keptOf(from)).toEqual(nothing)
  })

  it.each([
    ['a copy', () => store.copies.keepCopy(to, copyBegunAt(3000, { key: 'tasks:prj_web' }))],
    ['a proof', () => store.proofs.changeProof(to, () => proofOf({ since: 9 }))],
    ['a claim', () => store.proofs.noteReading(to, readingOf('usr_cleo', { present: ['lv_1'] }))],
  ])('nothing is moved to a connection that already has %s', async (_, keep) => {
    await fill(from)
    await keep()
    const before = await keptOf(to)
    await connections.adopt({ from, to, credential })
    expect(await keptOf(from)).toEqual({ ...everything, proof: proofOf() })
    expect(await keptOf(to)).toEqual(before)
  })

  it('an examination alone does not prevent the move', async () => {
    await fill(from)
    await store.examinations.keepExamination(to, { ...kept, examinedAt: firstRead + 1 })
    await connections.adopt({ from, to, credential })
    expect(await keptOf(to)).toEqual(everything)
  })

  it('of two nodes that start at once one does the move, and neither fails', async () => {
    for (let round = 0; round < (inject('isThorough') ? 10 : 4); round += 1) {
      const names = { from: uniqueId('connection'), to: uniqueId('connection') }
      await fill(names.from)
      const adopted = { ...names, credential }
      await Promise.all(nodes.map((node) => node.call('connections', 'adopt', adopted)))
      expect(await keptOf(names.to)).toEqual(everything)
      expect(await keptOf(names.from)).toEqual(nothing)
    }
  })
}
