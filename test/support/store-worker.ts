/* The thread of a store node: opens the store, answers calls until it is told to end. */
import { parentPort, workerData } from 'node:worker_threads'

import { asAppError } from '../../src/domain/errors.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'

const store = await openStore(String(workerData))

parentPort?.on('message', ({ id, port, method, values }) => {
  if (port === 'close') void store.close().then(() => parentPort?.close())
  else void answer(port, method, values).then((reply) => parentPort?.postMessage({ id, ...reply }))
})
parentPort?.postMessage('ready')

async function answer(port: keyof Store, method: string, values: unknown[]): Promise<object> {
  try {
    const stores = store[port]
    return { result: await Reflect.get(stores, method).apply(stores, values) }
  } catch (error) {
    return { code: asAppError(error)?.code ?? String(error) }
  }
}
