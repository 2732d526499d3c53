import { readFileSync } from 'node:fs'

import { connectionsMaxUsual } from '../web/listen.ts'

/** For the database, Read APIs, mail and files, which are needed while all connections are taken, too. */
const otherFilesMax = 256

/**
 * Returns how many connections the server may take. With more, this process would reach its limit of open files and cut off
 * a new client instead of an idle one. `limits` is as in proc_pid_limits(5); Node has raised the limit in force as far as it
 * may. Without it, the usual number.
 */
export function connectionsWithin(limits = readLimits()): number {
  const filesMax = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity)
  const left = Math.max(filesMax - otherFilesMax, Math.floor(filesMax / 2))
  return Math.min(connectionsMaxUsual, left)
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    // Only Linux has it.
    return ''
  }
}
