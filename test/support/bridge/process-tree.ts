/* A process and all that it has started, as Linux sees them. */
import { readFileSync } from 'node:fs'

export interface TreeUsage {
  readonly cpuMs: number
  readonly residentBytes: number
}

/** Linux counts processor time in hundredths of a second. */
const tickMs = 10
const pageBytes = 4096

/** Ids of the processes that this one has started. */
export function childrenOf(pid: number | undefined): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}

export function usageOfTree(pid: number | undefined): TreeUsage {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    // Fields 14, 15 and 24 of proc(5), the name being the second.
    const [user, system, resident] = [11, 12, 21].map((at) => Number(fields.split(' ')[at]))
    const rest = childrenOf(pid).map(usageOfTree)
    return {
      cpuMs: rest.reduce((sum, { cpuMs }) => sum + cpuMs, (user! + system!) * tickMs),
      residentBytes: rest.reduce((sum, it) => sum + it.residentBytes, resident! * pageBytes),
    }
  } catch {
    // It has ended meanwhile.
    return { cpuMs: 0, residentBytes: 0 }
  }
}
