import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { CommandContext } from '../cli/context.ts'
import { createProgress } from '../cli/output.ts'
import { type AppError, cannot } from '../domain/errors.ts'

type Output = Writable & { readonly isTTY?: boolean }

/** Where commands write. */
export interface Terminal extends Pick<CommandContext, 'stream' | 'print' | 'warn' | 'progress'> {
  /** Standard error, only where somebody watches it; stands in place of the ^C that the terminal shows. */
  readonly tellWatcher: (text: string) => void
  /** Aborted as soon as standard output cannot be written, by the error that says why. */
  readonly outputEnd: AbortSignal
  /** Waits until all is written, and gives why it could not be; a reader that wants no more, such as `head`, is no fault. */
  readonly flush: () => Promise<AppError | undefined>
}

/** Lines of commands are printable already, and files go out as they are. */
export function createTerminal(output: Output, errors: Output): Terminal {
  const ending = new AbortController()
  const progress = createProgress(errors.isTTY === true, (text) => void errors.write(text))
  let fault: AppError | undefined
  output.on('error', (cause) => {
    const said = cannot('Standard output cannot be written', cause)
    if (!isUnread(cause)) fault ??= said
    ending.abort(said)
  })
  // Who reads no sentences misses none.
  errors.on('error', () => undefined)
  const writeTo = (stream: Output, text: string): void => {
    progress.clear()
    stream.write(`${text}\n`)
  }
  return {
    // Why it could not be written is told by `outputEnd` and `flush`.
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
      // The event of an error comes after that.
      await new Promise(setImmediate)
      return fault
    },
  }
}

function isUnread(cause: Error): boolean {
  return 'code' in cause && cause.code === 'EPIPE'
}
