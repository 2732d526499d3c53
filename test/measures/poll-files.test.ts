import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'

import { expect, it } from 'vitest'

const script = path.join(import.meta.dirname, 'poll-files.ts')

it('a cold poll runs few files of src/, and a warm poll runs fewer', async () => {
  // What V8 has compiled before it counts less precisely.
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  await exited
  const [first, cold, warm] = [...output.matchAll(/runs through (\d+) files/g)].map(([, files]) =>
    Number(files),
  )
  expect(errors).toBe('')
  expect(cold).toBeLessThan(first ?? 0)
  expect(warm).toBeLessThan(cold ?? 0)
  expect(output).toContain('A warm poll reads the database 1 time(s) and compiles 0 queries.')
})
