import { expect } from 'vitest'

import { explanationSchema } from '../../src/feeds/feed-explanation.ts'
import { it } from '../support/bridge/command-line.ts'

it('explains the own calendar of a person as a table, and as the API does', async ({ line }) => {
  const feed = await line.json('feed', 'create', '--user', 'usr_ada')
  const { code, output, errors } = await line.run('explain', '--user', 'usr_ada')
  expect([code, errors]).toEqual([0, ''])
  expect(output).toContain(`Feed ${feed.id}\n\nDATES `)
  expect(output).toMatch(/^2026-01-12 +leave +lv_ada1 +usr_ada +(yes|no) +It is /m)
  expect(output).toMatch(/^READ \(UTC\) +KIND +OF +STATE$/m)
  expect(output).toMatch(/^default +– +– +– +–$/m)
  const ofPerson = await line.json('explain', '--user', 'usr_ada', '--kind', 'leave')
  const ofFeed = await line.json('explain', '--feed', feed.id, '--kind', 'leave')
  const { records } = explanationSchema.parse(ofPerson)
  expect(records.map(({ id }) => id)).toEqual(['lv_ada1', 'lv_ada2'])
  expect({ ...ofFeed, at: '' }).toEqual({ ...ofPerson, at: '' })
})

it('explains a person without a feed by the one that they would get, and keeps nothing', async ({
  line,
}) => {
  const date = ['--date', '2026-01-21']
  const { output } = await line.run('explain', '--user', 'usr_bob', ...date)
  expect(output).toMatch(
    /^This person has no calendar of their own yet; this is the one that they would get\.\n/,
  )
  expect(output).toMatch(/^2026-01-21 +task +tsk_bob +usr_bob/m)
  const { feedId, links } = explanationSchema.parse(
    await line.json('explain', '--user', 'usr_bob', ...date),
  )
  expect([feedId, links]).toEqual([null, []])
  expect((await line.json('feed', 'list', '--user', 'usr_bob'))['data']).toEqual([])
})

it('gives sources of one kind and state one row', async ({ line }) => {
  const both = ['--user', 'usr_ada', '--user', 'usr_bob']
  const { id } = await line.json('feed', 'create', ...both, '--name', 'Who is away')
  const { output } = await line.run('explain', '--feed', id, '--kind', 'leave')
  expect(output).toMatch(/^.{16} +user +usr_ada and 1 more +Read at /m)
})

it('says so if no record touches the date', async ({ line }) => {
  const { output } = await line.run('explain', '--user', 'usr_ada', '--date', '2026-01-18')
  expect(output).toContain('No matching record has been read.')
})

it('refuses wrong usage in one sentence', async ({ line }) => {
  const refused = async (...words: readonly string[]) => {
    const { code, output, errors } = await line.run('explain', ...words)
    expect(output).toBe('')
    return [code, errors.split('\n')[0]]
  }
  expect(await refused()).toEqual([2, 'Give --user or --feed.'])
  expect(await refused('--feed', 'feed_x', '--company', 'main')).toEqual([
    2,
    '--company needs --user.',
  ])
  expect(await refused('--user', 'usr_ada', '--feed', 'feed_x')).toEqual([
    2,
    "Option '--user <id>' cannot be used with option '--feed <id>'.",
  ])
  expect(await refused('--feed', 'feed_x')).toEqual([1, 'There is no feed feed_x.'])
  expect(await refused('--user', 'usr_ada', '--date', 'friday')).toEqual([
    2,
    '--date: Must be a date such as 2026-01-05.',
  ])
  expect(await refused('--user', 'usr_ada', '--label', 'nope')).toEqual([
    1,
    'There is no link "nope" of that feed; there is default.',
  ])
  expect(await refused('--user', 'usr_mia', '--label', 'nope')).toEqual([
    1,
    '"usr_mia" has no feed of their own, so there is no link "nope".',
  ])
  expect(await refused('--user', 'usr_ada', '--company', 'nope')).toEqual([
    2,
    '--company: There is no company "nope"; there is main.',
  ])
})
