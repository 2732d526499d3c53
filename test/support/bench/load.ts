import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'

import { ask, end } from '../web/ask.ts'
import type { Load, LoadResult } from './load-process.ts'

/** A process whose clients ask a server. */
export interface LoadGenerator {
  /** Ends when the last answer is there; throws where one is another than it must be. */
  put(load: Load): Promise<LoadResult>
  end(): Promise<void>
}

export function startLoad(): LoadGenerator {
  const child: ChildProcess = fork(path.resolve(import.meta.dirname, 'load-process.ts'))
  return {
    put: async (load) => {
      const result = await ask<LoadResult>(child, load)
      if (result.wrong.length > 0) throw new Error(`Answered with ${result.wrong.join(', ')}.`)
      return result
    },
    end: () => end(child),
  }
}
