import { describe, expect } from 'vitest'

import { outputSchemas } from '../../src/http/api/openapi-schemas.ts'
import { it } from '../support/bridge/command-line.ts'
import { ada, timesheet } from '../support/company/people.ts'

const today = new Date().toISOString().slice(0, 10)

describe('feed create', () => {
  it('Prints the address, or the feed in the form of the API answer', async ({ line }) => {
    const { code, output } = await line.run('feed', 'create', '--user', 'usr_ada')
    expect(code).toBe(0)
    expect(output).toMatch(
      /^feed_\w+ {2}Ada's work calendar\nCalendar {2}(http:\/\/127\.0\.0\.1:8080\/feeds\/cfb_[\w-]{43})\/adas-work-calendar\.ics\nPage {6}\1\n$/,
    )
    const words = [
      '--user',
      'usr_ada',
      '--user',
      'usr_bob',
      '--timezone',
      'Asia/Tokyo',
      '--locale',
      'de',
    ]
    const options = ['--options', '{"leaves":{"detail":"type"}}', '--reminder', '15']
    const feed = await line.json('feed', 'create', ...words, ...options)
    outputSchemas.Feed.parse(feed)
    expect(feed.ownOptions).toMatchObject({ leaves: { detail: 'type' }, reminderMinutes: 15 })
    const [{ url, page }] = feed.links
    expect(url?.startsWith(`${page}/`)).toBe(true)
    expect(feed).toMatchObject({ audience: 'others', timezone: 'Asia/Tokyo', locale: 'de' })
  })

  it('Creates the feed of a team, and list and show name its manager', async ({ line }) => {
    const { users, timesheets } = line.company.records
    const names = { firstName: 'Carl', lastName: 'Gauss', isActive: true }
    line.company.records.users = [...users, { id: 'usr_carl', ...names, assignedManagerId: ada.id }]
    line.company.records.timesheets = [
      ...timesheets,
      timesheet('clqcarl', 'usr_carl', today, today),
    ]
    await line.run('feed', 'candidates')
    const feed = await line.json('feed', 'create', '--team-of', 'usr_ada', '--depth', 'all')
    Object.assign(line.company.records, { users, timesheets })
    outputSchemas.Feed.parse(feed)
    expect(feed).toMatchObject({
      name: "Ada's team",
      audience: 'others',
      userIds: ['usr_carl'],
      team: { managerId: 'usr_ada', depth: 'all' },
    })
    const shown = await line.run('feed', 'show', feed.id)
    expect(shown.output).toMatch(/^team +everybody who reports to usr_ada, at any depth$/m)
    expect(shown.errors).toBe('')
    const list = await line.run('feed', 'list', '--search', 'team')
    expect(list.output).toMatch(/Ada's team +team of usr_ada \(1\)/)
    const table = await line.run('feed', 'list', '--search', 'team', '--csv')
    expect(table.output.split('\n')[1]).toMatch(/^,,,feed_/)
    const empty = await line.run('feed', 'create', '--team-of', 'usr_bob')
    expect([empty.code, empty.errors]).toEqual([0, expect.stringMatching(/^Warning: Nobody/)])
  })

  it('Works without the Read API and says so', async ({ line }) => {
    line.company.faults.set('/users/', 404)
    line.company.faults.set('/users/usr_ada', 403)
    line.company.faults.delete('/users/')
    const { code, errors } = await line.run('feed', 'create', '--user', 'usr_ada')
    line.company.faults.clear()
    expect(code).toBe(0)
    expect(errors).toMatch(/^Warning: The users could not be checked/)
  })

  it.for<readonly [readonly string[], number, RegExp]>([
    [[], 2, /--user ID, --team-of ID or --from/],
    [['--user', 'usr_ada', '--from', 'x.csv'], 2, /cannot be used with/],
    [['--user', 'usr_ada', '--options', '{'], 2, /must be JSON/],
    [['--user', 'usr_ada', '--options', '[]'], 2, /must be a JSON object/],
    [
      ['--user', 'usr_ada', '--options', '{"nope":1}'],
      2,
      /^--options \(nope\): There is no such member/,
    ],
    [
      ['--user', 'usr_ada', '--options', '{"__proto__":{"show":true}}'],
      2,
      /^--options \(__proto__\): There is no such member/,
    ],
    [['--user', 'usr_ada', '--timezone', 'Mars'], 2, /^--timezone: Must be an IANA time zone/],
    [
      ['--user', 'usr_ada', '--company', 'else'],
      2,
      /^--company: There is no company "else"; there is main\.$/m,
    ],
    [['--user', 'usr_ada', '--colour', 'red'], 2, /[Uu]nknown option/],
    [['--user', 'usr_ada', '--rotate-existing'], 2, /go with --from/],
    [['--user', 'usr_ada', '--excel'], 2, /go with --from/],
    [
      ['--user', 'usr_ada', '--leave-detail', 'all'],
      2,
      /^Option '--leave-detail <detail>' argument 'all' is invalid\. .* absent, type, full/,
    ],
    [['--from', 'x.csv', '--grace-days', '7'], 2, /goes with --rotate-existing/],
    [['--team-of', 'usr_mia', '--user', 'usr_ada'], 2, /cannot be used with/],
    [['--team-of', 'usr_mia', '--from', 'x.csv'], 2, /cannot be used with/],
    [['--user', 'usr_ada', '--depth', 'all'], 2, /goes with --team-of/],
    [['--team-of', 'usr_ada', '--depth', 'deep'], 2, /direct, all/],
    [['--team-of', 'usr_ada', '--audience', 'own'], 2, /^--audience: Must be "others"/],
    [['--team-of', 'usr_nobody'], 1, /^--team-of: There is no user "usr_nobody"\.\nTo list/],
    [
      ['--user', 'usr_nobody'],
      1,
      /^--user: There is no user "usr_nobody"\.\nTo list the people .*\.\n$/,
    ],
    [['--user', ''], 2, /--user <id>.* must not be empty/],
    [['--user', 'usr_ada', '--reminder', '40321'], 2, /0 to 40320, or none/],
    [
      ['--user', 'usr_ada', '--timezone', 'lisbon'],
      2,
      /must be an IANA time zone such as Europe\/Berlin\.$/im,
    ],
    [['--from', '/nowhere.csv'], 1, /cannot be read/],
  ])('%j exits with code %i', async ([words, code, says], { line }) => {
    const result = await line.run('feed', 'create', ...words)
    expect([result.code, result.output]).toEqual([code, ''])
    expect(result.errors).toMatch(says)
  })
})
