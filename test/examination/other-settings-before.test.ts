/* What doctor says depends on the settings of this run alone, whatever was set when it ran on the same data folder before. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { allOr } from '../support/bridge/thorough.ts'
import { findingOf, runDoctor, settingsOf, wrongIn } from '../support/company/examine.ts'
import { foreignApi } from '../support/company/foreign-api.ts'
import type { ForeignPaging } from '../support/company/foreign-style.ts'

const noFilters = {
  timesheets: { employee: 'userId', status: null, from: 'startDate', to: 'endDate' },
  leaves: { employee: 'userId', status: null },
  schedules: { type: null, active: null },
}

it('a project that is no longer set is not reported', async () => {
  const { url } = await foreignApi()
  const database = await dataFolder()
  const before = { ...database, WORKFORCE_PROJECTS: 'prj_web,prj_gone' }
  expect(wrongIn((await runDoctor(url, before)).examination)).toEqual(['projects', 'people'])
  const { code, examination } = await runDoctor(url, { ...database, WORKFORCE_PROJECTS: 'prj_web' })
  expect(wrongIn(examination)).toEqual([])
  expect(code).toBe(0)
})

it('people are found again after an earlier run found none', async () => {
  const { url } = await foreignApi({ parameters: { ...noFilters }, strict: true })
  const database = await dataFolder()
  const wrong = { leaves: { employee: 'whose' }, timesheets: { from: 'since' } }
  const set = { ...database, WORKFORCE_PARAMS: JSON.stringify(wrong) }
  await runDoctor(url, set)
  const right = { leaves: { employee: 'whose' } }
  const again = { ...database, WORKFORCE_PARAMS: JSON.stringify(right) }
  const { examination } = await runDoctor(url, again)
  expect(findingOf(examination, 'leaves-employee')).toMatchObject({
    level: 'wrong',
    set: 'WORKFORCE_PARAMS={}',
  })
})

const mosts = allOr([5, 1], (most) => most === 5)
const pagings: readonly [string, ForeignPaging, string][] = mosts.flatMap((most) => [
  ['link', { style: 'link', most }, 'link'],
  ['page', { style: 'page', page: 'page', size: 'limit', first: 1, most }, 'page:page,limit,100'],
  ['offset', { style: 'offset', offset: 'skip', limit: 'take', most }, 'offset:skip,take,100'],
])

it.each(pagings)(
  'lists paged by %s with a matching setting (%o) get no advice',
  async (_, paging, setting) => {
    const { url } = await foreignApi({ paging })
    const { examination } = await runDoctor(url, { WORKFORCE_PAGINATION: setting })
    expect(settingsOf(examination)).toEqual([])
    expect(wrongIn(examination)).toEqual([])
  },
)

async function dataFolder(): Promise<Readonly<Record<string, string>>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'doctor-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return { DATABASE_URL: `file:${folder}/bridge.sqlite` }
}
