/* Another node on the same database: a store in a process of its own, so that two of them truly meet. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

import type { StoreCall } from './store-process.ts'

/** A store in another process. */
export interface StoreNode {
  /** What the method of that port gives; fails with the error's code as its message. */
  call(port: StoreCall['port'], method: string, ...values: readonly unknown[]): Promise<unknown>
  /** Ends the process as a crash does. */
  kill(): Promise<void>
  close(): Promise<void>
}

interface Reply {
  readonly id: number
  readonly result?: unknown
  readonly code?: string
}

/** Opens the store at that address in a process of its own. */
export async function openStoreNode(url: string): Promise<StoreNode> {
  const program = path.join(import.meta.dirname, 'store-process.ts')
  const child = fork(program, [url], { serialization: 'advanced', execArgv: [] })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  await Promise.race([once(child, 'message'), failWithEnd(child)])
  child.on('message', ({ id, result, code }: Reply) => {
    if (code === undefined) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(code))
    waiting.delete(id)
  })
  let calls = 0
  const end = async (how: () => void): Promise<void> => {
    const exit = once(child, 'exit')
    how()
    await exit
  }
  return {
    call: (port, method, ...values) => {
      const call: StoreCall = { id: (calls += 1), port, method, values }
      const reply = Promise.withResolvers<unknown>()
      waiting.set(call.id, reply)
      child.send(call)
      return reply.promise
    },
    kill: () => end(() => child.kill('SIGKILL')),
    close: () => end(() => child.disconnect()),
  }
}

async function failWithEnd(child: ChildProcess): Promise<never> {
  await once(child, 'exit')
  throw new Error('The process of the store has ended.')
}
