import { brackets, type ScanPlace } from '../../json/scan.ts'
import type { FileOutline } from './file-outline.ts'
import type { Span, Spans } from './spans.ts'

/** In a file each record lies within its list and the company; a task lies within its list, too, and its project. */
const depths = { record: 2, member: 3, task: 4 } as const

/** Told what a scan meets within one of the file's lists. */
export interface ListListener {
  onKey(name: () => string, place: ScanPlace): void
  onBegin(byte: number, place: ScanPlace): void
  onEnd(place: ScanPlace): void
}

/** Notes where the records of a list stand. */
export class RecordsListener implements ListListener {
  readonly #records: Spans
  #start = 0

  constructor(records: Spans) {
    this.#records = records
  }

  onKey(): void {
    // What a record's members are called is nobody's matter here.
  }

  onBegin(_byte: number, { at, depth }: ScanPlace): void {
    if (depth === depths.record) this.#start = at
  }

  onEnd({ at, depth }: ScanPlace): void {
    if (depth === depths.record) this.#records.add({ start: this.#start, end: at })
  }
}

/** Notes where projects stand, and within them their tasks; is told of each project that has its tasks twice. */
export class ProjectsListener implements ListListener {
  readonly #outline: FileOutline
  readonly #projects: RecordsListener
  readonly #onTwice: (index: number) => void
  #first = 0
  /** Where the project's list of tasks stands. */
  #list: Span = nowhere
  #isInTasks = false
  #start = 0

  constructor(outline: FileOutline, onTwice: (index: number) => void) {
    this.#outline = outline
    this.#onTwice = onTwice
    this.#projects = new RecordsListener(outline.lists.projects)
  }

  onKey(name: () => string, { depth }: ScanPlace): void {
    if (depth === depths.member) this.#isInTasks = name() === 'tasks'
  }

  onBegin(byte: number, place: ScanPlace): void {
    this.#projects.onBegin(byte, place)
    const { at, depth } = place
    if (depth === depths.record) this.#beginProject()
    else if (!this.#isInTasks) return
    else if (depth === depths.member) this.#beginTasks(byte, at)
    else if (depth === depths.task) this.#start = at
  }

  onEnd(place: ScanPlace): void {
    this.#projects.onEnd(place)
    const { at, depth } = place
    if (depth === depths.record) this.#endProject()
    else if (!this.#isInTasks) return
    else if (depth === depths.task) this.#outline.tasks.add({ start: this.#start, end: at })
    else if (depth === depths.member) this.#list = { ...this.#list, end: at }
  }

  #beginProject(): void {
    this.#first = this.#outline.tasks.length
    this.#list = nowhere
    this.#isInTasks = false
  }

  /** What is no list is left in the project, where it is found. */
  #beginTasks(byte: number, at: number): void {
    if (this.#list !== nowhere) this.#onTwice(this.#outline.lists.projects.length)
    this.#outline.tasks.cut(this.#first)
    this.#isInTasks = byte === brackets.list[0]
    this.#list = this.#isInTasks ? { start: at, end: at } : nowhere
  }

  #endProject(): void {
    this.#outline.taskLists.add(this.#list)
    this.#outline.taskNumbers.add({ start: this.#first, end: this.#outline.tasks.length })
  }
}

const nowhere: Span = { start: 0, end: 0 }
