import { channel } from 'node:diagnostics_channel'

interface Connection {
  readonly bytesRead: number
}

/** How a connection was when a request went out on it. */
interface Sending {
  readonly connection: Connection
  readonly isFirst: boolean
  readonly bytesRead: number
}

/** Watches all requests of the program, since undici says in no other way which connections they take: once for all who make some. */
export class Connections {
  readonly #used = new WeakSet<Connection>()
  readonly #sendings = new WeakMap<object, Sending>()
  readonly #stale = new WeakSet()
  #openings = 0
  #ends: readonly (() => void)[] = []

  /** Begins to watch, unless somebody does. */
  open(): void {
    this.#openings += 1
    if (this.#openings > 1) return
    this.#ends = [
      listen('undici:client:sendHeaders', (message) => this.#noteSending(message)),
      listen('undici:request:error', (message) => this.#noteError(message)),
    ]
  }

  /** Ends that once nobody watches any more. */
  close(): void {
    this.#openings -= 1
    if (this.#openings === 0) for (const end of this.#ends) end()
  }

  /** Whether this is why a request failed: its connection had served others before and was lost before any byte of the answer came. */
  wentStale(error: unknown): boolean {
    return error instanceof Error && this.#stale.has(error)
  }

  #noteSending({ request, socket: connection }: Message): void {
    if (!connection) return
    const { bytesRead } = connection
    this.#sendings.set(request, { connection, isFirst: !this.#used.has(connection), bytesRead })
    this.#used.add(connection)
  }

  #noteError({ request, error }: Message): void {
    const sending = this.#sendings.get(request)
    if (!error || !sending || sending.isFirst) return
    if (sending.connection.bytesRead === sending.bytesRead) this.#stale.add(error)
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
