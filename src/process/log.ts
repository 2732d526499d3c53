import pino, { type Logger } from 'pino'

import { withoutTokens } from '../domain/link.ts'

/** Lines of busy moments are written together: one by one each would cost as much as the answer that it tells of. */
const minLength = 16_000
/** In milliseconds; at the end all are written. */
const periodicFlush = 100

/**
 * The program's log: JSON lines on standard error. A feed's secret that finds its way into a line is blotted out,
 * so that no log ever opens a calendar.
 */
export function createLog(level: string): Logger {
  const stream = pino.destination({ dest: 2, sync: false, minLength, periodicFlush })
  return pino(
    {
      level,
      base: null,
      formatters: { level: (word) => ({ level: word }) },
      timestamp: timeField(),
      serializers: { error: pino.stdSerializers.err },
      hooks: { streamWrite: withoutTokens },
    },
    stream,
  )
}

/** RFC 3339; written anew once a millisecond, in which a busy program logs many lines. */
function timeField(): () => string {
  let at = 0
  let field = ''
  return () => {
    const now = Date.now()
    if (now !== at) {
      at = now
      field = `,"time":"${new Date(now).toISOString()}"`
    }
    return field
  }
}
