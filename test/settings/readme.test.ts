import { readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { bridgeTable } from '../../src/settings/bridge-table.ts'
import { companyTable } from '../../src/settings/company-table.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import { rowsOf } from '../../src/settings/setting.ts'

const settings = [...rowsOf(bridgeTable), ...rowsOf(companyTable)].flatMap((row) =>
  row.environmentName === null ? [] : [{ ...row, name: row.environmentName }],
)
const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8')
const [, table = ''] = /^\| key \| default \| meaning \|\n.*\n((?:\|.*\n)+)/m.exec(readme) ?? []

/** Keys that belong together share a row: their names and defaults separated by commas, their meanings by semicolons. */
const rows = table
  .trim()
  .split('\n')
  .map((line) => {
    const [keys = '', defaults = '', meaning = ''] = line.slice(2, -2).split(' | ')
    return { names: keys.replaceAll('`', '').split(', '), defaults, meaning }
  })

describe('the table of settings in README', () => {
  it('names each setting of the environment once, and nothing else', () => {
    expect(rows.flatMap(({ names }) => names).toSorted()).toEqual(
      settings.map(({ name }) => name).toSorted(),
    )
  })

  it.each(rows)(
    'says what holds where $names are not set, and what they mean',
    ({ names, defaults, meaning }) => {
      const described = names.flatMap((name) => settings.filter((row) => row.name === name))
      const otherwise = new Set(described.map((row) => row.otherwise))
      expect(defaults).toBe([...otherwise].join(', '))
      expect(meaning).toBe(described.map((row) => row.meaning).join('; '))
    },
  )
})

describe('what README says of several companies', () => {
  const [, section = ''] = /^### Several companies\n([^]*?)^#/m.exec(readme) ?? []

  it('is an example that can be used as it stands', () => {
    const [, example = ''] = /```json\n([^]*?)```/.exec(section) ?? []
    const { companies } = readSettings({ COMPANIES_FILE: 'example' }, () => example)
    expect(companies?.map(({ company }) => company.id)).toEqual(['north', 'south'])
  })

  it.each(Object.keys(companyTable.shape))('names the key %s', (key) => {
    expect(section).toContain(`\`${key}\``)
  })

  it('names the file of every secret', () => {
    for (const { name, isSecret } of settings) {
      expect(readme.includes(`\`${name}_FILE\``)).toBe(isSecret)
    }
  })
})

/* nginx writes the request line, and with it the secret, into its error log whenever the bridge does not answer; a request that
   it cannot read meets no location, and the server of its port that is the default. */
describe('what README says of nginx', () => {
  const [, recipe = ''] = /^ *```nginx\n([^]*?)```/m.exec(readme) ?? []
  const servers = recipe.split(/^ *server \{$/m).slice(1)

  it('redirects http, and serves https', () => {
    expect(servers.map((server) => /listen (\d+)/.exec(server)?.[1])).toEqual(['443', '80'])
  })

  it('keeps addresses out of every log', () => {
    for (const server of servers) {
      const [own = '', ...locations] = server.split(/^ *location /m)
      expect(own).toMatch(/^ *access_log off;$/m)
      expect(own).toMatch(/^ *error_log \/dev\/null;$/m)
      expect(own).toMatch(/^ *listen .* default_server;$/m)
      expect(locations.join('')).not.toMatch(/_log\b/)
    }
  })
})
