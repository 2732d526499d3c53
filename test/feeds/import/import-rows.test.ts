import { expect, it } from 'vitest'

import { AppError, asAppError } from '../../../src/domain/errors.ts'
import { atRows, feedInputs } from '../../../src/feeds/bulk/feed-import.ts'
import { readCsv } from '../../../src/feeds/bulk/read-table.ts'

it.each([
  ['userId,timezon', 'timezone'],
  ['userId,local', 'locale'],
  ['userId,scheduleId', 'scheduleIds'],
  ['user', 'userId'],
])('the mistyped column in %j is rejected', async (header, meant) => {
  const records = await readCsv(`${header}\nx,y\n`.replace(/^user\nx,y/, 'user\nx'))
  await expect(feedInputs(records, undefined)).rejects.toThrow(`did you mean \`${meant}\`?`)
})

it('a column similar to one that is present, and an unknown column, are ignored', async () => {
  const records = await readCsv('userId,user,position,email\nusr_ada,x,y,z\n')
  await expect(feedInputs(records, 'main')).resolves.toHaveLength(1)
})

it.each([
  ['/0/locale', 'Must be en or de.', /^Row 2 \(usr_ada\), locale "fr": Must be en or de\.$/],
  [
    '/0/options',
    'Must be an object.',
    /^Row 2 \(usr_ada\), options: Is not JSON: .* straight quotes/,
  ],
  ['/1/options', 'Must be an object.', /^Row 3, options: Is JSON but not an object/],
  ['/1/options/leaves/x', 'No.', /^Row 3, options \(leaves\.x\): No\.$/],
])('a fault at %s names row, person, column and value', async (pointer, detail, says) => {
  const records = await readCsv('userId,locale,options\nusr_ada,fr,{“tasks”: 1}\n,,[1]\n')
  const error = new AppError('invalid', 'Wrong.', { faults: [{ pointer, detail }] })
  expect(asAppError(atRows(error, records))?.faults[0]?.detail).toMatch(says)
})

it.each([
  [
    'id;Mitarbeiter\n7;Ada\n',
    'The first line of the table needs a column userId; it has id, Mitarbeiter.',
  ],
  [
    'People 2026;\n;\nuserId;name\nusr_ada;A\n',
    'The first line of the table needs a column userId; it has People 2026.',
  ],
])('a table without its required column lists the columns it has: %j', async (text, sentence) => {
  const records = await readCsv(text)
  await expect(feedInputs(records, undefined)).rejects.toThrow(sentence)
})
