import type { CompanyLists } from '../loading/company-lists.ts'

/** Of one part, in characters; a longer record is one by itself. */
const partLength = 65_536

/** The text of a company file, part by part, each record written when its turn comes; `onRecord` is told its list. */
export function* sampleText(
  lists: CompanyLists,
  onRecord: (list: string, record: object) => void,
): Generator<string> {
  let part = ''
  for (const piece of pieces(lists, onRecord)) {
    part += piece
    if (part.length < partLength) continue
    yield part
    part = ''
  }
  yield part
}

/** Indented by two, as `JSON.stringify` does it. */
function* pieces(
  lists: CompanyLists,
  onRecord: (list: string, record: object) => void,
): Generator<string> {
  let before = '{\n'
  for (const [name, records] of Object.entries(lists)) {
    yield `${before}  "${name}": [`
    let between = '\n'
    for (const record of records) {
      onRecord(name, record)
      yield between + indented(record)
      between = ',\n'
    }
    yield '\n  ]'
    before = ',\n'
  }
  yield '\n}\n'
}

function indented(record: object): string {
  return `    ${JSON.stringify(record, null, 2).replaceAll('\n', '\n    ')}`
}
