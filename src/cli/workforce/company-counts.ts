import type { RecordCounts } from '../context.ts'

/** "12 users, 1 leave". */
export function listCounts(counts: RecordCounts): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return (
    some
      .map(([name, count]) => `${count} ${count === 1 ? name.replace(/s$/, '') : name}`)
      .join(', ') || 'nothing'
  )
}
