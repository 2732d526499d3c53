/*
 * docs/operate.md as somebody follows it on the sample company, with real npm and real curl: two dozen
 * starts of the program, which is too many for every test run.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'

import { serveProgram } from '../support/bridge/program.ts'
import { titlesOf } from '../support/calendar/read-calendar.ts'
import { neededProgram } from '../support/deploy/needed-program.ts'
import { clonedFolder, commandsOn, fillIn, runLine } from '../support/docs/page-commands.ts'
import { startMailServer } from '../support/web/mail-server.ts'

it('every command of docs/operate.md does what the page says', async () => {
  const folder = clonedFolder()
  neededProgram('curl', 'curl')
  const file = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
  const mail = await startMailServer()
  const settings = { ...mail.environment, PORT: '0' }
  const asLines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`)
  writeFileSync(path.join(folder, '.env'), asLines.join(''))
  const server = await serveProgram({ folder })
  const url = /^Listens at (\S+)$/m.exec(server.lines.join('\n'))?.[1] ?? ''

  const { commands } = commandsOn('docs/operate.md')
  const rest = [...commands]
  /** The next command, which begins so: what it writes, with exit code 0. */
  const next = async (
    beginning: string,
    placeholders: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const written = rest.shift() ?? ''
    expect(written).toMatch(new RegExp(`^(?:npm run -s bridge -- )?${beginning}`))
    const { code, output, errors } = await runLine(fillIn(written, placeholders), folder)
    expect([written, code, errors]).toEqual([written, 0, expect.any(String)])
    return output
  }
  const statusOf = async (address = ''): Promise<number> => (await fetch(address)).status

  expect(await next('people --search brandt')).toMatch(
    /MANAGER.*FEEDS.*LAST ASKED.*PROBLEMS\nusr_ada/,
  )
  expect(await next('people --feed none')).not.toContain('usr_ada')
  expect(await next('people --feed unpolled')).toMatch(/^usr_ada .*\n$/m)
  await next('feed candidates > people.csv')
  expect(idsIn(file('people.csv'))).toEqual(['usr_ada', 'usr_bob', 'usr_cleo', 'usr_mia'])
  await next('feed create --from people.csv > links.csv')
  const made = new Map(rowsOf(file('links.csv')).map((row) => [row['userId'], row]))
  for (const id of ['usr_bob', 'usr_cleo', 'usr_mia'])
    expect(await statusOf(made.get(id)?.['url'])).toBe(200)
  await next('feed list --never-polled')
  expect(idsIn(file('quiet.csv'))).toContain('usr_ada')
  await next('feed remind')
  await mail.receivedFor('ada@sample.example')
  const feedId = made.get('usr_bob')?.['feedId'] ?? ''
  writeFileSync(path.join(folder, 'feeds.csv'), `feedId\n${feedId}\n`)
  await next('feed update --from feeds.csv')
  const changed = await runLine(`npm run -s bridge -- feed show ${feedId} --json`, folder)
  expect(JSON.parse(changed.output)).toMatchObject({ locale: 'de' })
  const bobs = { 'feed_…': feedId }
  const phone = addressIn(await next('feed link', bobs))
  expect(await statusOf(phone)).toBe(200)
  await next('feed revoke', bobs)
  expect(await statusOf(phone)).toBe(410)
  const rotated = addressIn(await next('feed rotate', bobs))
  expect([await statusOf(rotated), await statusOf(made.get('usr_bob')?.['url'])]).toEqual([
    200, 200,
  ])
  writeFileSync(path.join(folder, 'left.csv'), 'userId\nusr_cleo\n')
  await next('feed revoke --from left.csv')
  const ended = await fetch(made.get('usr_cleo')?.['url'] ?? '')
  expect(titlesOf(await ended.text())).toEqual(['This calendar has ended'])

  const team = await next('feed create --team-of usr_mia')
  await next('feed create --team-of usr_mia --depth all')
  await next('feed link', { 'feed_…': /feed_\w+/.exec(team)?.[0] ?? '' })

  const here = { 'http://127.0.0.1:8080': url }
  expect(JSON.parse(await next('curl -X POST', here))).toMatchObject({ userIds: ['usr_bob'] })
  await next('curl -N', here)
  const lines = file('lines.ndjson').trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { status: string }).status)).toEqual(
    lines.map(() => 'done'),
  )

  await next('token create')
  expect(await next('token list')).toMatch(/helpdesk +support/)
  await next('token revoke')
  expect(await next('audit --since')).toContain('usr_ada')
  expect(rest).toEqual([])

  expect(await server.stop()).toMatchObject({ code: 0 })
  await mail.close()
})

/** The address of the calendar that a command has printed. */
function addressIn(output: string): string | undefined {
  return /http\S+\.ics/.exec(output)?.[0]
}

function rowsOf(csv: string): readonly Record<string, string>[] {
  return parse(csv, { columns: true })
}

function idsIn(csv: string): readonly (string | undefined)[] {
  return rowsOf(csv).map((row) => row['userId'])
}
