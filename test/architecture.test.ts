import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, test } from 'vitest'

interface Layer {
  readonly folders: readonly string[]
  /** Packages, and those of Node's own modules that are not free to all. */
  readonly packages: readonly string[]
}

/** The layers, lowest first: what each folder under src/ may import. */
const layers: Readonly<Record<string, Layer>> = {
  domain: { folders: [], packages: [] },
  wire: { folders: ['domain'], packages: ['zod'] },
  calendar: { folders: ['domain'], packages: ['luxon', 'ical-generator'] },
  database: { folders: [], packages: ['kysely', 'pg', 'node:sqlite', 'node:fs'] },
  web: { folders: ['domain'], packages: ['express'] },
  upstream: { folders: ['domain', 'wire'], packages: ['undici', 'zod'] },
  'workforce-api': {
    folders: ['domain', 'wire', 'database', 'web'],
    packages: ['express', 'kysely'],
  },
  store: { folders: ['domain', 'database'], packages: ['kysely'] },
  feeds: { folders: ['domain', 'calendar'], packages: ['zod'] },
  http: {
    folders: ['domain', 'feeds', 'web'],
    packages: [
      'express',
      'content-disposition',
      'helmet',
      'express-rate-limit',
      'eta',
      'qrcode',
      'zod',
    ],
  },
  cli: { folders: ['domain', 'feeds'], packages: ['commander', 'node:fs'] },
}

/** Node's own modules that only some may use; all others are free. */
const guardedModules = new Set([
  'node:fs',
  'node:http',
  'node:https',
  'node:http2',
  'node:sqlite',
  'node:net',
  'node:tls',
  'node:dgram',
  'node:child_process',
])
/** Those that nobody may use. */
const forbiddenModules = new Set(['node:net', 'node:tls', 'node:dgram', 'node:child_process'])
const linesMax = 250
const root = path.resolve(import.meta.dirname, '../src')

const sources = globSync('**/*.ts', { cwd: root }).map((file) => {
  const text = readFileSync(path.join(root, file), 'utf8')
  const targets = importedFrom(text)
  const local = targets.filter((it) => it.startsWith('.'))
  const isPages = file.startsWith(path.join('http', 'pages'))
  return {
    file,
    text,
    folder: folderOf(file),
    lines: text.split('\n').length,
    folders: local.map((it) => folderOf(path.join(path.dirname(file), it))),
    packages: targets
      .filter((it) => !it.startsWith('.'))
      .map(packageOf)
      .filter((it) => !it.startsWith('node:') || guardedModules.has(it))
      .filter((it) => !(isPages && it === 'node:fs')),
  }
})

/** Of value and type imports, re-exports, bare imports and dynamic ones. */
function importedFrom(text: string): readonly string[] {
  const found = text.matchAll(
    /^(?:import|export)\b[^'"]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\(\s*['"`]([^'"`]+)['"`]/gms,
  )
  return [...found].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')
}

function packageOf(target: string): string {
  if (target.startsWith('node:')) return target.split('/')[0] ?? target
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
}

function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '.'
}

test('every folder is a layer and every layer is a folder', () => {
  expect([...new Set(sources.map((it) => it.folder))].toSorted()).toEqual(
    ['.', ...Object.keys(layers)].toSorted(),
  )
})

test('the layers form a list: each imports only those before it', () => {
  const order = Object.keys(layers)
  for (const [name, { folders }] of Object.entries(layers)) {
    expect(order.slice(0, order.indexOf(name))).toEqual(expect.arrayContaining([...folders]))
  }
})

describe.each(sources)('src/$file', ({ file, text, folder, folders, packages, lines }) => {
  const layer = layers[folder]

  test('imports only what its layer may', () => {
    if (layer) {
      expect([folder, ...layer.folders]).toEqual(expect.arrayContaining(folders))
      expect(layer.packages).toEqual(expect.arrayContaining(packages))
    }
    expect(packages.filter((it) => forbiddenModules.has(it))).toEqual([])
  })

  test('imports no variable address', () => {
    expect(text).not.toMatch(/\bimport\((?!\s*['"`])/)
    expect(text).not.toMatch(/\brequire\(/)
  })

  test('reads process only at its edge, and the clock never in calendar/', () => {
    if (file !== 'main.ts') expect(text).not.toMatch(/\bprocess\.[a-z]/)
    if (folder === 'calendar')
      expect(text).not.toMatch(/Date\.now\(|new Date\(\)|DateTime\.(now|local|utc)\(/)
  })

  test('fits on a few screens', () => {
    expect(lines).toBeLessThanOrEqual(linesMax)
  })
})
