import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { KeptExamination } from '../../src/domain/examination.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import type { CreateDatabase } from '../support/databases.ts'

const finding = {
  check: 'dates',
  ok: false,
  seen: 'Of 4 dates “all” are\nmidnights.',
  means: 'Ärger',
  set: 'WORKFORCE_DATES=local',
}
const kept: KeptExamination = {
  examination: { companyId: 'main', ok: false, findings: [finding, { ...finding, set: null }] },
  examinedAt: Date.UTC(2026, 0, 5),
}

/** What every examination store promises. */
export function testExaminationStore(create: CreateDatabase): void {
  describe('the last examination of a connection', () => {
    let store: Store

    beforeAll(async () => {
      store = await openStore(await create())
    })

    afterAll(() => store.close())

    test('is none at first', async () => {
      expect(await store.examinations.findExamination('nobody')).toBeUndefined()
    })

    test('comes back as it was', async () => {
      await store.examinations.keepExamination('one', kept)
      expect(await store.examinations.findExamination('one')).toEqual(kept)
      expect(await store.examinations.findExamination('another')).toBeUndefined()
    })

    test('takes the place of the one before', async () => {
      const later = {
        examination: { companyId: 'main', ok: true, findings: [] },
        examinedAt: kept.examinedAt + 1,
      }
      await store.examinations.keepExamination('two', kept)
      await store.examinations.keepExamination('two', later)
      expect(await store.examinations.findExamination('two')).toEqual(later)
    })
  })
}
