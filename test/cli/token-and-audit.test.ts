/* Further tokens and the audit on the command line, and that what is done there is noted. */
import { expect } from 'vitest'

import { startBridge } from '../support/bridge/bridge.ts'
import { it, runCommand } from '../support/bridge/command-line.ts'

it('At first the audit log is empty and there is no further token', async ({ line }) => {
  expect(await line.run('audit')).toEqual({
    code: 0,
    output: '',
    errors: 'The audit log is empty.\n',
  })
  expect(await line.json('audit')).toEqual({ data: [], nextCursor: null })
  expect((await line.run('token', 'list')).errors).toBe('There is only the admin token.\n')
})

it('A token is printed once, alone on standard output', async ({ line }) => {
  const made = await line.run('token', 'create', '--name', 'helpdesk', '--role', 'support')
  expect([made.code, made.errors]).toEqual([
    0,
    'Token "helpdesk" (support, all companies). It is not shown again.\n',
  ])
  expect(made.output).toMatch(/^cft_[\w-]{43}\n$/)
  const own = await line.json(
    'token',
    'create',
    '--name',
    'own',
    '--role',
    'reader',
    '--company',
    'main',
  )
  expect(own).toMatchObject({ name: 'own', role: 'reader', companyId: 'main' })
  const { output } = await line.run('token', 'list')
  expect(output).toMatch(/^NAME .*\nhelpdesk +support +all .* –\nown +reader +main .* –\n$/)
  expect(output).not.toContain('cft_')
  const again = await line.run('token', 'create', '--name', 'own', '--role', 'reader')
  expect([again.code, again.errors]).toEqual([1, 'There is a token "own" already.\n'])
  expect((await line.run('token', 'revoke', 'own')).output).toBe(
    'Token "own" for company "main" has ended.\n',
  )
  const gone = await line.run('token', 'revoke', 'own')
  expect([gone.code, gone.errors]).toEqual([1, 'There is no token "own".\n'])
})

it('Two companies can each have a token with the same name; revoking it then needs the company', async ({
  line,
}) => {
  const companies = ['north', 'south'].map((id) => ({
    id,
    baseUrl: 'http://127.0.0.1:9',
    timezone: 'Europe/Berlin',
  }))
  const environment = {
    DATABASE_URL: `file:${line.folder}/tokens.sqlite`,
    COMPANIES_FILE: await line.file('companies.json', JSON.stringify(companies)),
  }
  const token = async (...words: string[]): Promise<readonly [number, string]> => {
    const { code, errors } = await runCommand(environment, 'token', ...words)
    return [code, errors]
  }
  const job = ['create', '--name', 'job', '--role', 'reader', '--company']
  expect(await token(...job, 'south')).toEqual([
    0,
    'Token "job" (reader, south). It is not shown again.\n',
  ])
  const namesake = await token(...job, 'north')
  expect(namesake).toEqual([1, 'There is a token "job" already.\n'])
  const words = ['token', 'create', '--name', 'chief', '--role', 'admin', '--company', 'north']
  const { output: chief } = await runCommand(environment, ...words)
  const bridge = await startBridge({ environment })
  const made = await fetch(`${bridge.url}/api/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chief.trim()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'job', role: 'reader' }),
  })
  await bridge.close()
  expect(made.status).toBe(201)
  expect(await token('revoke', 'job')).toEqual([
    1,
    'Several companies have a token "job": name the company, too.\n',
  ])
  expect(await token('revoke', 'job', '--company', 'west')).toEqual([
    1,
    'There is no token "job".\n',
  ])
  expect(await token('revoke', 'job', '--company', 'south')).toEqual([0, ''])
  expect(await token('revoke', 'job')).toEqual([0, ''])
})

it.each([
  [['token', 'create', '--role', 'reader'], '--name'],
  [['token', 'create', '--name', 'x'], '--role'],
  [['token', 'create', '--name', 'x', '--role', 'owner'], 'reader, support, admin'],
  [['token', 'create', '--name', '..', '--role', 'reader'], 'one line of 1 to 100'],
  [['token', 'create', '--name', 'x', '--role', 'reader', '--company', 'mian'], '`main`'],
  [['audit', '--since', 'monday'], '2026-01-05'],
  [['audit', '--limit', '0'], 'at least 1'],
])('%j is wrong usage', async (words, said) => {
  const { code, output, errors } = await runCommand({}, ...words)
  expect([code, output]).toEqual([2, ''])
  expect(errors).toContain(said)
})

it('Each change to a feed is in the audit log once, with actor, person and link', async ({
  line,
}) => {
  const made = await line.json('feed', 'create', '--user', 'usr_ada')
  const { id } = made
  await line.run('feed', 'update', id, '--name', 'Work')
  await line.run('feed', 'link', id, '--label', 'phone')
  await line.run('feed', 'rotate', id, '--label', 'phone')
  await line.run('feed', 'revoke', id, '--label', 'default')
  await line.run('feed', 'link', id, '--label', 'phone')
  await line.run('feed', 'revoke', id)
  const { data } = await line.json('audit', '--feed', id)
  const about = {
    at: expect.stringMatching(/Z$/),
    actor: 'command-line',
    companyId: 'main',
    feedId: id,
    userIds: ['usr_ada'],
  }
  const done = [
    ['feed_revoked', null],
    ['link_ended', 'default'],
    ['link_rotated', 'phone'],
    ['link_created', 'phone'],
    ['feed_changed', null],
    ['feed_created', 'default'],
  ]
  expect(data).toEqual(done.map(([action, label]) => ({ ...about, action, label })))
  const lines = await line.run('audit', '--feed', made.links[0].page ?? '', '--limit', '2')
  expect(lines.errors).toContain('There are more entries')
  expect(lines.output).toMatch(
    new RegExp(
      `^AT \\(UTC\\).*\\n.* command-line +feed_revoked +main +${id} +usr_ada +–\\n.* link_ended .* default\\n$`,
    ),
  )
  expect((await line.run('audit', '--user', 'usr_bob')).errors).toBe('No matching entries.\n')
})

it('An erasure is in the audit log without the name', async ({ line }) => {
  await line.run('feed', 'create', '--user', 'usr_bob')
  await line.run('erase', '--user', 'usr_bob', '--dry-run')
  await line.run('erase', '--user', 'usr_bob')
  const { output } = await line.run('audit', '--json')
  const { data } = JSON.parse(output) as { data: { action: string }[] }
  expect(data.filter(({ action }) => action === 'person_erased')).toEqual([
    expect.objectContaining({ actor: 'command-line', companyId: 'main', userIds: [], label: null }),
  ])
  expect(output).not.toContain('usr_bob')
})
