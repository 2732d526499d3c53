/*
 * A calendar program of somebody honest, at an address of its own, while others attack: a process of its own, so that what
 * the attack costs its own process delays nobody here. Told a calendar it begins to poll; told anything else it gives the result.
 */
import { setTimeout as pause } from 'node:timers/promises'

import { Agent, request } from 'undici'

export interface Served {
  readonly polls: number
  /** Whatever was not the calendar as it was at first. */
  readonly wrong: readonly string[]
  readonly longestMs: number
}

/** Not one of the attackers'. */
const localAddress = '127.0.0.2'
const everyMs = 100

const dispatcher = new Agent({ localAddress, pipelining: 0 })

let over = new AbortController()
let polling: Promise<Served> | undefined

process.on('message', (asked: { readonly calendar?: string }) => {
  void answer(asked).then((told) => process.send?.(told))
})
process.on('disconnect', () => process.exit())

async function answer({ calendar }: { readonly calendar?: string }): Promise<unknown> {
  if (calendar === undefined) {
    over.abort()
    return polling
  }
  over = new AbortController()
  const right = await poll(calendar)
  polling = pollOnAndOn(calendar, right, over.signal)
  return right
}

/** Each time by a new connection. */
async function pollOnAndOn(calendar: string, right: string, signal: AbortSignal): Promise<Served> {
  const wrong: string[] = []
  let polls = 0
  let longestMs = 0
  while (!signal.aborted) {
    const begun = performance.now()
    const found = await poll(calendar)
    longestMs = Math.max(longestMs, performance.now() - begun)
    polls += 1
    if (found !== right) wrong.push(found.slice(0, 200))
    await pause(everyMs)
  }
  return { polls, wrong, longestMs }
}

/** The status and the calendar, or why there is neither. */
async function poll(calendar: string): Promise<string> {
  try {
    const { statusCode, body } = await request(calendar, { dispatcher })
    return `${statusCode} ${await body.text()}`
  } catch (error) {
    return String(error)
  }
}
