import { AppError } from '../../domain/errors.ts'
import { meantOrAll } from '../../domain/nearest.ts'
import { placeAt } from '../../json/first-fault.ts'
import { brackets, NotJson, Scan, type ScanListener, type ScanPlace } from '../../json/scan.ts'
import { isSpace } from '../../json/tokens.ts'
import type { FaultList } from './fault-list.ts'
import { emptyOutline, type FileList, fileLists, type FileOutline } from './file-outline.ts'
import { type ListListener, ProjectsListener, RecordsListener } from './list-listeners.ts'

/** Between two rests. */
const restBytes = 16_384
/** More would leave no room in memory for what is known of each. */
const recordsMax = 5_000_000
/** What lies deeper within itself cannot be written again. */
const depthMax = 500

/** A company file, not yet read. */
export interface CompanyText {
  /** What sentences call it. */
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * Where in the file its records stand; notes what is no company file at all. `invalid` with line and column for what is no
 * JSON, `too_large` for more records than there is room for. Yields now and then how many bytes have been looked at.
 */
export function* outlineFile(
  { name, bytes }: CompanyText,
  faults: FaultList,
): Generator<number, FileOutline> {
  const outline = emptyOutline()
  const scan = new Scan(bytes, new FileListener(bytes, outline, faults))
  try {
    for (let restAt = restBytes; scan.step();) {
      if (scan.at < restAt) continue
      restAt = scan.at + restBytes
      refuseMany(name, outline)
      yield scan.at
    }
    refuseMany(name, outline)
    return outline
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    if (bytes.every(isSpace)) throw new AppError('invalid', `${name} is empty.`, { cause: error })
    const { line, column } = placeAt(bytes, scan.at)
    const where = scan.at === bytes.length ? 'it ends' : 'it goes wrong'
    const says = `${name} is not JSON: ${where} at line ${line}, column ${column}.`
    throw new AppError('invalid', says, { cause: error })
  }
}

function refuseMany(name: string, { lists, tasks }: FileOutline): void {
  const records = Object.values(lists).reduce((sum, { length }) => sum + length, tasks.length)
  if (records <= recordsMax) return
  throw new AppError('too_large', `${name} has more than ${recordsMax} records.`)
}

/** Looks at the lists of a company. */
class FileListener implements ScanListener {
  readonly #bytes: Uint8Array
  readonly #outline: FileOutline
  readonly #faults: FaultList
  #member = ''
  readonly #members = new Set<FileList>()
  #list: ListListener | undefined

  constructor(bytes: Uint8Array, outline: FileOutline, faults: FaultList) {
    this.#bytes = bytes
    this.#outline = outline
    this.#faults = faults
  }

  onKey(start: number, place: ScanPlace): void {
    const nameOf = (): string => String(JSON.parse(this.#textOf(start, place.at)))
    if (place.depth === 1) this.#member = nameOf()
    else this.#list?.onKey(nameOf, place)
  }

  onBegin(byte: number, place: ScanPlace): void {
    const { depth } = place
    if (depth > depthMax) this.#refuse([this.#member], expected(`at most ${depthMax} levels`))
    if (depth === 0 && byte !== brackets.object[0])
      this.#refuse([], expected('object, such as {"users": […]}'))
    if (depth === 1) this.#list = this.#beginMember(byte === brackets.list[0])
    else this.#list?.onBegin(byte, place)
  }

  onEnd(place: ScanPlace): void {
    this.#list?.onEnd(place)
  }

  #beginMember(isList: boolean): ListListener | undefined {
    const name = fileLists.find((list) => list === this.#member)
    if (!name) this.#refuseMember()
    else if (!isList) this.#faults.add([name], expected('array'))
    else if (this.#members.has(name)) this.#refuseTwice([name])
    else return this.#listen(name)
    return undefined
  }

  #listen(name: FileList): ListListener {
    this.#members.add(name)
    if (name !== 'projects') return new RecordsListener(this.#outline.lists[name])
    return new ProjectsListener(this.#outline, (index) =>
      this.#refuseTwice(['projects', index, 'tasks']),
    )
  }

  #refuseMember(): void {
    const name = this.#member
    const detail = (): string =>
      `Invalid input: there is no such list${meantOrAll(name, fileLists)}`
    this.#faults.add([name], detail)
  }

  /** One of the two would be lost without a word. */
  #refuseTwice(path: readonly PropertyKey[]): void {
    this.#faults.add(path, 'Invalid input: this list stands here a second time')
  }

  /** What comes after that is of no use. */
  #refuse(path: readonly string[], detail: string): void {
    this.#faults.add(path, detail)
    this.#faults.refuse()
  }

  #textOf(start: number, end: number): string {
    return Buffer.from(this.#bytes.subarray(start, end)).toString()
  }
}

function expected(type: string): string {
  return `Invalid input: expected ${type}`
}
