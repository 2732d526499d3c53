import { describe, expect, it, onTestFinished } from 'vitest'

import { readsFrom } from './support/bridge.ts'
import { runCommand } from './support/command-line.ts'
import { examineApi, findingOf, settingsOf } from './support/examine.ts'
import { type ForeignStyle, startForeignApi } from './support/foreign-api.ts'

type Environment = Readonly<Record<string, string>>

const secret = 'tok-4f9a1c77e2'

interface WrongSettings {
  readonly name: string
  readonly api: ForeignStyle
  /** Beside base URL and zone; `{origin}` stands for the API's. */
  readonly environment?: Environment
  /** Each setting to change, as it has to stand. */
  readonly sets: readonly string[]
}

const everything = {
  timesheets: { employee: 'who', status: null, from: null, to: null },
  leaves: { employee: 'employee_id', status: null },
  schedules: { type: null, active: null },
}

const wrongSettings: readonly WrongSettings[] = [
  {
    name: 'a base path too much',
    api: {},
    environment: { WORKFORCE_BASE_URL: '{origin}/hr/public' },
    sets: ['WORKFORCE_BASE_URL={origin}'],
  },
  {
    name: 'a base path too little',
    api: { basePath: '/api' },
    environment: { WORKFORCE_BASE_URL: '{origin}' },
    sets: ['WORKFORCE_BASE_URL={origin}/api'],
  },
  {
    name: 'the versioned path in the base URL',
    api: { basePath: '/hr' },
    environment: { WORKFORCE_BASE_URL: '{origin}/hr/api/public/v1' },
    sets: ['WORKFORCE_BASE_URL={origin}/hr'],
  },
  {
    name: 'no credential',
    api: { authentication: { scheme: 'bearer', token: secret }, challenge: 'Bearer realm="hr"' },
    sets: ['WORKFORCE_AUTH=bearer:TOKEN'],
  },
  {
    name: 'the right secret sent the wrong way',
    api: { authentication: { scheme: 'header', name: 'X-API-Key', value: secret } },
    environment: { WORKFORCE_AUTH: `bearer:${secret}` },
    sets: ['WORKFORCE_AUTH=header:X-API-Key:VALUE'],
  },
  {
    name: 'another name of the employee, unknown ones ignored',
    api: { parameters: everything },
    sets: ['WORKFORCE_PARAMS={"leaves":{"employee":"employee_id"}}'],
  },
  {
    name: 'another name of the employee everywhere, unknown ones refused',
    api: {
      parameters: {
        ...everything,
        timesheets: { employee: 'employeeId', status: null, from: 'since', to: 'until' },
      },
      strict: true,
    },
    sets: [
      'WORKFORCE_PARAMS={"timesheets":{"employee":"employeeId","from":null,"to":null},"leaves":{"employee":"employee_id"}}',
    ],
  },
  {
    name: 'pages',
    api: { paging: { style: 'page', page: 'page', size: 'per_page', first: 1, most: 7 } },
    sets: ['WORKFORCE_PAGINATION=page:page,per_page,100'],
  },
  {
    name: 'pages from 0',
    api: { paging: { style: 'page', page: 'pageNumber', size: 'pageSize', first: 0, most: 7 } },
    sets: ['WORKFORCE_PAGINATION=page:pageNumber,pageSize,100,0'],
  },
  {
    name: 'pages from 0, read from 1',
    api: { paging: { style: 'page', page: 'page', size: 'size', first: 0, most: 7 } },
    environment: { WORKFORCE_PAGINATION: 'page:page,size,100' },
    sets: ['WORKFORCE_PAGINATION=page:page,size,100,0'],
  },
  {
    name: 'pages where there are none',
    api: {},
    environment: { WORKFORCE_PAGINATION: 'page:page,limit,100' },
    sets: ['WORKFORCE_PAGINATION=none'],
  },
  {
    name: 'links to next pages',
    api: { paging: { style: 'link', most: 7 } },
    sets: ['WORKFORCE_PAGINATION=link'],
  },
  {
    name: 'lists that are capped',
    api: { paging: { style: 'offset', offset: 'skip', limit: 'take', most: 20 } },
    sets: ['WORKFORCE_PAGINATION=offset:skip,take,100'],
  },
  {
    name: "days at the company's own midnight",
    api: { dates: 'local' },
    sets: ['WORKFORCE_DATES=local'],
  },
  {
    name: 'days at the midnight of another zone',
    api: { dates: 'local', timezone: 'America/New_York' },
    sets: ['WORKFORCE_DATES=local', 'WORKFORCE_TIMEZONE=America/New_York'],
  },
  {
    name: 'ends that are the day after',
    api: { endDates: 'exclusive' },
    sets: ['WORKFORCE_END_DATES=exclusive'],
  },
  {
    name: 'ends that are the last day',
    api: {},
    environment: { WORKFORCE_END_DATES: 'exclusive' },
    sets: ['WORKFORCE_END_DATES=inclusive'],
  },
  {
    name: 'projects and schedules that are gone',
    api: {},
    environment: {
      WORKFORCE_PROJECTS: 'prj_web,prj_gone',
      WORKFORCE_SCHEDULES: 'sch_day,sch_summer',
    },
    sets: ['WORKFORCE_SCHEDULES=sch_day', 'WORKFORCE_PROJECTS=prj_web'],
  },
  {
    name: 'days, ends and names at once',
    api: { dates: 'local', endDates: 'exclusive', parameters: everything },
    sets: [
      'WORKFORCE_PARAMS={"leaves":{"employee":"employee_id"}}',
      'WORKFORCE_DATES=local',
      'WORKFORCE_END_DATES=exclusive',
    ],
  },
]

describe('doctor', () => {
  it('finds nothing to change with no configuration at all', async () => {
    const { code, output, errors } = await runCommand({}, 'doctor')
    expect(output).toContain('Company main: calendars can be served whole.')
    expect(output).not.toMatch(/wrong|Set /)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
  })

  it.each(wrongSettings)('says what to set: $name', async ({ api, environment, sets }) => {
    const { url, origin } = await foreignApi(api)
    const written = (text: string): string => text.replaceAll('{origin}', origin)
    const set = Object.fromEntries(
      Object.entries(environment ?? {}).map(([key, value]) => [key, written(value)]),
    )
    const ill = await examineApi(url, set)
    const advice = settingsOf(ill.examination)
    expect(advice).toEqual(sets.map(written))
    expect(ill).toMatchObject({ code: 1, errors: 'Calendars cannot be served whole for main.\n' })
    expect(ill.examination.ok).toBe(false)

    const well = await examineApi(url, { ...set, ...following(advice) })
    expect(well.examination.findings.filter(({ ok }) => !ok)).toEqual([])
    expect(well.code).toBe(0)
  })

  it.each([
    ['none', {}],
    ['bearer', { WORKFORCE_AUTH: `bearer:${secret}` }],
    ['basic', { WORKFORCE_AUTH: `basic:bridge:${secret}` }],
    ['header', { WORKFORCE_AUTH: `header:X-Key:${secret}` }],
    ['query', { WORKFORCE_AUTH: `query:key:${secret}` }],
  ])('never tells the secret: %s', async (_, auth: Environment) => {
    const { url } = await foreignApi({
      authentication: { scheme: 'bearer', token: 'another-secret' },
      challenge: `Digest realm="${secret}"`,
    })
    const { code, output, errors } = await runCommand({ ...readsFrom(url), ...auth }, 'doctor')
    expect(code).toBe(1)
    expect(output).toContain('Set WORKFORCE_AUTH=')
    const pair = Buffer.from(`bridge:${secret}`).toString('base64')
    expect(output + errors).not.toMatch(new RegExp(`${secret}|${pair}|another-secret`))
  })

  it('says that an API cuts its lists even where it cannot say how to read on', async () => {
    const { url } = await foreignApi({ paging: { style: 'cut', most: 12 } })
    const { code, examination } = await examineApi(url)
    expect(code).toBe(1)
    expect(findingOf(examination, 'truncation')).toMatchObject({ ok: false, set: null })
  })

  it('counts records that do not fit by field, without their values', async () => {
    const { url } = await foreignApi({
      alter: (company) => ({
        ...company,
        leaves: (company.leaves ?? []).map((leave, index) =>
          index % 10 === 3 ? { ...leave, endDate: 'sometime soon' } : leave,
        ),
      }),
    })
    const { output } = await runCommand(readsFrom(url), 'doctor')
    expect(output).toContain(
      '4 of leaves at endDate (expected ISO 8601 timestamp, the first at data[3].endDate)',
    )
    expect(output).not.toContain('sometime soon')
  })

  it('says that nothing answers', async () => {
    const api = await startForeignApi()
    await api.close()
    const { code, examination } = await examineApi(api.url)
    expect(code).toBe(1)
    expect(examination.findings).toMatchObject([{ check: 'reachable', ok: false, set: null }])
  })

  it('does not know a company that is not set up', async () => {
    const { code, errors } = await runCommand({}, 'doctor', '--company', 'other')
    expect({ code, errors }).toEqual({ code: 1, errors: 'There is no company "other".\n' })
  })
})

async function foreignApi(style: ForeignStyle): Promise<{ url: string; origin: string }> {
  const api = await startForeignApi(style)
  onTestFinished(() => api.close())
  return { url: api.url, origin: new URL(api.url).origin }
}

/** Does literally what the advice says, the secret put in where it is asked for. */
function following(advice: readonly string[]): Environment {
  return Object.fromEntries(
    advice.map((line) => {
      const [key = '', ...value] = line.split('=')
      return [key, value.join('=').replace(/:(TOKEN|VALUE)$/, `:${secret}`)]
    }),
  )
}
