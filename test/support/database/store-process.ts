/* The process of a store node: opens the store, answers calls until it is let go. */
import { asAppError } from '../../../src/domain/errors.ts'
import { openStore, type Store } from '../../../src/store/open-store.ts'

/** A call of a port's method. */
export interface StoreCall {
  readonly id: number
  readonly port: Exclude<keyof Store, 'close' | 'time'>
  readonly method: string
  readonly values: readonly unknown[]
}

const store = await openStore(process.argv[2] ?? '')

process.on('message', (call: StoreCall) => void answer(call).then(send))
process.on('disconnect', () => void store.close())
send('ready')

async function answer({ id, port, method, values }: StoreCall): Promise<object> {
  try {
    const implementation = store[port]
    if (method === 'changeFeed') return { id, result: await appendToName(values) }
    return { id, result: await Reflect.get(implementation, method).apply(implementation, values) }
  } catch (error) {
    return { id, code: asAppError(error)?.code ?? String(error) }
  }
}

/** A change that comes from another process: what is added to the feed's name. */
async function appendToName([id, text]: readonly unknown[]): Promise<boolean> {
  const changed = await store.feeds.changeFeed(String(id), (feed) => ({
    ...feed,
    name: feed.name + String(text),
  }))
  return changed !== undefined
}

function send(message: unknown): void {
  process.send?.(message)
}
