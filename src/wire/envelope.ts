import { z } from 'zod'

/** The body of a list answer, its records not yet read: each is decoded on its own. */
export const listEnvelope = z.looseObject({ data: z.array(z.unknown()) })

/** The body of a single-record answer, from a record that is JSON text already. */
export function recordBody(record: string): string {
  return `{"data":${record}}`
}
