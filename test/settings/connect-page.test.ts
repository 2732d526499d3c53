import { readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { readSettings } from '../../src/settings/read-settings.ts'
import { bridgeTable, companyTable, rowsOf } from '../../src/settings/tables.ts'

const settings = [...rowsOf(bridgeTable), ...rowsOf(companyTable)].flatMap((row) =>
  row.environmentName === null ? [] : [{ ...row, name: row.environmentName }],
)
const textOf = (page: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '../../docs', page), 'utf8')
const connect = textOf('connect.md')

describe('the section on several companies in docs/connect.md', () => {
  const [, section = ''] = /^## Several companies\n([^]*?)^#/m.exec(connect) ?? []

  it('has an example that can be used unchanged', () => {
    const [, example = ''] = /```json\n([^]*?)```/.exec(section) ?? []
    const { companies } = readSettings({ COMPANIES_FILE: 'example' }, () => Buffer.from(example))
    expect(companies?.map(({ company }) => company.id)).toEqual(['north', 'south'])
  })

  it.each(Object.keys(companyTable.shape))('names the key %s', (key) => {
    expect(section).toContain(`\`${key}\``)
  })

  it('names the file setting of every secret', () => {
    for (const { name, isSecret } of settings) {
      expect(connect.includes(`\`${name}_FILE\``)).toBe(isSecret)
    }
  })
})

/* nginx writes the request line, and with it the secret, into its error log whenever the bridge does not answer; a request that
   it cannot read meets no location, and the server of its port that is the default. */
describe('the nginx recipe in docs/install.md', () => {
  const [, recipe = ''] = /^ *```nginx\n([^]*?)```/m.exec(textOf('install.md')) ?? []
  const servers = recipe.split(/^ *server \{$/m).slice(1)

  it('redirects http and serves https', () => {
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
