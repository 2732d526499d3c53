/* The house: which room may open which door. */
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { type Import, readSourceFiles, type SourceFile } from './support/bridge/source-files.ts'

interface Layer {
  /** Folders, and single files of others. */
  readonly folders: readonly string[]
  /** Packages, and those of Node's own modules that are not free to all. */
  readonly packages: readonly string[]
}

const useCases = ['copies', 'people', 'publishing', 'feeds', 'activity', 'access', 'examination']

/** What each folder of src/ may import, lowest first: each only those that stand before it. `process` is its edge, and `.` the process itself. */
const layers: Readonly<Record<string, Layer>> = {
  domain: { folders: [], packages: [] },
  json: { folders: [], packages: [] },
  text: { folders: [], packages: [] },
  wire: { folders: ['domain', 'json', 'text'], packages: ['zod'] },
  calendar: {
    folders: ['domain', 'text'],
    packages: ['luxon', 'ical-generator', 'date-holidays', 'node:module'],
  },
  database: {
    folders: ['domain/errors.ts', 'domain/migration-plan.ts'],
    packages: ['kysely', 'pg', 'node:sqlite', 'node:fs'],
  },
  web: {
    folders: ['domain'],
    packages: ['express', 'ipaddr.js', 'helmet', 'eta', 'node:fs', 'node:http', 'node:https'],
  },
  transport: { folders: ['domain'], packages: ['undici', 'p-queue', 'ipaddr.js'] },
  'read-api': {
    folders: ['domain', 'json', 'wire', 'transport'],
    packages: ['p-queue', 'node:worker_threads'],
  },
  settings: { folders: ['domain', 'json', 'calendar'], packages: ['zod'] },
  sandbox: {
    folders: ['domain', 'json', 'wire', 'database', 'web', 'settings'],
    packages: ['express', 'kysely', 'zod'],
  },
  store: { folders: ['domain', 'json', 'text', 'database'], packages: ['kysely', 'zod'] },
  copies: { folders: ['domain', 'json'], packages: ['p-queue'] },
  people: { folders: ['domain', 'copies'], packages: [] },
  publishing: {
    folders: ['domain', 'json', 'calendar', 'copies', 'people'],
    packages: ['p-queue'],
  },
  feeds: {
    folders: ['domain', 'json', 'text', 'calendar', 'copies', 'people', 'publishing'],
    packages: ['zod', 'csv-parse', 'p-queue'],
  },
  activity: { folders: ['domain'], packages: [] },
  access: {
    folders: ['domain', 'text', 'web/pages/templates.ts', 'people', 'feeds'],
    packages: ['openid-client', 'nodemailer', 'zod'],
  },
  examination: { folders: ['domain', 'copies', 'people', 'publishing'], packages: [] },
  dav: {
    folders: ['domain', 'web', 'calendar', 'publishing'],
    packages: ['express', 'saxes', 'timezones-ical-library', 'node:http'],
  },
  http: {
    folders: ['domain', 'json', 'text', 'web', 'dav', ...useCases],
    packages: ['express', 'content-disposition', 'ipaddr.js', 'qrcode', 'zod', 'p-queue'],
  },
  cli: {
    folders: ['domain', 'json', 'text', ...useCases],
    packages: ['@commander-js/extra-typings', 'node:fs'],
  },
  process: {
    folders: [],
    packages: [
      'express',
      'pino',
      'prom-client',
      'node:cluster',
      'node:fs',
      'node:http',
      'node:https',
      'node:module',
    ],
  },
  '.': { folders: [], packages: ['node:fs', 'node:module'] },
}

/** Node's own modules that only those may use whose row names them, which for some is nobody; all others are free. */
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
  'node:cluster',
  'node:worker_threads',
  'node:process',
  'node:module',
])

/** Folders whose files take nothing but types from the files of the folder round them. */
const innerFolders = ['copies/proof']

/** Words that this house has others for, and the others; migrations make what it once was called. */
const foreignWords: Readonly<Record<string, string>> = {
  leaver: 'departure',
  snapshot: 'copy',
  upstream: 'Read API, transport',
  workforceApi: 'Read API (theirs) or sandbox (ours)',
}

const sources = readSourceFiles()

describe('layers', () => {
  it('every folder is a layer', () => {
    const breaches = [...new Set(sources.map(({ file }) => folderOf(file)))]
      .filter((folder) => !Object.hasOwn(layers, folder))
      .map((folder) => `src/${folder}/ has no row in the table of layers`)
    expect(breaches).toEqual([])
  })

  it('each layer imports only layers before it', () => {
    const order = Object.keys(layers)
    for (const [name, { folders }] of Object.entries(layers)) {
      const lower = order.slice(0, order.indexOf(name))
      expect(lower).toEqual(expect.arrayContaining(folders.map(folderOf)))
    }
  })

  it('each file imports only what its folder may', () => {
    expect(breachesOf(importBreach)).toEqual([])
  })

  it('each file uses only the packages that its folder may', () => {
    expect(breachesOf(packageBreach)).toEqual([])
  })

  it.each(innerFolders)('%s/ imports only types from the files around it', (inner) => {
    expect(breachesOf((...found) => innerBreach(inner, ...found))).toEqual([])
  })

  it('no file imports itself through others, types included', () => {
    expect(circles()).toEqual([])
  })

  it('no import address is computed', () => {
    const breach = ({ file }: SourceFile, { target }: Import): string | undefined =>
      target === undefined ? `src/${file} imports what it computes, or requires` : undefined
    expect(breachesOf(breach)).toEqual([])
  })
})

describe('input from outside', () => {
  it('only main.ts reads process, and entry.cjs before it only the Node version', () => {
    const breaches = sources
      .filter(({ file }) => file !== 'main.ts' && file !== 'entry.cjs')
      .filter(({ roots }) => roots.has('process'))
      .map(
        ({ file }) => `src/${file} names process: only src/main.ts may, and hands on what it reads`,
      )
    expect(breaches).toEqual([])
  })

  it('calendar/ never reads the clock', () => {
    const clock =
      /\bDate\.now\b|\bnew Date\(\s*\)|\bDateTime\.(?:now|local|utc)\(|\bperformance\b|\bTemporal\b/
    const breaches = sources
      .filter(({ file }) => folderOf(file) === 'calendar')
      .flatMap(({ file, text }) => (clock.exec(text) ?? []).map((found) => `src/${file}: ${found}`))
    expect(breaches).toEqual([])
  })
})

describe('names', () => {
  it('no file is an index, and no folder is a catch-all', () => {
    const drawer = /(^|\/)(?:index\.ts$|(?:utils?|helpers?|common|misc|shared)(?:\/|\.ts$))/
    expect(sources.map(({ file }) => file).filter((file) => drawer.test(file))).toEqual([])
  })

  it('constants are camelCase', () => {
    const breaches = sources.flatMap(({ file, variables }) =>
      variables
        .filter((name) => /^[A-Z][A-Z\d_]*$/.test(name))
        .map((name) => `src/${file}: ${name}`),
    )
    expect(breaches).toEqual([])
  })

  it.each(Object.entries(foreignWords))('nothing is called %s instead of %s', (word, own) => {
    const pattern = new RegExp(String.raw`\b${wordsOf(word)}s?\b`)
    const todays = sources.filter(({ file }) => !file.startsWith('store/migrations/'))
    const breaches = todays.flatMap(({ file, names }) =>
      [file, ...names]
        .filter((name) => pattern.test(wordsOf(name)))
        .map((name) => `src/${file}: ${name} (${own})`),
    )
    expect(breaches).toEqual([])
  })
})

type Breach = (source: SourceFile, imported: Import) => string | undefined

/** In words, one for each import that breaks the rule. */
function breachesOf(breach: Breach): readonly string[] {
  return sources.flatMap((source) =>
    source.imports.flatMap((imported) => breach(source, imported) ?? []),
  )
}

function importBreach({ file }: SourceFile, { target }: Import): string | undefined {
  const own = folderOf(file)
  const layer = layers[own]
  if (!layer || own === '.' || own === 'process' || !target?.startsWith('.')) return undefined
  const imported = resolve(file, target)
  const allowed = new Set([own, ...layer.folders])
  if (allowed.has(folderOf(imported)) || allowed.has(imported)) return undefined
  return `src/${file} imports src/${imported}: ${own}/ may import ${listOf(layer.folders)}`
}

function packageBreach({ file }: SourceFile, { target = '.' }: Import): string | undefined {
  const layer = layers[folderOf(file)]
  if (!layer || target.startsWith('.')) return undefined
  const name = packageOf(target)
  const allowed = layer.packages
  const isFree = name.startsWith('node:') && !guardedModules.has(name)
  if (isFree || allowed.includes(name)) return undefined
  return `src/${file} imports ${target}: ${folderOf(file)}/ may use ${listOf(allowed)}`
}

function innerBreach(
  inner: string,
  { file }: SourceFile,
  { target, isType }: Import,
): string | undefined {
  if (!file.startsWith(`${inner}/`) || !target?.startsWith('.') || isType) return undefined
  const imported = resolve(file, target)
  if (path.posix.dirname(imported) !== path.posix.dirname(inner)) return undefined
  return `src/${file} imports src/${imported}: of the files beside ${inner}/ it may import types alone`
}

/** Groups of files that all import each other, directly or not. */
function circles(): readonly string[] {
  const imports = new Map(
    sources.map(({ file, imports: all }) => [
      file,
      all.flatMap(({ target }) => (target?.startsWith('.') ? resolve(file, target) : [])),
    ]),
  )
  const reachable = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const waiting = [start]
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      for (const next of imports.get(file) ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        waiting.push(next)
      }
    }
    return seen
  }
  return [...imports.keys()].filter((file) => reachable(file).has(file))
}

function resolve(file: string, target: string): string {
  return path.posix.join(path.posix.dirname(file), target)
}

function folderOf(file: string): string {
  return /^[^/]+\.(?:ts|cjs)$/.test(file) ? '.' : (file.split('/')[0] ?? '.')
}

function packageOf(target: string): string {
  const parts = target.startsWith('@') ? 2 : 1
  return target.split('/').slice(0, parts).join('/')
}

/** A name's words, apart; but codes and columns, whose names others keep, stay one. */
function wordsOf(name: string): string {
  return name.replaceAll(/[-/.]|(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase()
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}
