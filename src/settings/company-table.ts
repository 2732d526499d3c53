import { z } from 'zod'

import { authentication } from './authentication.ts'
import * as field from './fields.ts'
import { pagination } from './pagination.ts'
import { parameterNames } from './parameter-names.ts'
import { secret, setting } from './setting.ts'
import { members } from './unknown-key.ts'

/** What holds where the environment says nothing; a file has to say it. */
export const unsetCompany = {
  id: 'main',
  baseUrl: 'http://embedded.invalid',
  timezone: 'Europe/Berlin',
}

/** The settings of one company, one row each: members of an element of `COMPANIES_FILE`, or from the environment. */
export const companyTable = members({
  id: setting(
    'WORKFORCE_COMPANY',
    field.text,
    "the company's id within the bridge",
    `\`${unsetCompany.id}\``,
  ),
  name: setting(null, field.text.optional(), "the company's name", 'its id'),
  baseUrl: setting(
    'WORKFORCE_BASE_URL',
    field.httpAddress,
    '`{base_url}` of the Read API',
    'none: the embedded Read API',
  ),
  timezone: setting(
    'WORKFORCE_TIMEZONE',
    field.timezone,
    'IANA zone in which the company works; must be set with `WORKFORCE_BASE_URL`',
    `\`${unsetCompany.timezone}\``,
  ),
  auth: secret(
    'WORKFORCE_AUTH',
    authentication.prefault('none'),
    '`none`, `bearer:TOKEN`, `basic:USER:PASSWORD`, `header:NAME:VALUE` or `query:NAME:VALUE`',
  ),
  params: setting(
    'WORKFORCE_PARAMS',
    parameterNames.prefault({}),
    'JSON: names of the query parameters, merged over the defaults; `null` is never sent',
    'see below',
  ),
  pagination: setting(
    'WORKFORCE_PAGINATION',
    pagination.prefault('none'),
    '`none`, `page:PAGE,SIZE,N[,FIRST]`, `offset:OFFSET,LIMIT,N` or `link`, or JSON with one of these for each list',
  ),
  dates: setting(
    'WORKFORCE_DATES',
    field.oneOf(['utc', 'local']).default('utc'),
    'whether a bare day is written as midnight `utc` or `local` to the company',
  ),
  endDates: setting(
    'WORKFORCE_END_DATES',
    field.oneOf(['inclusive', 'exclusive']).default('inclusive'),
    'whether an end that is a bare day is the last day or the day after (`exclusive`)',
  ),
  projects: setting(
    'WORKFORCE_PROJECTS',
    z.array(field.text).default([]),
    'ids of the projects whose tasks feeds read, separated by commas',
    "none (the sample company's own)",
  ),
  schedules: setting(
    'WORKFORCE_SCHEDULES',
    z.array(field.text).default([]),
    'ids of the schedules of feeds that name none, separated by commas',
    "none (the sample company's `sch_day`)",
  ),
  scheduleTimezones: setting(
    null,
    z.record(field.text, field.timezone).default({}),
    "schedule id to IANA zone, for schedules that do not follow the company's",
  ),
  recordUrl: setting(
    'WORKFORCE_RECORD_URL',
    field.recordUrl.nullable().default(null),
    'template with `{kind}` and `{id}` by which events link back',
  ),
  shrinkGuard: setting(
    'WORKFORCE_SHRINK_GUARD',
    field.onOrOff.prefault('on'),
    'event data that suddenly shrinks is read twice before it is believed',
  ),
  timeoutMs: setting(
    'WORKFORCE_TIMEOUT_MS',
    field.wholeNumber(1, 600_000).default(30_000),
    'how long one answer of the Read API may take',
  ),
  concurrency: setting(
    'WORKFORCE_CONCURRENCY',
    field.wholeNumber(1, 1000).default(32),
    'how many requests may be under way at once at most: between 4 and that the bridge finds its own level',
  ),
  bodyBytesMax: setting(
    'WORKFORCE_BODY_BYTES_MAX',
    field.wholeNumber(1, 1_073_741_824).default(16_777_216),
    'how many bytes one answer may have after decompression',
  ),
})
