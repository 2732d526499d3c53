/*
 * Loaded before a program: tells, whenever it is asked, for how long at most its event loop has been held since it was asked
 * last, by the clock and, since other programs want the processor too, in time of the processor, and how large it has been.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** In milliseconds. */
export interface Held {
  readonly byClock: number
  readonly byProcessor: number
  /** Since it began. */
  readonly peakBytes: number
}

const everyMs = 2
const delay = monitorEventLoopDelay({ resolution: everyMs })
delay.enable()

let used = usedMs()
let most = 0
setInterval(() => {
  const now = usedMs()
  most = Math.max(most, now - used)
  used = now
}, everyMs).unref()

process.on('message', () => {
  const peakBytes = process.resourceUsage().maxRSS * 1024
  const held: Held = { byClock: delay.max / 1_000_000, byProcessor: most, peakBytes }
  process.send?.(held)
  delay.reset()
  most = 0
})

/** By the thread that the event loop runs on. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
