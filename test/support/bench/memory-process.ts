/* Loaded before a program that runs with --expose-gc: tells, whenever it is asked, what the process holds at rest. */
import { setTimeout as pause } from 'node:timers/promises'

const pauseMs = 250
const roundsMax = 20
/** Between two readings of a process at rest. */
const unrestMax = 256 * 1024

process.on('message', () => void settle().then((usage) => process.send?.(usage)))

/** Collects until the resident memory falls no more: what is given back to the system takes its time. */
async function settle(before = Number.POSITIVE_INFINITY, round = 1): Promise<NodeJS.MemoryUsage> {
  globalThis.gc?.()
  await pause(pauseMs)
  const usage = process.memoryUsage()
  if (before - usage.rss < unrestMax || round === roundsMax) return usage
  return settle(usage.rss, round + 1)
}
