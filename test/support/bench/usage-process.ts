/* Loaded before a program: tells, whenever it is asked, what the program has used since it was asked last. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Times in milliseconds. */
export interface UsageTold {
  readonly cpuMs: number
  readonly ms: number
  readonly residentBytes: number
  readonly peakBytes: number
  readonly delayP99: number
  readonly delayMost: number
  /** Since the program began. */
  readonly unhandled: number
}

const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
let used = process.cpuUsage()
let asked = performance.now()
let unhandled = 0
process.on('unhandledRejection', () => (unhandled += 1))

/** What is only waiting to be collected is no growth. */
export interface UsageAsked {
  readonly atRest?: boolean
}

process.on('message', ({ atRest = false }: UsageAsked) => {
  if (atRest) collect()
  const { user, system } = process.cpuUsage(used)
  const now = performance.now()
  const told: UsageTold = {
    cpuMs: (user + system) / 1000,
    ms: now - asked,
    residentBytes: process.memoryUsage.rss(),
    peakBytes: process.resourceUsage().maxRSS * 1024,
    delayP99: delay.percentile(99) / 1_000_000,
    delayMost: delay.max / 1_000_000,
    unhandled,
  }
  delay.reset()
  used = process.cpuUsage()
  asked = now
  process.send?.(told)
})

function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc: NodeJS.GCFunction = runInNewContext('gc')
  // Gives back what it keeps in reserve, too.
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
