import fc from 'fast-check'
import { expect, it } from 'vitest'

import { decodeTable, readCsv } from '../../../src/feeds/bulk/read-table.ts'
import { readCell, writeCsv } from '../../../src/feeds/bulk/write-table.ts'

const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
const separators = ['\u0085', ',', ';', '|', '\t', '\r', '\n', '\u2028']

const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom("'", '"', ...signs, ...separators, ' ', 'a', '0', '007', '\uFEFF'),
  }),
)

it.each(['plain', 'excel'] as const)(
  'a table written as %s is read back unchanged, whatever it contains',
  async (form) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), async (rows) => {
        const text = writeCsv(
          ['one', 'two'],
          rows.map(([one, two]) => [`x${one}`, two]),
          form,
        )
        const table = await readCsv(decodeTable(Buffer.from(text), 'It'))
        const read = table.map(({ cells: { one = '', two = '' } }) => [
          readCell(one).slice(1),
          readCell(two),
        ])
        expect(read).toEqual(rows)
      }),
      { numRuns: 1000 },
    )
  },
)

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "'=1", "''-", '＝1+1', ' =1', '"=1'])(
  'no spreadsheet runs %j as a formula',
  async (text) => {
    const [record] = await readCsv(writeCsv(['cell'], [[text]]))
    expect(record?.cells['cell']).toMatch(/^'/)
    expect(readCell(record?.cells['cell'] ?? '')).toBe(text)
  },
)

it('no written cell begins like a formula', async () => {
  await fc.assert(
    fc.asyncProperty(cell, async (text) => {
      const [record] = await readCsv(writeCsv(['x', 'cell'], [['x', text]]))
      expect(record?.cells['cell'] ?? '').not.toMatch(/^[=+\-@\t\r＝＋－＠]/)
    }),
    { numRuns: 1000 },
  )
})

it.each(['plain', 'excel'] as const)(
  'no part of a %s table begins like a formula, however a spreadsheet splits it',
  (form) => {
    fc.assert(
      fc.property(cell, cell, (one, other) => {
        const table = writeCsv(['one', 'other'], [[one, other]], form)
        for (const part of table.split(/[,;|\t\r\n\u2028]/)) {
          expect(part).not.toMatch(/^[ "]*[=+\-@＝＋－＠]/)
        }
      }),
      { numRuns: 300 },
    )
  },
)

it('text that a spreadsheet may split is quoted', () => {
  const cells = separators.map((text) => `a${text}b`)
  const lines = writeCsv(
    ['one', 'other'],
    [...cells, 'Smith;=1+1', 'a"b'].map((text) => [text, 'x']),
  )
  expect(lines).toBe(
    ['one,other', ...cells.map((text) => `"${text}",x`), `"Smith;'=1+1",x`, '"a""b",x', ''].join(
      '\r\n',
    ),
  )
})

it('a table with two columns of the same name is rejected', async () => {
  await expect(readCsv('userId,name, name\nusr_ada,A,B\n')).rejects.toThrow(/two columns name/)
})

it.each([
  ['a byte order mark', '\uFEFFuserId,name\nusr_ada,Ada\n'],
  ['semicolons', 'userId;name\nusr_ada;Ada\n'],
  ['line feeds and carriage returns', 'userId,name\r\nusr_ada,Ada\r\n'],
  ['no line break at its end', 'userId,name\nusr_ada,Ada'],
  ['empty lines', '\nuserId,name\n\nusr_ada,Ada\n,\n\n'],
  ['spaces in its header', ' userId , name \nusr_ada,Ada\n'],
  ['tabs', 'userId\tname\r\nusr_ada\tAda\r\n'],
  ['a comma in the header between semicolons', 'userId;name;"Last, first"\nusr_ada;Ada;\n'],
  ['a line for Excel before its header', '\uFEFFsep=;\r\nuserId;name\r\nusr_ada;Ada\r\n'],
  ['the empty cells left out at the end of a row, as Excel does', 'userId,name,x\nusr_ada,Ada\n'],
  ['empty cells behind its last column', 'userId,name\nusr_ada,Ada,,\n'],
])('a table with %s is read', async (_, text) => {
  expect(await readCsv(text)).toMatchObject([{ cells: { userId: 'usr_ada', name: 'Ada' } }])
})

it.each(['\n', '\r\n', '\r'])('columns are counted per row with the line end %j', async (end) => {
  const table = `userId${','.repeat(59)}${end}${`"a${end}b"${',x'.repeat(59)}${end}`.repeat(3)}`
  await expect(readCsv(table)).resolves.toHaveLength(3)
  await expect(readCsv(`${table}${','.repeat(100)}`)).rejects.toThrow(
    /more than 100 columns in row 5/,
  )
})

it.each(['a,b\n"1,2\n', 'a,b\n"1"2,3\n', 'a,b\n1,2,3\n'])('%j is not valid CSV', async (text) => {
  await expect(readCsv(text)).rejects.toThrow(/not valid CSV/)
})

it('every row with more cells than the header is reported with its row number', async () => {
  await expect(readCsv('a,b\n1,2,3\n1,2\n1,2,3,4\n')).rejects.toThrow(
    expect.objectContaining({
      faults: [
        { pointer: '/0', detail: expect.stringMatching(/^Row 2 has 3 cells, the header 2: /) },
        { pointer: '/2', detail: expect.stringMatching(/^Row 4 has 4 cells/) },
      ],
    }),
  )
})

it('rows count as in spreadsheets: a cell of several lines and an empty line are one each', async () => {
  const rows = await readCsv('\nUSERID , Name\nusr_ada,"A\nB"\n\n,\nusr_bob,Bob\n')
  expect(rows).toEqual([
    { row: 3, cells: { userId: 'usr_ada', name: 'A\nB' } },
    { row: 6, cells: { userId: 'usr_bob', name: 'Bob' } },
  ])
})

it.each(['', 'x'.repeat(70_000)])('an unclosed quote is reported with its line', async (more) => {
  await expect(readCsv(`a,b\n1,2\n3,"4\n5,6\n${more}`)).rejects.toThrow(
    /begins in line 3 has an unclosed quote/,
  )
})

it('an Excel workbook is rejected', () => {
  const bytes = Buffer.from('PK\u0003\u0004 and so on')
  expect(() => decodeTable(bytes, 'It')).toThrow('It is an Excel workbook: save it as CSV.')
})

it('a table in another encoding is rejected', () => {
  const utf16 = ['userId\nx\n', '\uFEFFuserId\nx\n'].map((text) => Buffer.from(text, 'utf16le'))
  for (const bytes of [...utf16, Buffer.from('Zoë', 'latin1'), Buffer.from('a\0b')]) {
    expect(() => decodeTable(bytes, 'The file x')).toThrow(
      'The file x is not UTF-8: save it as CSV UTF-8.',
    )
  }
})

it('a quote within a cell gets its own message with its line', async () => {
  await expect(readCsv('a,b\n1,2\n"3"4,5\n')).rejects.toThrow(/begins in line 3 has a quote within/)
})
