import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { CommandContext } from '../cli/context.ts'
import { createProgress } from '../cli/output.ts'
import { type AppError, cannot } from '../domain/errors.ts'

type Output = Writable & { readonly isTTY?: boolean }

export interface Terminal extends Pick<CommandContext, 'stream' | 'print' | 'warn' | 'progress'> {
  /** Writes to standard error if it is a terminal; overwrites the ^C there. */
  readonly tellWatcher: (text: string) => void
  /** Aborted, with the reason, as soon as standard output cannot be written. */
  readonly outputEnd: AbortSignal
  /** Waits until all output is written; returns the reason if it could not be. */
  readonly flush: () => Promise<AppError | undefined>
}

export function createTerminal(output: Output, errors: Output): Terminal {
  const ending = new AbortController()
  const progress = createProgress(errors.isTTY === true, (text) => void errors.write(text))
  let fault: AppError | undefined
  output.on('error', (cause) => {
    const said = cannot('Standard output cannot be written', cause)
    // A reader such as head may close the pipe early.
    if (!('code' in cause && cause.code === 'EPIPE')) fault ??= said
    ending.abort(said)
  })
  errors.on('error', () => undefined)
  const writeTo = (stream: Output, text: string): void => {
    progress.clear()
    stream.write(`${text}\n`)
  }
  return {
    // `outputEnd` and `flush` report write errors.
    stream: (parts) =>
      pipeline(Readable.from(parts), output, { end: false }).catch(() => undefined),
    print: (text) => writeTo(output, text),
    warn: (text) => writeTo(errors, text),
    tellWatcher: (text) => {
      if (errors.isTTY === true) writeTo(errors, `\r${text}`)
    },
    progress: progress.show,
    outputEnd: ending.signal,
    flush: async () => {
      await new Promise((resolve) => output.write('', resolve))
      // The error event follows the callback.
      await new Promise(setImmediate)
      return fault
    },
  }
}
