/* Clients that mean harm, each from one of many addresses of this machine. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** One is a calendar client's, see `honest-client.ts`. */
const firstAttacker = 10
const attackers = 40
/** More than any request takes that is answered at all. */
const patienceMs = 90_000

let opened = 0

/** Connects from the next of the attackers' addresses; undefined if the server will not have it. */
export async function attack(url: string): Promise<Socket | undefined> {
  const { hostname: host, port } = new URL(url)
  opened += 1
  const localAddress = `127.0.0.${firstAttacker + (opened % attackers)}`
  const socket = connect({ host, port: Number(port), localAddress })
  // What the server cuts is no failure of the attack's.
  socket.on('error', () => undefined)
  const closed = once(socket, 'close').then(() => undefined)
  await Promise.race([once(socket, 'connect').catch(() => undefined), closed])
  return socket.destroyed ? undefined : socket
}

/** Sends all that, and gives everything that is answered until the connection ends; empty if it is cut without a word. */
export async function exchange(url: string, parts: Iterable<string | Uint8Array>): Promise<string> {
  const socket = await attack(url)
  if (!socket) return ''
  let answer = ''
  socket.setEncoding('latin1').on('data', (part) => {
    // The head and a little more is enough to judge by.
    if (answer.length < answerMost) answer += String(part)
  })
  socket.setTimeout(patienceMs, () => socket.destroy(new Error(silence)))
  const over = new AbortController()
  const closed = once(socket, 'close').catch((error: unknown) => {
    if (error instanceof Error && error.message === silence) throw error
  })
  const sent = send(socket, parts, over.signal)
  await closed.finally(() => over.abort())
  await sent
  return answer
}

const answerMost = 65_536
const silence = 'The server neither answers nor reads.'

async function send(
  socket: Socket,
  parts: Iterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  for (const part of parts) {
    if (signal.aborted || socket.writableEnded) return
    if (!socket.write(part)) await once(socket, 'drain', { signal }).catch(() => undefined)
  }
}

/** The status of an answer; undefined if there was none. */
export function statusOf(answer: string): number | undefined {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]
  return status === undefined ? undefined : Number(status)
}

/**
 * Sends the beginning of a request and then one drop after the other, each after a while, until the signal; begins again
 * whenever the server ends it. Gives what was answered, by status.
 */
export async function drip(
  url: string,
  { begin, drop, everyMs }: { begin: string; drop: (count: number) => string; everyMs: number },
  { over, answers }: { over: AbortSignal; answers: Map<number | undefined, number> },
): Promise<void> {
  const isOver = (): boolean => over.aborted
  while (!isOver()) {
    const socket = await attack(url)
    if (!socket) {
      await pause(everyMs)
      continue
    }
    let answer = ''
    socket
      .setEncoding('latin1')
      .on('data', (part) => (answer = (answer + String(part)).slice(0, answerMost)))
    socket.write(begin)
    const isOpen = (): boolean => socket.writable
    for (let count = 0; isOpen() && !isOver(); count += 1) {
      socket.write(drop(count))
      await pause(everyMs)
    }
    const status = statusOf(answer)
    if (!isOver()) answers.set(status, (answers.get(status) ?? 0) + 1)
    socket.destroy()
  }
}
