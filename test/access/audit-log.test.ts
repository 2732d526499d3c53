/* Pages of who did what. */
import { expect, it } from 'vitest'

import { readAuditPage } from '../../src/access/audit-log.ts'
import type { AuditEntry, AuditFilter, AuditStore } from '../../src/domain/access/audit-entry.ts'

const userIds = Array.from({ length: 500 }, (_, index) => `${index}`.padEnd(256, 'u'))
const entries: readonly AuditEntry[] = Array.from({ length: 300 }, (_, index) => ({
  id: `entry-${index}`,
  at: 300 - index,
  actor: 'admin',
  action: 'feed_changed',
  companyId: 'main',
  feedId: 'feed_1',
  userIds,
  label: null,
}))

const storeOf = (listEntries: AuditStore['listEntries']): AuditStore => ({
  listEntries,
  addEntry: async () => undefined,
  dropBefore: async () => undefined,
})

it('A page of large entries ends early, and the following pages contain the rest', async () => {
  const audit = storeOf(async ({ after, limit }) => {
    const begin = entries.findIndex(({ id }) => id === after?.id) + 1
    return entries.slice(begin, begin + limit)
  })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await readAuditPage(audit, { companyId: null }, { limit: '1000', cursor })
    expect(JSON.stringify(page).length).toBeLessThan(5 * 1024 * 1024)
    seen.push(...page.data.map(({ at }) => at))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(seen).toEqual(entries.map(({ at }) => new Date(at).toISOString()))
})

it('A page ends at its limit and has a cursor only if more entries follow', async () => {
  const small = entries.map((entry) => ({ ...entry, userIds: [] }))
  const listed = (count: number, limit: number) => {
    const listEntries = async ({ after, limit: most }: AuditFilter) =>
      small
        .slice(0, count)
        .filter(({ at }) => at < (after?.at ?? Infinity))
        .slice(0, most)
    return readAuditPage(storeOf(listEntries), { companyId: null }, { limit: `${limit}` })
  }
  for (const count of [0, 1, 50, 99, 100, 101, 200, 201, 300]) {
    for (const limit of [1, 50, 99, 100, 101, 200, 1000]) {
      const { data, nextCursor } = await listed(count, limit)
      const whole = [Math.min(count, limit), count > limit]
      expect([count, limit, data.length, nextCursor !== null]).toEqual([count, limit, ...whole])
    }
  }
})
