/* What a calendar leaves out, and its page says is missing, doctor says as well. */
import { expect, onTestFinished, test } from 'vitest'

import type { Finding } from '../../src/domain/examination.ts'
import type { CompanyFile } from '../../src/wire/company-file.ts'
import { calendarUrl, readsFrom, startBridge } from '../support/bridge/bridge.ts'
import { findingOf, runDoctor } from '../support/company/examine.ts'
import { foreignApi } from '../support/company/foreign-api.ts'
import type { ForeignStyle } from '../support/company/foreign-style.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'

type Environment = Readonly<Record<string, string>>
type Alter = NonNullable<ForeignStyle['alter']>

interface LeftOutCase {
  readonly name: string
  readonly api: ForeignStyle
  readonly environment?: Environment
  /** Whose calendar it is missing from. */
  readonly userId?: string
  readonly finding: Pick<Finding, 'check' | 'level'> & { readonly says: RegExp }
}

const onlyDay =
  (change: (schedule: Schedule) => Schedule): Alter =>
  (company) => ({
    ...company,
    schedules: (company.schedules ?? []).filter(({ id }) => id === 'sch_day').map(change),
  })

type Schedule = NonNullable<CompanyFile['schedules']>[number]

const day = { start: '09:00', end: '17:00' }

const cases: readonly LeftOutCase[] = [
  {
    name: 'leaves of one day where an end is set to be the day after',
    api: {
      alter: ({ leaves = [], ...company }) => ({
        ...company,
        leaves: leaves.map(({ days: _, ...leave }) => ({ ...leave, endDate: leave.startDate })),
      }),
    },
    environment: { WORKFORCE_END_DATES: 'exclusive' },
    finding: {
      check: 'records',
      level: 'wrong',
      says: /\d leaves with an end before its start.*would be shown with days and ends read otherwise/,
    },
  },
  {
    name: 'a misspelt weekday',
    api: {
      alter: onlyDay((schedule) => ({ ...schedule, pattern: { monday: day, thusday: day } })),
    },
    finding: { check: 'records', level: 'wrong', says: /one schedule with a day that is no/ },
  },
  {
    name: 'a day without hours that can be read',
    api: {
      alter: onlyDay((schedule) => ({
        ...schedule,
        pattern: { monday: day, friday: { start: '9 am', end: '5 pm' } },
      })),
    },
    finding: { check: 'records', level: 'wrong', says: /one schedule with a day that is no/ },
  },
  {
    name: 'the only schedule, which rotates',
    api: { alter: onlyDay((schedule) => ({ ...schedule, type: 'ROTATING' })) },
    finding: {
      check: 'schedules',
      level: 'note',
      says: /no shifts come of sch_day \(ROTATING\)/,
    },
  },
  {
    name: 'a status that the spec does not list, of somebody whom doctor does not ask for',
    api: {
      leavesByEmployeeOnly: true,
      alter: ({ timesheets: [sheet] = [], leaves: [leave] = [], ...company }) => ({
        ...company,
        users: ['1', '2', '3', '4', '5', '6', '7', '8'].map((id) => ({ id, firstName: id })),
        timesheets: sheet
          ? ['1', '2', '3', '4', '5', '6', '7', '8'].map((userId) => ({
              ...sheet,
              userId,
              id: `s${userId}`,
            }))
          : [],
        leaves: leave
          ? ['1', '2', '8'].map((userId) => ({
              ...leave,
              userId,
              id: `l${userId}`,
              status: userId === '8' ? 'TAKEN' : 'APPROVED',
            }))
          : [],
      }),
    },
    userId: '8',
    finding: { check: 'records', level: 'wrong', says: /one leave of a status that the spec/ },
  },
]

test.each(cases)('$name', async ({ api, environment = {}, userId = 'usr_ada', finding }) => {
  const { url } = await foreignApi(api)
  const set = { ...environment, DATABASE_URL: migratedSqliteDatabase() }
  const bridge = await startBridge({ environment: { ...readsFrom(url), ...set } })
  onTestFinished(() => bridge.close())
  const calendar = calendarUrl(await bridge.createFeed({ userIds: [userId] }))
  await (await fetch(calendar)).text()
  const page = await (await fetch(calendar.replace(/\/[^/]*\.ics$/, ''))).text()
  expect(page).toMatch(/data-about="(unreadable_records|needs_rotation)"/)

  const { examination } = await runDoctor(url, set)
  const { level, seen, means } = findingOf(examination, finding.check)
  expect({ level, says: `${seen} ${means}` }).toEqual({
    level: finding.level,
    says: expect.stringMatching(finding.says),
  })
  expect(findingOf(examination, 'records').level === 'ok').toBe(false)
})
