/* A desktop session for one client: its folders, and the processes that it starts. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { inject } from 'vitest'

export interface Session {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Kills its remaining processes. */
  end(): void
}

/** The folder's path is short, since it contains sockets. */
export function openSession(name: string): Session {
  const folder = mkdtempSync(path.join(inject('temporaryFolder'), `${name}-`))
  const made = (part: string): string => {
    const full = path.join(folder, part)
    mkdirSync(full, { mode: 0o700 })
    return full
  }
  const runtime = made('run')
  const environment = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: folder,
    LANG: 'C.UTF-8',
    XDG_RUNTIME_DIR: runtime,
    XDG_CONFIG_HOME: made('config'),
    XDG_DATA_HOME: made('data'),
    XDG_CACHE_HOME: made('cache'),
    QT_QPA_PLATFORM: 'offscreen',
    PYTHONDONTWRITEBYTECODE: '1',
  }
  const end = (): void => {
    for (const pid of readdirSync('/proc').filter((it) => /^\d+$/.test(it))) {
      if (isOf(pid, `XDG_RUNTIME_DIR=${runtime}`)) kill(Number(pid))
    }
  }
  return { folder, environment, end }
}

function isOf(pid: string, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)
  } catch {
    // The process has ended.
    return false
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended.
  }
}
