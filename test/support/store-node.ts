/* Another node on the same database: a store in a thread of its own, so that two of them truly meet. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import type { Store } from '../../src/store/open-store.ts'

/** A store in another thread. */
export interface StoreNode {
  /** What the method of that port gives; fails with the error's code as its message. */
  call(port: Exclude<keyof Store, 'close'>, method: string, ...values: unknown[]): Promise<unknown>
  close(): Promise<void>
}

/** Opens the store at that address in a thread of its own. */
export async function openStoreNode(url: string): Promise<StoreNode> {
  const worker = new Worker(new URL('store-worker.ts', import.meta.url), { workerData: url })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  await once(worker, 'message')
  worker.on('message', ({ id, result, code }) => {
    if (code === undefined) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(code))
    waiting.delete(id)
  })
  let calls = 0
  return {
    call: (port, method, ...values) => {
      const id = (calls += 1)
      const reply = Promise.withResolvers<unknown>()
      waiting.set(id, reply)
      worker.postMessage({ id, port, method, values })
      return reply.promise
    },
    close: async () => {
      worker.postMessage({ port: 'close' })
      await once(worker, 'exit')
    },
  }
}
