/* A company and its defaults on the command line. */
import { expect } from 'vitest'

import { it, runCommand } from '../support/bridge/command-line.ts'

it('defaults are shown, tried, set and removed', async ({ line }) => {
  await line.json('feed', 'create', '--user', 'usr_ada')
  await line.json('feed', 'create', '--user', 'usr_bob', '--name', 'Bob', '--locale', 'en')
  const none = { locale: null, name: null, own: {}, others: {} }
  const shown = await line.json('company', 'show')
  expect(shown).toMatchObject({ id: 'main', defaults: none, openFeeds: 2 })
  const defaults = '{"locale": "de", "name": "{firstName}: Dienste"}'
  const tried = await line.run('company', 'set', '--defaults', defaults, '--dry-run')
  expect([tried.code, tried.output.split('\n').at(-2)]).toEqual([
    0,
    'Would reach 1 of 2 open feeds, each at its next poll.',
  ])
  expect(await line.json('company', 'show', 'main')).toEqual(shown)
  const set = await line.run('company', 'set', 'main', '--defaults', defaults)
  expect(set.output).toMatch(/default name +\{firstName\}: Dienste/)
  expect(set.output).toMatch(/\nReaches 1 of 2 open feeds, each at its next poll.\n$/)
  const found = await line.json('feed', 'list', '--search', 'dienste')
  expect(found.data).toMatchObject([{ name: 'Ada: Dienste', locale: 'de', ownOptions: {} }])
  const people = await line.json('people', '--search', 'usr_ada')
  expect(people.data).toMatchObject([{ feeds: [{ name: 'Ada: Dienste' }] }])
  const { output } = await line.run('audit')
  expect(output).toContain('defaults_changed')
  const removed = await line.json('company', 'set', '--defaults', '{"locale": null, "name": null}')
  expect(removed).toMatchObject({ defaults: none, reachedFeeds: 1 })
})

it('names the place of each fault', async ({ line }) => {
  const wrong = await line.run('company', 'set', '--defaults', '{"own": {"leaves": {"detail": 1}}}')
  expect([wrong.code, wrong.errors]).toEqual([
    2,
    '--defaults (own.leaves.detail): Must be absent or type or full.\n',
  ])
  const unknown = await line.run('company', 'show', 'mian')
  expect([unknown.code, unknown.errors]).toEqual([
    1,
    'There is no company "mian"; did you mean `main`?\n',
  ])
})

it('needs the id of the company if there are several', async ({ line }) => {
  const companies = ['north', 'south'].map((id) => ({
    id,
    baseUrl: 'http://127.0.0.1:9',
    timezone: 'Europe/Berlin',
  }))
  const environment = {
    DATABASE_URL: `file:${line.folder}/companies.sqlite`,
    COMPANIES_FILE: await line.file('companies.json', JSON.stringify(companies)),
  }
  const { code, errors } = await runCommand(environment, 'company', 'show')
  expect([code, errors]).toEqual([2, 'Give the id of the company, one of north, south.\n'])
})
