import type { RecordCounts } from '../context.ts'

/** "12 users, 40 leaves". */
export function listCounts(counts: RecordCounts): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing'
}
