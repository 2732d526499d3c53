/*
 * Clients that ask again as soon as they are answered, each on a connection that it keeps: written on sockets, so that they
 * take as little of the processor as can be from the server that is measured.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What is asked, for how long or how often. */
export interface Load {
  readonly port: number
  /** The heads of the requests, whole; all connections together walk through them, again and again. */
  readonly requests: readonly string[]
  readonly connections: number
  /** What every answer must be. */
  readonly status: number
  /** No request begins later than that, and none after as many. */
  readonly ms?: number
  readonly count?: number
}

/** What came of it. */
export interface LoadResult {
  readonly answers: number
  readonly ms: number
  /** The status lines of answers that are none of those that must be. */
  readonly wrong: readonly string[]
}

interface Run extends Load {
  readonly begun: number
  answers: number
  asked: number
  readonly wrong: string[]
}

process.on('message', (load: Load) => {
  void put(load).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())

async function put(load: Load): Promise<LoadResult> {
  const sockets = Array.from({ length: load.connections }, () => connect(load.port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket.setNoDelay(), 'connect')))
  const state: Run = { ...load, begun: performance.now(), answers: 0, asked: 0, wrong: [] }
  await Promise.all(sockets.map((socket) => askAgain(socket, state)))
  const ms = performance.now() - state.begun
  for (const socket of sockets) socket.destroy()
  return { answers: state.answers, ms, wrong: state.wrong.slice(0, 5) }
}

/** Until the time is over, or as many have been asked as are to be. */
function askAgain(socket: Socket, run: Run): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  /** What is still to come of the answer; undefined where its head is. */
  let missing: number | undefined
  const next = (): void => {
    const isOver =
      run.asked >= (run.count ?? Infinity) || performance.now() - run.begun > (run.ms ?? Infinity)
    if (isOver) return resolve()
    socket.write(run.requests[run.asked % run.requests.length] ?? '', 'latin1')
    run.asked += 1
  }
  socket.on('error', reject).on('close', () => reject(new Error('A connection was closed.')))
  socket.on('data', (bytes) => {
    missing = (missing ?? lengthOf(bytes, run)) - bytes.length
    if (missing > 0) return
    missing = undefined
    run.answers += 1
    next()
  })
  next()
  return promise
}

/** Of the whole answer that begins there; its head comes in one piece, since it is written in one. */
function lengthOf(bytes: Buffer, { status, wrong }: Run): number {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.toString('latin1', 0, end)
  if (!head.startsWith(`HTTP/1.1 ${status}`)) wrong.push(head.slice(0, head.indexOf('\r\n')))
  const length = status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
  return end + 4 + length
}
