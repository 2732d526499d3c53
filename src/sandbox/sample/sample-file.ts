import type { CompanyLists } from '../loading/company-lists.ts'
import { sampleText } from './sample-text.ts'

/** A company file that is written as it is made. */
export interface SampleFile {
  /** Its text, part by part, once. */
  readonly parts: Iterable<string>
  /** How many records of each kind have been written. */
  counts(): Readonly<Record<string, number>>
}

/** The file of these lists, which are gone through once. */
export function sampleFile(lists: CompanyLists): SampleFile {
  const counts = new Map<string, number>()
  const add = (name: string, more: number): unknown =>
    counts.set(name, (counts.get(name) ?? 0) + more)
  const parts = sampleText(lists, (list, record) => {
    add(list, 1)
    if ('tasks' in record && Array.isArray(record.tasks)) add('tasks', record.tasks.length)
  })
  return { parts, counts: () => Object.fromEntries(counts) }
}
