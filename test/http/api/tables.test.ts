/* Making feeds by a table. */
import { expect } from 'vitest'

import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { it } from '../../support/bridge/test-api.ts'
import { jsonOf } from '../../support/web/api-answer.ts'

it('a table creates a feed for each row except for those that exist', async ({
  api: { company, sendTable },
}) => {
  company.records.schedules.push({ id: 'sch_b', isActive: false })
  const table =
    '\uFEFFuserId;name;Email;scheduleIds;options\r\n' +
    'usr_ada;Table one;;sch_day | sch_b;"{""tasks"": {""show"": false}}"\r\n\r\n' +
    'usr_bob;Table two;;;\r\nusr_bob;Table two;;;\r\n'
  const response = await sendTable(table)
  const answer = outputSchemas.CreatedFeeds.parse(await response.json())
  expect(response.status).toBe(201)
  expect(answer.data.map(({ status }) => status)).toEqual(['created', 'created', 'skipped'])
  expect(answer.data[0]).toMatchObject({
    name: 'Table one',
    options: { shifts: { scheduleIds: ['sch_day', 'sch_b'] }, tasks: { show: false } },
  })
  const again = await sendTable(table, { Accept: 'text/csv' })
  expect(again.headers.get('Content-Type')).toMatch(/^text\/csv/)
  const lines = (await again.text()).split('\r\n')
  expect(lines[0]).toBe('userId,displayName,email,feedId,label,url,page,status')
  expect(lines.slice(1, 4).every((line) => /,feed_\w+,,,,skipped$/.test(line))).toBe(true)
})

it('an unknown company is reported once, not for each row', async ({ api: { send } }) => {
  const response = await send('/api/feeds?companyId=nix', {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: 'userId\nusr_ada\nusr_bob\n',
  })
  expect([response.status, (await jsonOf(response)).errors]).toEqual([
    400,
    [{ pointer: '/companyId', detail: 'There is no company "nix"; there is main.' }],
  ])
})

it('a table without feeds and an empty list are refused', async ({ api: { ask, sendTable } }) => {
  for (const text of ['', 'userId', 'userId,name\n'])
    expect((await sendTable(text)).status).toBe(400)
  expect((await ask('POST', '/api/feeds', []))[0]).toBe(400)
})

it('rows of one person under the default name in any language, or that name, are one feed', async ({
  api: { sendTable },
}) => {
  const table = `userId,name,locale\nusr_ada,,en\nusr_ada,,de\nusr_ada,Ada's work calendar,\n`
  const statuses = async (): Promise<unknown> =>
    outputSchemas.CreatedFeeds.parse(await jsonOf(await sendTable(table))).data.map(
      ({ status }) => status,
    )
  expect(await statuses()).toEqual(['created', 'skipped', 'skipped'])
  expect(await statuses()).toEqual(['skipped', 'skipped', 'skipped'])
})

it('tables sent at the same time create each feed once', async ({ api: { sendTable } }) => {
  const text = 'userId,name\nusr_ada,Race\nusr_bob,Race\n'
  const answers = await Promise.all([1, 2, 3, 4].map(async () => jsonOf(await sendTable(text))))
  const { data } = outputSchemas.CreatedFeeds.parse({
    data: answers.flatMap(({ data: rows }) => rows),
  })
  const statuses = data.map(({ status }) => status)
  expect(statuses).toHaveLength(8)
  expect(statuses.filter((status) => status === 'created')).toHaveLength(2)
  expect(statuses.filter((status) => status === 'skipped')).toHaveLength(6)
})

it('a row sets language and audience', async ({ api: { sendTable } }) => {
  const table = 'userId,name,locale,audience\nusr_ada,Row,de,others\n'
  const { data } = await jsonOf(await sendTable(table))
  expect(data).toMatchObject([{ locale: 'de', audience: 'others', displayName: 'Ada Lovelace' }])
  const { url, page } = data[0]?.links[0] ?? {}
  expect(url).toBe(`${page}/row.ics`)
  const wrong = await jsonOf(await sendTable('userId,locale,audience\nusr_ada,fr,all\n'))
  expect(wrong.errors.map(({ detail }) => detail)).toEqual([
    'Row 2 (usr_ada), audience "all": Must be own or others.',
    'Row 2 (usr_ada), locale "fr": Must be en or de.',
  ])
})

it('a table reports the row of each fault and creates nothing', async ({ api: { sendTable } }) => {
  const response = await sendTable(
    'userId,timezone,scheduleIds\nusr_ada,Mars,\nusr_x,,\nusr_ada,,sch_day|sch_x\nusr_y,Mars,sch_dya\n',
  )
  const problem = await jsonOf(response)
  expect(response.status).toBe(400)
  expect(problem.errors).toEqual([
    {
      pointer: '/0/timezone',
      detail: expect.stringMatching(/^Row 2 \(usr_ada\), timezone "Mars": /),
    },
    { pointer: '/1/userIds/0', detail: 'Row 3 (usr_x), userId: There is no user "usr_x".' },
    {
      pointer: '/2/options/shifts/scheduleIds/1',
      detail: expect.stringContaining(
        'Row 4 (usr_ada), scheduleIds: There is no schedule "sch_x", only sch_b, sch_day',
      ),
    },
    {
      pointer: '/3/timezone',
      detail: expect.stringMatching(/^Row 5 \(usr_y\), timezone "Mars": /),
    },
    { pointer: '/3/userIds/0', detail: 'Row 5 (usr_y), userId: There is no user "usr_y".' },
    {
      pointer: '/3/options/shifts/scheduleIds/0',
      detail: expect.stringMatching(
        /^Row 5 \(usr_y\), scheduleIds: There is no schedule "sch_dya", only sch_day/,
      ),
    },
  ])
})

const latin = new Uint8Array(Buffer.from('userId,name\nusr_ada,Zoë\n', 'latin1'))
const inCharset = (charset: string): Record<string, string> => ({
  'Content-Type': `text/csv; charset=${charset}`,
})

it('a table that is not UTF-8 is refused', async ({ api: { sendTable } }) => {
  const utf16 = Buffer.from('\uFEFFuserId\tname\r\nusr_ada\tZoë 日\r\n', 'utf16le')
  for (const [table, headers] of [[latin], [utf16], [latin, inCharset('utf-8')]] as const) {
    const response = await sendTable(table, headers)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('CSV UTF-8') })
  }
})

it.for(['iso-8859-1', 'utf-16', 'utf-7'])('a table in %s answers 415', async (charset, { api }) => {
  expect((await api.sendTable(latin, inCharset(charset))).status).toBe(415)
})

it('a table with unknown columns gets a warning', async ({ api: { sendTable } }) => {
  const response = await sendTable('userId,Team,email\nusr_bob,Asia/Tokyo,\n')
  expect(await response.json()).toMatchObject({
    warnings: ['These columns of the table are ignored: Team.'],
  })
})
