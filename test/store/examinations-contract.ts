import { expect, it } from 'vitest'

import { type Finding, findingOf, type KeptExamination } from '../../src/domain/examination.ts'
import type { Stores } from './stores.ts'

const finding = findingOf({
  check: 'dates',
  level: 'wrong',
  seen: 'Of 4 dates “all” are\nmidnights.',
  means: 'Ärger',
  set: 'WORKFORCE_DATES=local',
})
const kept: KeptExamination = {
  examination: {
    companyId: 'main',
    ok: false,
    findings: [finding, { ...finding, level: 'note', ok: true }],
  },
  examinedAt: Date.UTC(2026, 0, 5),
}

/** What `ExaminationStore` promises of the last examination of a connection. */
export function testExaminations({ store }: Stores): void {
  it('no examination exists at first', async () => {
    expect(await store.examinations.findExamination('nobody')).toBeUndefined()
  })

  it('is read as it was stored', async () => {
    await store.examinations.keepExamination('one', kept)
    expect(await store.examinations.findExamination('one')).toEqual(kept)
    expect(await store.examinations.findExamination('another')).toBeUndefined()
  })

  it('has its level, even if an earlier release stored none', async () => {
    const { level: _, ...unlevelled } = finding
    const before = [unlevelled, { ...unlevelled, ok: true }]
    const findings = before as unknown as readonly Finding[]
    const examination = { companyId: 'main', ok: false, findings }
    await store.examinations.keepExamination('old', { ...kept, examination })
    const found = await store.examinations.findExamination('old')
    expect(found?.examination.findings.map(({ level }) => level)).toEqual(['wrong', 'ok'])
  })

  it('a new examination replaces the previous one', async () => {
    const later = {
      examination: { companyId: 'main', ok: true, findings: [] },
      examinedAt: kept.examinedAt + 1,
    }
    await store.examinations.keepExamination('two', kept)
    await store.examinations.keepExamination('two', later)
    expect(await store.examinations.findExamination('two')).toEqual(later)
  })
}
