import { expect, test } from 'vitest'

import type { Examination } from '../../src/domain/examination.ts'
import { examine } from '../../src/examination/examine.ts'
import { createReadApiClient } from '../../src/read-api/client.ts'
import { createReadApiProbe } from '../../src/read-api/probe.ts'
import { readConfig } from '../../src/settings/read-settings.ts'
import { readsFrom } from '../support/bridge.ts'
import { settingsOf } from '../support/examine.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { type ForeignStyle, startForeignApi } from '../support/foreign-api.ts'
import { silentLog } from '../support/silent-log.ts'

const dayMs = 86_400_000
const days = Array.from({ length: 366 }, (_, day) => Date.UTC(2026, 0, 1, 12) + day * dayMs)
const company = { WORKFORCE_PROJECTS: 'prj_web,prj_ops', WORKFORCE_SCHEDULES: 'sch_day' }

const styles: readonly [string, ForeignStyle, readonly string[]][] = [
  ['nothing', {}, []],
  ['midnights', { dates: 'local' }, ['WORKFORCE_DATES=local']],
  ['ends', { endDates: 'exclusive' }, ['WORKFORCE_END_DATES=exclusive']],
  [
    'pages',
    { paging: { style: 'page', page: 'page', size: 'limit', first: 1, most: 10 } },
    ['WORKFORCE_PAGINATION=page:page,limit,100'],
  ],
]

test.each(styles)(
  'on every day of a year the sample company is found to differ in %s',
  async (_, style, sets) => {
    for (const now of days) {
      const today = new Date(now).toISOString().slice(0, 10)
      const api = await startForeignApi({ ...style, today })
      try {
        expect({ today, sets: settingsOf(await examined(api.url, now)) }).toEqual({ today, sets })
      } finally {
        await api.close()
      }
    }
  },
  300_000,
)

async function examined(url: string, now: number): Promise<Examination> {
  const { companies } = readConfig({ ...readsFrom(url), ...company })
  const [only] = companies ?? []
  if (!only) throw new Error('One company is set.')
  const { settings, shrinkGuard, connectionId: id } = only
  const api = createReadApiClient(settings, { clock: createFakeClock(now), log: silentLog })
  const probe = createReadApiProbe(settings)
  const { parameters, pagination } = settings
  const connection = { id, company: only.company, parameters, pagination, shrinkGuard, api }
  const proof = { state: 'unproven', reason: 'not_asked', since: 0 } as const
  const { signal } = new AbortController()
  try {
    return await examine(
      { connection, probe, settingsIn: 'environment' },
      { proof, heldBack: null, now, signal },
    )
  } finally {
    await Promise.all([api.close(), probe.close()])
  }
}
