import fc from 'fast-check'
import { expect, it } from 'vitest'

import { readCell, readCsv, writeCsv } from '../../../src/feeds/import/csv.ts'

const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', 'a'),
  }),
)

it('what is written is read back, whatever stands in it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
      const table = readCsv(
        writeCsv(
          ['one', 'two'],
          rows.map(([one, two]) => [`x${one}`, two]),
        ),
      )
      const read = table.map(({ cells }) => [cells['one']?.slice(1), readCell(cells['two'] ?? '')])
      expect(read).toEqual(rows)
    }),
    { numRuns: 1000 },
  )
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "'=1", "''-"])(
  'no spreadsheet runs %j',
  (text) => {
    const [record] = readCsv(writeCsv(['cell'], [[text]]))
    expect(record?.cells['cell']).toMatch(/^'/)
    expect(readCell(record?.cells['cell'] ?? '')).toBe(text)
  },
)

it('no cell that is written begins as a formula does', () => {
  fc.assert(
    fc.property(cell, (text) => {
      const [record] = readCsv(writeCsv(['x', 'cell'], [['x', text]]))
      expect(record?.cells['cell'] ?? '').not.toMatch(/^[=+\-@\t\r]/)
    }),
    { numRuns: 1000 },
  )
})

it('two columns of one name are no table', () => {
  expect(() => readCsv('userId,name, name\nusr_ada,A,B\n')).toThrow(/two columns name/)
})

it.each([
  ['a byte order mark', '\uFEFFuserId,name\nusr_ada,Ada\n'],
  ['semicolons', 'userId;name\nusr_ada;Ada\n'],
  ['line feeds and carriage returns', 'userId,name\r\nusr_ada,Ada\r\n'],
  ['no line break at its end', 'userId,name\nusr_ada,Ada'],
  ['empty lines', '\nuserId,name\n\nusr_ada,Ada\n,\n\n'],
  ['spaces in its header', ' userId , name \nusr_ada,Ada\n'],
])('a table with %s is read', (_, text) => {
  expect(readCsv(text).map(({ cells }) => ({ ...cells }))).toEqual([
    { userId: 'usr_ada', name: 'Ada' },
  ])
})

it.each(['a,b\n1\n', 'a,b\n"1,2\n', 'a,b\n1,2,3\n'])('%j is no table', (text) => {
  expect(() => readCsv(text)).toThrow(/not valid CSV/)
})
