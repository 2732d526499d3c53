/* Loaded before a program: tells, whenever it is asked, for how long its event loop was held at most since it was asked before, and how large it has been. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()

process.on('message', () => {
  process.send?.({ longestMs: delay.max / 1e6, peakBytes: process.resourceUsage().maxRSS * 1024 })
  delay.reset()
})
