import { channel } from 'node:diagnostics_channel'

import type { Exchanged } from './exchange.ts'

export interface Attempts {
  /** Makes the attempt and, once more at once, if a kept connection had ended unnoticed and the operation's last attempt had succeeded. */
  make(operation: string, attempt: () => Promise<Exchanged>): Promise<Exchanged>
  close(): void
}

/** Attempts of operations, of which a second one is never made on top of a failure. */
export function createAttempts(): Attempts {
  const connections = watchConnections()
  /** Operations whose last attempt was answered 200. */
  const succeeding = new Set<string>()

  async function make(operation: string, attempt: () => Promise<Exchanged>): Promise<Exchanged> {
    const once = async (): Promise<Exchanged> => noted(operation, await attempt())
    try {
      return await once()
    } catch (error) {
      const hadSucceeded = succeeding.delete(operation)
      if (!hadSucceeded || !connections.wentStale(error)) throw error
      return once()
    }
  }

  function noted(operation: string, exchanged: Exchanged): Exchanged {
    if (exchanged.answer.status === 200) succeeding.add(operation)
    else succeeding.delete(operation)
    return exchanged
  }

  return { make, close: () => connections.close() }
}

interface WatchedConnections {
  /** Whether this is why a request failed: its connection had served others before and was lost before any byte of the answer came. */
  wentStale(error: unknown): boolean
  close(): void
}

interface Connection {
  readonly bytesRead: number
}

/** How a connection was when a request went out on it. */
interface Sending {
  readonly connection: Connection
  readonly isFirst: boolean
  readonly bytesRead: number
}

/** Watches all requests of the program, since undici says in no other way which connections they take. */
function watchConnections(): WatchedConnections {
  const used = new WeakSet<Connection>()
  const sendings = new WeakMap<object, Sending>()
  const stale = new WeakSet()
  const ends = [
    listen('undici:client:sendHeaders', ({ request, socket: connection }) => {
      if (!connection) return
      const { bytesRead } = connection
      sendings.set(request, { connection, isFirst: !used.has(connection), bytesRead })
      used.add(connection)
    }),
    listen('undici:request:error', ({ request, error }) => {
      const sending = sendings.get(request)
      if (!error || !sending || sending.isFirst) return
      if (sending.connection.bytesRead === sending.bytesRead) stale.add(error)
    }),
  ]
  return {
    wentStale: (error) => error instanceof Error && stale.has(error),
    close: () => ends.forEach((end) => end()),
  }
}

/** What undici says of a request: its connection when it is sent, its error when it has failed. */
interface Message {
  readonly request: object
  readonly socket?: Connection
  readonly error?: object
}

/** Listens to undici; gives what ends it. */
function listen(name: string, hear: (message: Message) => void): () => void {
  const source = channel(name)
  const listener = (message: unknown): void => {
    if (isOfRequest(message)) hear(message)
  }
  source.subscribe(listener)
  return () => source.unsubscribe(listener)
}

function isOfRequest(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'request' in message
}
