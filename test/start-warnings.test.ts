/* What a start says of settings that mean nothing, and of feeds that nobody can be served; commands say it of the feeds at hand. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'

import { expect } from 'vitest'

import { warnOfFeedsWithoutCompany, warnOfReplaced } from '../src/process/start-warnings.ts'
import { readSettings } from '../src/settings/read-settings.ts'
import { it, runCommand } from './support/bridge/command-line.ts'
import { type LogLine, recordedLog } from './support/bridge/recorded-log.ts'

it('settings replaced by the file of companies are named once', () => {
  const lines: LogLine[] = []
  const environment = {
    COMPANIES_FILE: 'all.json',
    WORKFORCE_BASE_URL: 'https://one.example',
    WORKFORCE_TIMEZONE: '',
    WORKFORCE_AUTH_FILE: 'auth',
  }
  const companies = [{ id: 'north', baseUrl: 'https://north.example', timezone: 'UTC' }]
  warnOfReplaced(
    readSettings(environment, () => Buffer.from(JSON.stringify(companies))),
    recordedLog(lines),
  )
  warnOfReplaced(readSettings({ WORKFORCE_COMPANY: 'acme' }), recordedLog(lines))
  expect(lines).toMatchObject([
    {
      level: 'warn',
      event: 'settings_ignored',
      data: { settings: ['WORKFORCE_BASE_URL', 'WORKFORCE_AUTH_FILE'] },
    },
  ])
})

it('open feeds of companies that are not set up are counted in one line', async () => {
  const lines: LogLine[] = []
  const counts = new Map([
    ['north', 3],
    ['south', 2],
    ['west', 1],
  ])
  const feeds = { countOpenFeeds: () => Promise.resolve(counts) }
  const log = recordedLog(lines)
  await warnOfFeedsWithoutCompany(feeds, new Map([['north', {}]]), log)
  await warnOfFeedsWithoutCompany(feeds, counts, log)
  expect(lines).toMatchObject([
    {
      level: 'warn',
      event: 'feeds_without_company',
      data: {
        feeds: { south: 2, west: 1 },
        answers: 503,
        mend: expect.stringContaining('feed revoke'),
      },
    },
  ])
})

it('list, link and rotate say what the addresses of a feed answer if its company is not set up', async ({
  line,
}) => {
  const { id } = await line.json('feed', 'create', '--user', 'usr_ada')
  const moved = { ...line.environment, WORKFORCE_COMPANY: 'acme' }
  const note =
    'Note: no company "main" is set up, so the addresses of its feeds answer 503. Set it up again under that id, or end them with feed revoke.\n'
  const table = path.join(line.folder, 'feeds.csv')
  await writeFile(table, `feedId\n${id}\n`)
  for (const words of [
    ['list'],
    ['list', '--json'],
    ['link', id, '--label', 'phone'],
    ['rotate', id],
    ['rotate', '--from', table],
  ]) {
    const { code, errors } = await runCommand(moved, 'feed', ...words)
    expect([code, errors.split(note).length]).toEqual([0, 2])
  }
  expect((await runCommand(moved, 'feed', 'revoke', '--from', table)).errors).not.toContain(note)
  expect((await runCommand(moved, 'feed', 'list')).errors).toBe('')
})
