/* What commands write, and what becomes of it where nobody takes it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { describe, expect, inject, it } from 'vitest'

import { createTerminal } from '../src/process/terminal.ts'
import { spawnProgram } from './support/bridge/program.ts'

/** A stream that takes everything, and says what it took. */
function taking(
  isTTY = false,
): Writable & { readonly isTTY: boolean; readonly taken: () => string } {
  let taken = ''
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      taken += String(chunk)
      done()
    },
  })
  return Object.assign(stream, { isTTY, taken: () => taken })
}

function failing(code: string): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  })
}

describe('the progress line', () => {
  it('never shares a line with other output', () => {
    const [output, errors] = [taking(), taking(true)]
    const { progress, print, warn } = createTerminal(output, errors)
    progress('Made', 1, 200)
    print('row')
    progress('Made', 2, 200)
    warn('Careful.')
    progress('Made', 200, 200)
    warn('Done.')
    const erase = '\r\u001B[K'
    expect(output.taken()).toBe('row\n')
    expect(errors.taken()).toBe(
      `${erase}Made 1 of 200${erase}${erase}Made 2 of 200${erase}Careful.\n${erase}Made 200 of 200\nDone.\n`,
    )
  })

  it('consists of lines of text without a terminal', () => {
    const errors = taking()
    const { progress, warn } = createTerminal(taking(), errors)
    for (const count of [1, 2, 100, 200]) progress('Made', count, 200)
    warn('Done.')
    expect(errors.taken()).toBe('Made 1 of 200\nMade 100 of 200\nMade 200 of 200\nDone.\n')
  })
})

it('the end is reported to a terminal, but not to a file', () => {
  for (const isTTY of [true, false]) {
    const [output, errors] = [taking(true), taking(isTTY)]
    createTerminal(output, errors).tellWatcher('Ended.')
    expect([output.taken(), errors.taken()]).toEqual(['', isTTY ? '\rEnded.\n' : ''])
  }
})

it('a full disk ends the run with a message; a reader that closes ends it silently', async () => {
  for (const [code, message] of [
    ['ENOSPC', 'Standard output cannot be written: no space left on device.'],
    ['EPIPE', undefined],
  ] as const) {
    const { print, flush, outputEnd } = createTerminal(failing(code), taking())
    print('row')
    expect((await flush())?.message).toBe(message)
    expect(outputEnd.aborted).toBe(true)
  }
})

it('the program fails if its output is lost, and ends quietly if it is not wanted', async () => {
  const folder = inject('temporaryFolder')
  const unread = spawnProgram(['--help'], { folder, environment: { NO_COLOR: '1' } })
  unread.stdout.destroy()
  const full = spawn(
    process.execPath,
    [path.resolve(import.meta.dirname, '../src/main.ts'), '--help'],
    { cwd: folder, stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] },
  )
  const ends = [unread, full].map(async (child) => {
    const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr!)])
    return [code, errors]
  })
  expect(await Promise.all(ends)).toEqual([
    [0, ''],
    [1, 'Standard output cannot be written: no space left on device.\n'],
  ])
})
