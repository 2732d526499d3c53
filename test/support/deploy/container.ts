/* The image, made by the steps of its Dockerfile, and containers of it, as far as that goes without Docker. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'

import { inject } from 'vitest'

import { childrenOf } from '../bridge/process-tree.ts'
import { deployed, imageEnvironment, imageStages, type Instruction, wordsOf } from './files.ts'
import { neededProgram } from './needed-program.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const script = path.resolve(import.meta.dirname, 'container.sh')

/** Where the image's program and packages lie. */
export interface Image {
  readonly app: string
}

export interface Container {
  /** Its first process, as this machine knows it. */
  readonly pid: number
  /** Ends with it, and with its exit code. */
  readonly child: ChildProcess
  /** All that it writes on standard error. */
  readonly errors: Promise<string>
}

/** Makes the image from a clean copy of what its context lets in. */
export async function buildImage(): Promise<Image> {
  if (process.getuid?.() !== 0) throw new Error('This test needs root, as containers do.')
  const context = await mkdtemp(path.join(inject('temporaryFolder'), 'context-'))
  for (const line of deployed('docker/Dockerfile.dockerignore').split('\n')) {
    const name = line.slice(1)
    if (line.startsWith('!'))
      await cp(path.join(root, name), path.join(context, name), { recursive: true })
  }
  const built = new Map<string, string>()
  let app = ''
  for (const stage of imageStages()) {
    app = path.join(await mkdtemp(path.join(inject('temporaryFolder'), 'image-')), 'app')
    await mkdir(app)
    const [, name = ''] = / AS (\S+)$/.exec(stage[0]?.words ?? '') ?? []
    built.set(name, app)
    let account = '0:0'
    for (const { keyword, words } of stage) {
      if (keyword === 'USER') account = words
      if (keyword === 'COPY') await copy(words, { context, app, built })
      if (keyword === 'RUN') await build({ keyword, words }, app, name === '' ? account : null)
    }
  }
  return { app }
}

async function copy(
  words: string,
  { context, app, built }: { context: string; app: string; built: ReadonlyMap<string, string> },
): Promise<void> {
  const [, stage, listed = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(words) ?? []
  const names = listed.split(' ')
  const to = names.pop() ?? ''
  for (const name of names) {
    const from =
      stage === undefined
        ? path.join(context, name)
        : path.join(built.get(stage) ?? '', name.replace(/^\/app\//, ''))
    const target = to.endsWith('/') ? path.join(app, to, path.basename(name)) : path.join(app, to)
    await cp(from, target, { recursive: true, verbatimSymlinks: true })
  }
}

/** Packages come from the registry as npm is set up on this machine; what is built of them needs nothing of it. */
async function build({ words }: Instruction, app: string, account: string | null): Promise<void> {
  const child =
    account === null
      ? spawn('/bin/sh', ['-c', words], {
          cwd: app,
          env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}` },
          stdio: ['ignore', 'ignore', 'pipe'],
        })
      : await enter(app, account, ['/bin/sh', '-c', words], { BUILDS: 'yes' })
  const [errors, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  if (code !== 0) throw new Error(`RUN ${words}\nended with ${code}: ${errors}`)
}

/** Starts a container as the image says, on a read-only file system. */
export async function runContainer(
  { app }: Image,
  environment: Readonly<Record<string, string>>,
): Promise<Container> {
  const words = ['ENTRYPOINT', 'CMD'].flatMap(
    (keyword) => JSON.parse(wordsOf(keyword)[0] ?? '') as string[],
  )
  const child = await enter(app, wordsOf('USER')[0] ?? '', [...words, '--json'], environment)
  const errors = text(child.stderr!)
  await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])
  if (child.exitCode !== null) throw new Error(await errors)
  return { child, pid: childrenOf(child.pid)[0]!, errors }
}

async function enter(
  app: string,
  account: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'root-'))
  const apart = [
    '--mount',
    '--pid',
    '--ipc',
    '--uts',
    '--fork',
    '--kill-child',
    '--propagation',
    'private',
  ]
  const words = ['/bin/sh', script, folder, app, process.execPath, account, ...command]
  return spawn(neededProgram('unshare', 'util-linux'), [...apart, ...words], {
    cwd: '/',
    env: { PATH: '/node:/usr/sbin:/usr/bin:/sbin:/bin', ...imageEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs the image's health check, and gives its exit code. */
export async function checkHealth(
  environment: Readonly<Record<string, string>>,
): Promise<number | null> {
  const [, command = ''] = /CMD (\[.*\])$/.exec(wordsOf('HEALTHCHECK')[0] ?? '') ?? []
  const [, ...words] = JSON.parse(command) as string[]
  const child = spawn(process.execPath, words, {
    env: { ...imageEnvironment(), ...environment },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}
