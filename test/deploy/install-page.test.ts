import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

import { expect, it } from 'vitest'

import packageFile from '../../package.json' with { type: 'json' }
import { readSettings } from '../../src/settings/read-settings.ts'
import { deployed, imageEnvironment } from '../support/deploy/files.ts'
import { services, valuesOf } from '../support/deploy/units.ts'

const root = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/install.md'), 'utf8')

it('every file of deploy/ that a page names is there', () => {
  const pages = globSync('docs/*.md', { cwd: root })
  const named = pages.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/\bdeploy\/[\w./*-]*[\w*]/g)].map(
      String,
    ),
  )
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((file) => globSync(file, { cwd: root }).length === 0)).toEqual([])
})

it('every version of the image that is named is the one that is built', () => {
  const texts = [
    page,
    ...globSync('**/*', { cwd: path.join(root, 'deploy/docker'), exclude: ['secrets'] }).map(
      (file) => deployed(`docker/${file}`),
    ),
  ]
  const named = texts.flatMap((text) =>
    [...text.matchAll(/calendar-feed-bridge:(\d[\w.]*\w)/g)].map(([, version]) => version),
  )
  expect(named.length).toBeGreaterThan(3)
  expect(new Set(named)).toEqual(new Set([packageFile.version]))
})

it('the settings of the page and of the example are settings of the bridge', () => {
  const [, settings = ''] = /```sh\n( *PUBLIC_URL=[^]*?)```/.exec(page) ?? []
  const names = parseEnv(settings.replaceAll(/^ +/gm, ''))
  expect(readSettings(names, undefined, Object.keys(names))).toMatchObject({ trustProxy: 1 })
  const example = parseEnv(deployed('docker/bridge.env.example').replaceAll(/^#(?=\w+=)/gm, ''))
  expect(Object.keys(example)).toEqual(['WORKFORCE_BASE_URL', 'WORKFORCE_TIMEZONE'])
  expect(readSettings(example, undefined, Object.keys(example)).companies).toHaveLength(1)
})

it('the page and the units name the same account, folders and port', () => {
  for (const unit of services) {
    expect(page).toContain(
      `useradd --system --shell /usr/sbin/nologin ${valuesOf(unit, 'User')[0]}`,
    )
    expect(page).toContain(`cd ${valuesOf(unit, 'WorkingDirectory')[0]}`)
  }
  expect(page).toContain(
    `/var/lib/${valuesOf('calendar-feed-bridge-backup.service', 'StateDirectory')[0]}`,
  )
  const { port } = readSettings({})
  for (const file of ['nginx/calendar-feed-bridge.conf', 'caddy/Caddyfile']) {
    expect(deployed(file)).toContain(`127.0.0.1:${port}`)
  }
  expect(imageEnvironment()['PORT']).toBe(String(port))
})
