/* Read APIs that are set up wrongly, and what has to be set instead. */
import { secret } from '../support/company/examine.ts'
import type { ForeignStyle } from '../support/company/foreign-style.ts'

export interface WrongSettings {
  readonly name: string
  readonly api: ForeignStyle
  /** Beside base URL and zone; `{origin}` stands for the API's. */
  readonly environment?: Readonly<Record<string, string>>
  /** Each setting to change, as it has to stand. */
  readonly sets: readonly string[]
  /** What shows only once that is changed. */
  readonly afterwards?: readonly string[]
}

const everything = {
  timesheets: { employee: 'who', status: null, from: null, to: null },
  leaves: { employee: 'employee_id', status: null },
  schedules: { type: null, active: null },
}

export const wrongSettings: readonly WrongSettings[] = [
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
    name: 'a secret sent wrongly, to a wrong path',
    api: {
      basePath: '/api',
      authentication: { scheme: 'header', name: 'Api-Key', value: secret },
    },
    environment: { WORKFORCE_BASE_URL: '{origin}', WORKFORCE_AUTH: `bearer:${secret}` },
    sets: ['WORKFORCE_AUTH=header:Api-Key:VALUE'],
    afterwards: ['WORKFORCE_BASE_URL={origin}/api'],
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
    name: 'pages of all lists but one',
    api: { paging: { style: 'link', most: 7 } },
    environment: { WORKFORCE_PAGINATION: '{"*": "link", "leaves": "none"}' },
    sets: [
      'WORKFORCE_PAGINATION={"leaves":"link","timesheets":"link","tasks":"link","schedules":"link"}',
    ],
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
