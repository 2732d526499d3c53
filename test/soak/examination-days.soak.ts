import { expect, it } from 'vitest'

import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { examineApi, settingsOf } from '../support/company/examine.ts'
import { startForeignApi } from '../support/company/foreign-api.ts'
import type { ForeignStyle } from '../support/company/foreign-style.ts'

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

it.each(styles)(
  'the sample company is found to differ in %s on every day of a year',
  async (_, style, sets) => {
    for (const now of days) {
      const today = new Date(now).toISOString().slice(0, 10)
      const clock = createFakeClock(now)
      const api = await startForeignApi({ ...style, today })
      try {
        expect({ today, sets: settingsOf(await examineApi(api.url, company, { clock })) }).toEqual({
          today,
          sets,
        })
      } finally {
        await api.close()
      }
    }
  },
  300_000,
)
