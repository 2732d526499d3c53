import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'

import { ask, end } from '../web/ask.ts'
import type { Served } from './honest-process.ts'

/** Polls the calendar again and again until the work is done. */
export async function pollDuring(calendar: string, work: () => Promise<void>): Promise<Served> {
  const client = startClient()
  try {
    const first = await ask<string>(client, { calendar })
    if (!/^200 BEGIN:VCALENDAR[^]*BEGIN:VEVENT/.test(first)) throw new Error(first)
    await work()
    return await ask<Served>(client, {})
  } finally {
    await end(client)
  }
}

function startClient(): ChildProcess {
  const file = path.join(import.meta.dirname, 'honest-process.ts')
  return spawn(process.execPath, [file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}
