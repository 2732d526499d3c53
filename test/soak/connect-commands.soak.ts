/* docs/connect.md, followed with a Read API that wants a bearer token, has other parameter names and pages. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { expect, it } from 'vitest'

import { foreignApi } from '../support/company/foreign-api.ts'
import { clonedFolder, commandsOn, fillIn, runLine } from '../support/docs/page-commands.ts'

const page = commandsOn('docs/connect.md')

it('doctor, as the page calls it, finds how another Read API differs, and with its lines all is well', async () => {
  const api = await foreignApi({
    authentication: { scheme: 'bearer', token: 'TOKEN' },
    parameters: {
      timesheets: { employee: 'employeeId', status: 'status', from: 'from', to: 'to' },
      leaves: { employee: 'employeeId', status: 'status' },
      schedules: { type: 'type', active: 'isActive' },
    },
    paging: { style: 'page', page: 'page', size: 'limit', first: 1, most: 5 },
  })
  const folder = clonedFolder()
  const settings = fillIn(page.settings, {
    'https://workforce.example.com': api.url,
    'prj_a,prj_b': 'prj_web,prj_ops',
    sch_a: 'sch_day',
  })
  const file = path.join(folder, '.env')
  writeFileSync(file, settings)
  const [examine = '', advise = ''] = page.commands
  expect(page.commands).toHaveLength(2)

  const before = await runLine(examine, folder)
  expect(before.code).toBe(1)
  expect(before.output).toMatch(/^wrong\b/m)
  expect(await runLine(advise, folder)).toMatchObject({ output: '' })
  const written = readFileSync(file, 'utf8')
  expect(written.startsWith(settings)).toBe(true)
  expect(written.slice(settings.length)).toMatch(/^WORKFORCE_PARAMS=.*employeeId/m)

  const after = await runLine(examine, folder)
  expect(after).toMatchObject({ code: 0, errors: '' })
})
