import { beforeEach, expect, it } from 'vitest'

import { type Copy, type Doubt, emptyHash } from '../../src/domain/copy.ts'
import { copyBegunAt, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

const doubt: Doubt = {
  lostHash: 'lost',
  since: 1500,
  ofAll: true,
  isReplaced: false,
  readings: 1,
  ofMany: false,
}
const empty = { contentHash: emptyHash, records: [] }

/** What `DoubtStore` promises. */
export function testDoubts({ store }: Stores): void {
  const { copies, doubts } = store
  let connection: string

  beforeEach(() => {
    connection = uniqueId('connection')
  })

  async function keep(key: string, changes: Partial<Copy> = {}): Promise<void> {
    await copies.keepCopy(connection, { ...copyBegunAt(1000), key, ...changes })
  }

  async function filled(limit = 99): Promise<readonly string[]> {
    const heads = await doubts.listFilled(connection, 'leaves', limit)
    return heads.map(({ key }) => key)
  }

  it('a doubt stays with the copy until the copy is stored or confirmed without it', async () => {
    const copy = copyBegunAt(1000)
    for (const settle of [
      () => copies.keepCopy(connection, copy),
      () => copies.confirmCopies(connection, [copy]),
    ]) {
      await copies.keepCopy(connection, copy)
      for (const changed of [doubt, { ...doubt, readings: 2, ofMany: true }]) {
        await doubts.saveDoubt(connection, copy.key, changed)
        expect(await copies.findCopy(connection, copy.key)).toEqual({ ...copy, doubt: changed })
      }
      await settle()
      expect(await copies.findCopy(connection, copy.key)).toEqual(copy)
    }
  })

  it('copies with records are counted, up to the limit', async () => {
    for (const id of ['a', 'b', 'c']) await keep(`leaves:${id}`)
    await keep('leaves:empty', empty)
    await keep('timesheets:a')
    const counts = [1, 3, 9].map((most) => doubts.countFilled(connection, 'leaves', most))
    expect(await Promise.all(counts)).toEqual([1, 3, 3])
  })

  it('a doubt can be cleared without a new copy', async () => {
    const copy = copyBegunAt(1000)
    await copies.keepCopy(connection, copy)
    await doubts.saveDoubt(connection, copy.key, doubt)
    await doubts.saveDoubt(connection, copy.key, null)
    expect(await copies.findCopy(connection, copy.key)).toEqual(copy)
    expect(await doubts.listDoubted(connection)).toEqual([])
  })

  it('a missing copy has no doubt', async () => {
    await doubts.saveDoubt(connection, 'leaves:usr_ada', doubt)
    expect(await copies.findHeads(connection, ['leaves:usr_ada'])).toEqual([])
  })

  it('doubted copies are those of the connection, of every kind', async () => {
    for (const key of ['leaves:usr_ada', 'leaves:usr_bob', 'schedules']) await keep(key)
    for (const key of ['leaves:usr_bob', 'schedules']) {
      await doubts.saveDoubt(connection, key, doubt)
    }
    const listed = await doubts.listDoubted(connection)
    expect(listed.map(({ key }) => key).toSorted()).toEqual(['leaves:usr_bob', 'schedules'])
    expect(listed.map((head) => head.doubt)).toEqual([doubt, doubt])
    expect(await doubts.countDoubted(connection)).toBe(2)
    expect(await doubts.listDoubted(uniqueId('connection'))).toEqual([])
    expect(await doubts.countDoubted(uniqueId('connection'))).toBe(0)
  })

  it('filled copies are those of the kind with records, longest unconfirmed first', async () => {
    await keep('leaves:usr_ada', { fetchedAt: 3 })
    await keep('leaves:usr_bob', { fetchedAt: 1 })
    await keep('leaves:usr_cleo', { fetchedAt: 0, ...empty })
    await keep('leaves:usr_dan', { fetchedAt: 2 })
    await keep('tasks:prj_web')
    expect(await filled()).toEqual(['leaves:usr_bob', 'leaves:usr_dan', 'leaves:usr_ada'])
    expect(await filled(2)).toEqual(['leaves:usr_bob', 'leaves:usr_dan'])
    expect(await doubts.listFilled(uniqueId('connection'), 'leaves', 9)).toEqual([])
  })

  it('copies are found by exact kind, whatever the id contains', async () => {
    const own = ['', 'usr:1', ':', 'ä', '😀', '😀\u{10ffff}', '\u{10ffff}z', '\u{ffff}']
    const keys = own.map((id) => `leaves:${id}`)
    const others = ['leavesx', 'leavesx:usr_1', 'leave:usr_1', 'Leaves:usr_1', 'leaves;']
    for (const key of [...keys, ...others]) await keep(key)
    expect((await filled()).toSorted()).toEqual(keys.toSorted())
    expect(await doubts.countEmptied(connection, 'leaves', 0)).toMatchObject({
      filled: keys.length,
    })
  })

  it('a kind with a single collection is found by its name', async () => {
    await keep('schedules')
    const heads = await doubts.listFilled(connection, 'schedules', 9)
    expect(heads.map(({ key }) => key)).toEqual(['schedules'])
  })

  it('emptied copies are those that held records and hold none now, or are said to', async () => {
    await keep('leaves:filled')
    await keep('leaves:said')
    await doubts.saveDoubt(connection, 'leaves:said', { ...doubt, since: 2000 })
    await keep('leaves:emptied', { ...empty, emptiedAt: 2000 })
    await keep('leaves:again', { emptiedAt: 2000 })
    expect(await doubts.countEmptied(connection, 'leaves', 2000)).toEqual({ filled: 4, emptied: 2 })
    expect(await doubts.countEmptied(connection, 'tasks', 2000)).toEqual({ filled: 0, emptied: 0 })
  })

  it('copies emptied before, always empty ones, and partial or older doubts do not count', async () => {
    await keep('leaves:before', { ...empty, emptiedAt: 1999 })
    await keep('leaves:always', empty)
    await keep('leaves:some')
    await doubts.saveDoubt(connection, 'leaves:some', { ...doubt, since: 2000, ofAll: false })
    await keep('leaves:long')
    await doubts.saveDoubt(connection, 'leaves:long', { ...doubt, since: 1999 })
    expect(await doubts.countEmptied(connection, 'leaves', 2000)).toEqual({ filled: 2, emptied: 0 })
  })
}
