/* Locks of others, as backup tools, migrations and people at a prompt hold them. */
import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'

import pg from 'pg'

import { ask, end } from '../web/ask.ts'

/** Somebody else who uses the database. */
export interface Other {
  /** Takes locks by these statements and holds them. */
  lock(...statements: readonly string[]): Promise<void>
  release(): Promise<void>
  close(): Promise<void>
}

/** A process, or a connection, of its own. */
export function openOther(url: string): Promise<Other> {
  return url.startsWith('file:') ? openProcess(url.slice('file:'.length)) : openConnection(url)
}

async function openProcess(file: string): Promise<Other> {
  const script = path.resolve(import.meta.dirname, 'lock-process.ts')
  const child: ChildProcess = fork(script, [file])
  await ask(child, 'select 1')
  let isLocked = false
  const run = async (text: string): Promise<void> => void (await ask(child, text))
  const release = async (): Promise<void> => {
    if (isLocked) await run('rollback')
    isLocked = false
  }
  return {
    lock: async (...statements) => {
      for (const text of statements) await run(text)
      isLocked = true
    },
    release,
    close: () => end(child),
  }
}

async function openConnection(url: string): Promise<Other> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    lock: async (...statements) => {
      await client.query('begin')
      for (const text of statements) await client.query(text)
    },
    release: async () => void (await client.query('rollback')),
    close: () => client.end(),
  }
}
