import { describe, expect } from 'vitest'

import { outputSchemas } from '../../src/http/api/openapi-schemas.ts'
import { it, type TestCommandLine } from '../support/bridge/command-line.ts'
import type { ApiAnswer } from '../support/web/api-answer.ts'

const create = (line: TestCommandLine, name: string): Promise<ApiAnswer> =>
  line.json('feed', 'create', '--user', 'usr_ada', '--name', name)

describe('feed list, show and update', () => {
  it('An empty bridge has no feeds yet', async ({ line }) => {
    const { output, errors } = await line.run('feed', 'list')
    expect([output, errors]).toEqual(['', 'There are no feeds yet.\n'])
  })

  it('An unknown company is reported', async ({ line }) => {
    const { code, errors } = await line.run('feed', 'list', '--company', 'nope')
    expect([code, errors]).toEqual([2, '--company: There is no company "nope"; there is main.\n'])
  })

  it('A list is a table for people and a JSON page for programs', async ({ line }) => {
    const { id } = await create(line, 'Listed')
    const { code, output } = await line.run(
      'feed',
      'list',
      '--user',
      'usr_ada',
      '--company',
      'main',
    )
    expect(code).toBe(0)
    expect(output).toMatch(/^ID +NAME +PEOPLE +LAST ASKED \(UTC\) +BY +STATE\n/)
    expect(output).toMatch(new RegExp(`^${id} +Listed +usr_ada +– +– +open$`, 'm'))
    outputSchemas.FeedPage.parse(await line.json('feed', 'list'))
    const nobody = await line.run('feed', 'list', '--user', 'usr_aad')
    expect(nobody).toEqual({
      code: 0,
      output: '',
      errors:
        'No matching feeds.\nThere is no person with the id "usr_aad". --search finds people by name.\n',
    })
    const none = await line.run('feed', 'list', '--user', 'usr_ada', '--state', 'closed')
    expect(none.errors).toBe('No matching feeds.\n')
  })

  it('One feed is shown with its links', async ({ line }) => {
    const feed = await create(line, 'Shown')
    const { output } = await line.run('feed', 'show', feed.id)
    expect(output).toContain('LINK')
    expect(output).toContain('No program has asked for it yet.')
    expect(output).not.toContain('cfb_')
    outputSchemas.FeedDetails.parse(await line.json('feed', 'show', feed.id))
  })

  it('A change keeps all other settings', async ({ line }) => {
    const { id, options } = await create(line, 'Before')
    const words = ['--name', 'After', '--timezone', 'Asia/Tokyo', '--locale', 'de']
    const changed = await line.json(
      'feed',
      'update',
      id,
      ...words,
      '--options',
      '{"reminderMinutes":10}',
    )
    expect(changed).toMatchObject({ name: 'After', timezone: 'Asia/Tokyo', locale: 'de' })
    expect(changed.options).toEqual({ ...options, reminderMinutes: 10 })
    const flags = ['--leave-detail', 'absent', '--reminder', 'none']
    const flagged = await line.json('feed', 'update', id, ...flags)
    expect(flagged.options).toMatchObject({ leaves: { detail: 'absent' }, reminderMinutes: null })
    const dotted = await line.run('feed', 'update', id, '--options', '{"leaves.detail":"full"}')
    expect(dotted.errors).toContain('; write {"leaves": {"detail": …}}.')
    expect((await line.run('feed', 'update', id, '--name', 'Last')).output).toBe(
      `${id}  Last: changed.\n`,
    )
    const { id: team } = await line.json('feed', 'create', '--user', 'usr_ada', '--user', 'usr_bob')
    expect((await line.json('feed', 'update', team, '--user', 'usr_bob')).userIds).toEqual([
      'usr_bob',
    ])
  })

  it('An impossible command fails with a message', async ({ line }) => {
    const { id } = await create(line, 'Refused')
    expect((await line.run('feed', 'show')).code).toBe(2)
    expect(await line.run('feed', 'show', 'feed_0')).toEqual({
      code: 1,
      output: '',
      errors: 'There is no feed feed_0.\n',
    })
    expect((await line.run('feed', 'update', id)).code).toBe(2)
    expect((await line.run('feed', 'update', id, '--timezone', 'Mars')).code).toBe(2)
    expect((await line.run('feed', 'update', 'feed_0', '--name', 'x')).code).toBe(1)
  })
})

describe('feed rotate and revoke', () => {
  it('A rotation prints the new address and when the old one ends', async ({ line }) => {
    const { id } = await create(line, 'Rotated')
    const now = await line.run('feed', 'rotate', id)
    expect(now.output).toMatch(
      /^feed_\w+ {2}default\nCalendar {2}(http:\/\/127\.0\.0\.1:8080\/feeds\/cfb_[\w-]{43})\/rotated\.ics\nPage {6}\1\n$/,
    )
    expect(now.errors).toBe('The old address has ended.\n')
    const later = await line.run('feed', 'rotate', id, '--label', 'default', '--grace-days', '7')
    expect(later.errors).toMatch(/^The old address works for 7 more days/)
    const last = outputSchemas.RotatedLink.parse(await line.json('feed', 'rotate', id))
    expect(last.warnings).toHaveLength(1)
    const { errors } = await line.run('feed', 'rotate', id)
    expect(errors).toMatch(
      /^The old address has ended.\nWarning: The address "default \(rotated .* until .*`feed revoke feed_\w+ --label "default/,
    )
    expect((await line.run('feed', 'rotate', id, '--label', 'phone')).code).toBe(1)
    expect((await line.run('feed', 'rotate', id, '--grace-days', 'many')).code).toBe(2)
    expect((await line.run('feed', 'rotate', 'feed_0')).code).toBe(1)
  })

  it('An address identifies its feed and its link', async ({ line }) => {
    const { id } = await create(line, 'Leaked')
    const old = (await line.run('feed', 'rotate', id)).output.trim()
    expect((await line.json('feed', 'show', old)).id).toBe(id)
    const address = (await line.run('feed', 'rotate', old)).output.trim()
    expect(address).toContain('/leaked.ics')
    const again = await line.run('feed', 'rotate', old)
    expect([again.code, again.errors]).toEqual([1, expect.stringMatching(/already replaced/)])
    const unknown = `http://x/feeds/cfb_${'A'.repeat(43)}/x.ics`
    expect((await line.run('feed', 'show', unknown)).errors).toBe(
      'There is no feed with this address.\n',
    )
    expect((await line.json('feed', 'revoke', address)).revokedAt).not.toBeNull()
  })

  it('A whole feed can be ended, or one of its links', async ({ line }) => {
    const { id } = await create(line, 'Revoked')
    expect((await line.run('feed', 'revoke', id, '--label', 'phone')).code).toBe(1)
    expect((await line.run('feed', 'revoke', id, '--label', 'default')).output).toBe(
      'The link "default" has ended.\n',
    )
    expect((await line.run('feed', 'revoke', id, '--purge')).output).toBe(
      'The feed has ended; its calendar says so for 30 days.\n',
    )
    expect((await line.json('feed', 'revoke', id)).revokedAt).not.toBeNull()
    expect((await line.run('feed', 'revoke', 'feed_0')).code).toBe(1)
    expect((await line.run('feed', 'rotate', id)).code).toBe(1)
  })
})

describe('feed link', () => {
  it('An additional address has its own label', async ({ line }) => {
    const { id } = await create(line, 'Linked')
    const { output } = await line.run('feed', 'link', id, '--label', 'phone')
    expect(output).toMatch(
      /^feed_\w+ {2}phone\nCalendar {2}(http:\S+\/feeds\/cfb_[\w-]{43})\/linked\.ics\nPage {6}\1\n$/,
    )
    outputSchemas.Link.parse(await line.json('feed', 'link', id, '--label', 'tablet'))
    expect((await line.run('feed', 'link', id, '--label', 'phone')).errors).toBe(
      'There is a link "phone" already.\n',
    )
    expect((await line.run('feed', 'link', id)).code).toBe(2)
    expect((await line.run('feed', 'link', 'feed_0', '--label', 'x')).code).toBe(1)
  })
})

describe('feed list', () => {
  it('Feeds that were never polled are listed as a table for the next command', async ({
    line,
  }) => {
    const { id } = await create(line, 'Quiet; =1')
    const words = ['--never-polled', '--state', 'open', '--search', 'quiet', '--csv']
    const { output } = await line.run('feed', 'list', ...words)
    expect(output).toBe(
      `userId,displayName,email,feedId,label,url,page,status,name,state,lastPolledAt\r\nusr_ada,Ada Lovelace,,${id},,,,open,"Quiet;' =1",open,\r\n`,
    )
    const file = await line.file('quiet.csv', output)
    expect((await line.run('feed', 'revoke', '--from', file)).code).toBe(0)
    const { data } = await line.json('feed', 'list', ...words.slice(0, -1))
    expect(data).toEqual([])
    expect((await line.run('feed', 'list', '--state', 'gone')).code).toBe(2)
  })
})
