import type { Log } from '../../../src/domain/world.ts'

/** One thing that a log was told. */
export interface LogLine {
  readonly level: keyof Log
  readonly event: string
  readonly data: object
}

/** A log that appends to these lines. */
export function recordedLog(lines: LogLine[]): Log {
  const at =
    (level: keyof Log) =>
    (data: object, event: string): void => {
      lines.push({ level, event, data })
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
