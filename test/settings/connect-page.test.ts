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
