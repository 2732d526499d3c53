/* A newcomer's first minute: the program as it comes, without any setting. */
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text as textOf } from 'node:stream/consumers'

import { describe, expect, inject, it as bareIt } from 'vitest'

import packageFile from '../package.json' with { type: 'json' }
import { runCommand } from './support/bridge/command-line.ts'
import { runProgram, serveProgram, spawnProgram } from './support/bridge/program.ts'
import { lintCalendar } from './support/calendar/ics-lint.ts'
import { parseWithIcalJs, parseWithNodeIcal } from './support/calendar/parsers.ts'
import { readCalendar } from './support/calendar/read-calendar.ts'

const calendarLine = /^http:\/\/127\.0\.0\.1:\d+\/feeds\/cfb_[\w-]{43}\/adas-work-calendar\.ics$/
const pageLine = /^http:\/\/127\.0\.0\.1:\d+\/feeds\/cfb_[\w-]{43}$/

const environment = { PORT: '0' }

/** Where the program has run once, and the calendar that it served then. */
interface Installation {
  readonly folder: string
  /** What it printed. */
  readonly lines: readonly string[]
  readonly calendar: string
}

const it = bareIt
  .extend('installation', { scope: 'file' }, async (): Promise<Installation> => {
    const folder = await newFolder()
    const program = await serveProgram({ folder, environment })
    const url = program.lines.find((line) => calendarLine.test(line)) ?? ''
    const calendar = await (await fetch(url)).text()
    const other = await runCommand(databasesOf(folder), 'feed', 'create', '--user', 'usr_bob')
    const page = await fetch(/^Page +(http\S+)/m.exec(other.output)?.[1] ?? '', { method: 'HEAD' })
    expect([other.code, page.status]).toEqual([0, 200])
    const { code, errors } = await program.stop()
    expect(await readdir(path.join(folder, 'data'))).not.toContain('running.json')
    expect([code, errors.includes('cfb_')]).toEqual([0, false])
    return { folder, lines: program.lines, calendar }
  })
  .extend('folder', { scope: 'file' }, ({ installation }) => installation.folder)
  .extend('calendar', { scope: 'file' }, ({ installation }) => installation.calendar)

/** As a command of the same installation finds them. */
function databasesOf(folder: string): Record<string, string> {
  return {
    DATABASE_URL: `file:${folder}/data/bridge.sqlite`,
    WORKFORCE_DATABASE_URL: `file:${folder}/data/workforce.sqlite`,
  }
}

function newFolder(): Promise<string> {
  return mkdtemp(path.join(inject('temporaryFolder'), 'start-'))
}

describe('npm start without settings', () => {
  it('prints the calendar address and its page on separate lines, the same at every start', async ({
    installation: { folder, ...first },
  }) => {
    const second = await serveProgram({ folder, environment })
    await second.stop()
    const tokens = [first, second].map(({ lines }) => {
      expect(lines.some((line) => calendarLine.test(line))).toBe(true)
      expect(lines.some((line) => pageLine.test(line))).toBe(true)
      return /cfb_[\w-]{43}/.exec(lines.join('\n'))?.[0]
    })
    expect(tokens[0]).toBe(tokens[1])
  })

  it('keeps everything under ./data, readable only by its owner', async ({ folder }) => {
    for (const file of ['admin-token', 'demo-link', 'bridge.sqlite', 'workforce.sqlite']) {
      const { mode } = await stat(path.join(folder, 'data', file))
      expect([file, mode & 0o777]).toEqual([file, 0o600])
    }
  })

  it('serves a calendar that two parsers read alike and that follows every byte rule', ({
    calendar,
  }) => {
    expect(lintCalendar(calendar)).toEqual([])
    const events = parseWithIcalJs(calendar).toSorted((a, b) => a.uid.localeCompare(b.uid))
    expect(events.length).toBeGreaterThan(300)
    const other = parseWithNodeIcal(calendar).toSorted((a, b) => a.uid.localeCompare(b.uid))
    expect(other.map(({ uid, start, end }) => [uid, start, end])).toEqual(
      events.map(({ uid, start, end }) => [uid, start, end]),
    )
  })

  it('shows leaves (pending ones as tentative), day shifts only, timesheets to hand in, and tasks', ({
    calendar,
  }) => {
    const events = [...readCalendar(calendar).values()]
    const kinds = new Set(events.map(({ uid }) => uid.split('-')[0]))
    expect(kinds).toEqual(new Set(['leave', 'shift', 'timesheetdue', 'task']))
    const pending = events.filter(({ summary }) => summary.includes('(pending)'))
    expect(pending.map(({ status }) => status)).toContain('TENTATIVE')
    const shifts = events.filter(({ uid }) => uid.startsWith('shift-'))
    expect(shifts.length).toBeGreaterThan(200)
    expect(shifts.filter(({ start }) => !/T0[78]:00:00Z$/.test(start))).toEqual([])
  })
})

describe('npm start with a separate Read API', () => {
  it('says where it is, what the Read API answers and what to do next, even if there is none', async () => {
    const own = {
      ...environment,
      WORKFORCE_BASE_URL: 'http://127.0.0.1:9',
      WORKFORCE_TIMEZONE: 'Europe/Berlin',
    }
    const folder = await newFolder()
    const inTheWay = path.join(folder, 'data', 'running.json')
    await mkdir(inTheWay, { recursive: true })
    const program = spawnProgram(['serve'], { folder, environment: own })
    const logged = textOf(program.stderr)
    const lines: string[] = []
    for await (const line of createInterface(program.stdout)) {
      lines.push(line)
      if (line.startsWith('Read API ')) break
    }
    const [address] = /http\S+/.exec(lines[0] ?? '') ?? []
    expect(lines.slice(0, 2)).toEqual([`Listens at ${address}`, `Public address ${address}`])
    expect(lines.join('\n')).toMatch(/^Next: npm run -s bridge -- doctor .*\n.* feed create /m)
    expect(lines.at(-1)).toMatch(
      /^Read API http:\/\/127\.0\.0\.1:9: not reached: .*; the bridge goes on and asks again$/,
    )
    const exited = once(program, 'exit')
    program.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    const events = (await logged).split('\n').filter((line) => line.includes('address_not_kept'))
    expect(events.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        error: expect.objectContaining({
          message: `The file ${inTheWay} cannot be written: illegal operation on a directory.`,
          stack: expect.stringContaining('caused by: Error: EISDIR'),
        }),
      }),
    ])
  })
})

describe('export', () => {
  it('writes the same events as the feed, with the same bytes each time', async ({
    folder,
    calendar,
  }) => {
    const settings = { folder, environment }
    const options = JSON.stringify({ timesheets: { as: 'todo' } })
    const command = ['export', '--user', 'usr_ada', '--options', options]
    const first = await runProgram([...command, '--output', 'me.ics'], settings)
    expect([first.code, first.errors.includes('Error')]).toEqual([0, false])
    const again = await runCommand(databasesOf(folder), ...command)
    const file = await readFile(path.join(folder, 'me.ics'), 'utf8')
    expect(again.output).toBe(file)
    const contents = (text: string): unknown =>
      [...readCalendar(text).values()].map(({ uid, content }) => [uid, content]).toSorted()
    expect(contents(file)).toEqual(contents(calendar))
    expect(lintCalendar(file)).toEqual([])
  })

  it('of an unknown person fails, says so and names where to look', async ({ folder }) => {
    const { code, output, errors } = await runProgram(['export', '--user', 'usr_x'], {
      folder,
      environment,
    })
    expect([code, output]).toEqual([1, ''])
    expect(errors.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([
      '--user: There is no user "usr_x".',
      'To list the people who can get a feed, run bridge feed candidates.',
    ])
  })
})

describe('settings', () => {
  it('wrong settings stop the start with a sentence each and without secrets', async ({
    folder,
  }) => {
    const { code, output, errors } = await runProgram(['serve'], {
      folder,
      environment: {
        PORT: 'http',
        WORKFORCE_AUTH: 'token:s3cr3t',
        DATABASE_URL: 'mysql://root:s3cr3t@db',
        FEED_STALE_DAYS: '-1',
      },
    })
    expect([code, output]).toEqual([1, ''])
    expect(errors.trim().split('\n')).toHaveLength(4)
    for (const key of ['PORT', 'WORKFORCE_AUTH', 'DATABASE_URL', 'FEED_STALE_DAYS']) {
      expect(errors).toContain(`${key} must`)
    }
    expect(errors).not.toContain('s3cr3t')
  })

  it('.env of the working directory is read', async () => {
    const folder = await newFolder()
    await writeFile(path.join(folder, '.env'), 'PORT=nowhere\n')
    const { code, errors } = await runProgram(['serve'], { folder })
    expect([code, errors.includes('PORT must')]).toEqual([1, true])
  })

  it('a wrong command exits with 2, and help with 0', async ({ folder }) => {
    const { code } = await runProgram(['nonsense'], { folder })
    expect(code).toBe(2)
    // Also for those whose settings are wrong.
    const wrong = { PORT: 'http' }
    const help = await runProgram(['--help'], { folder, environment: wrong })
    expect([help.code, help.errors]).toEqual([0, ''])
    const versions = await runProgram(['-V'], { folder, environment: wrong })
    expect(versions.output).toBe(
      `calendar-feed-bridge ${packageFile.version}\nNode ${process.versions.node}\nSQLite ${process.versions['sqlite']}\ntime-zone data ${process.versions['tz']}\n`,
    )
  })
})
