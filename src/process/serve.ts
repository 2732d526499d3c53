import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'

import { sayInShort } from '../examination/in-short.ts'
import type { Settings } from '../settings/read-settings.ts'
import { printable } from '../text/plain-text.ts'
import { listen } from '../web/listen.ts'
import { startApp, type App } from './app.ts'
import {
  adminTokenOf,
  demoFeed,
  keepRunningServer,
  adminTokenFile,
  type DemoAddresses,
} from './data-directory.ts'
import { untilEnd } from './ending.ts'
import type { Terminal } from './terminal.ts'
import { ThisWorker } from './worker.ts'
import { runWorkers } from './workers.ts'
import type { Setup } from './world.ts'

/** Beyond the longest wait of a poll, to make and send its answer. */
const sendingMs = 1000
/** How long a request on an idle connection still gets a refusal. */
const idleMs = 500
/** To store what is in memory and close the database. */
const closingMs = 5000

/** Runs the bridge until the process is asked to end: here, or in several workers that this process starts. */
export async function serve(setup: Setup, json: boolean, terminal: Terminal): Promise<void> {
  const { settings, surroundings, runtime } = setup
  const { log } = surroundings
  const answersMs = settings.feedRefreshBudgetMs + sendingMs
  const withinMs = answersMs + idleMs + closingMs
  if (settings.workers > 1 && cluster.isPrimary) {
    const port = settings.port === 0 ? await freePort(settings.host) : settings.port
    const plan = { count: settings.workers, port, instance: randomUUID(), endsWithinMs: withinMs }
    return runWorkers({ ...plan, runtime, log, tellWatcher: terminal.tellWatcher })
  }
  // V8 would treat what many requests allocate as long-lived, and keep it and all it refers to until the next full
  // collection. Set any earlier, before all modules are loaded, the flag would discard what Node has compiled.
  setFlagsFromString('--no-allocation-site-pretenuring')
  const worker = await ThisWorker.join()
  const { isLeader, joinsOthers } = worker?.part ?? { isLeader: true, joinsOthers: false }
  let app: App | undefined
  let forget: (() => void) | undefined
  const close = async (error?: Error): Promise<void> => {
    if (error) log.error({ error }, 'crashed')
    log.info({}, 'ending')
    forget?.()
    await app?.close({ answersMs, idleMs })
    log.info({}, 'ended')
    if (!error && !worker) terminal.tellWatcher('Ended.')
  }
  const end = untilEnd(runtime, close, { withinMs, isWorker: worker !== undefined })
  worker?.onEnd(end)
  try {
    const adminToken = await adminTokenOf(settings)
    app = await startApp(settings, surroundings, adminToken, worker)
    const { listensAt, publicUrl, instance, services } = app
    if (isLeader) {
      const server = { listensAt, publicUrl, instance }
      forget = await keepRunningServer(settings.dataDirectory, server, log)
      if (!json && !joinsOthers) reportReadApis(services, (line) => terminal.print(printable(line)))
      services.start()
    }
    if (!joinsOthers) await printStart(app, settings, { json, adminToken, print: terminal.print })
  } catch (error) {
    forget?.()
    await app?.close()
    worker?.leave()
    throw error
  }
  worker?.serves()
}

/** Another program could take the port before the workers do, which is unlikely. */
async function freePort(host: string): Promise<number> {
  const listening = await listen(() => undefined, { host, port: 0, what: 'The bridge' })
  await listening.close()
  return Number(new URL(listening.url).port)
}

interface Printing {
  readonly json: boolean
  readonly adminToken: string
  readonly print: Terminal['print']
}

async function printStart(
  app: App,
  settings: Settings,
  { json, adminToken, print }: Printing,
): Promise<void> {
  const { listensAt, publicUrl, services } = app
  const isSample = settings.companies === null
  const demo = isSample ? await demoFeed(app, settings) : undefined
  if (json) return print(JSON.stringify({ url: publicUrl, listensAt, ...demo }))
  const [sandboxUrl] = isSample ? services.baseUrls.values() : []
  const tokenFile = adminTokenFile(settings)
  print(startLines(app, { demo, tokenFile, adminToken, sandboxUrl }).join('\n'))
}

/** Returns what `serve` prints once it runs: its addresses, and what to do next. */
export function startLines(
  { listensAt, publicUrl }: Pick<App, 'listensAt' | 'publicUrl'>,
  {
    demo,
    tokenFile,
    adminToken,
    sandboxUrl,
  }: {
    readonly demo: DemoAddresses | undefined
    /** File with the bridge's own admin token; undefined if the token is set. */
    readonly tokenFile: string | undefined
    readonly adminToken?: string
    readonly sandboxUrl?: string | undefined
  },
): readonly string[] {
  const token =
    tokenFile === undefined
      ? 'Admin token: your ADMIN_TOKEN'
      : `Admin token ${adminToken ?? ''} (kept in ${tokenFile})`
  return [
    `Listens at ${listensAt}`,
    `Public address ${publicUrl}`,
    '',
    ...(isWildcard(publicUrl) ? unreachableLines : []),
    ...(demo ? demoLines(demo) : nextLines),
    `Console ${publicUrl}/console`,
    token,
    `To manage calendars with programs: ${publicUrl}/docs.`,
    ...(sandboxUrl === undefined
      ? []
      : [
          `The sandbox: try its operations at ${sandboxUrl}/docs, and change its records at ${sandboxUrl}/sandbox.`,
        ]),
    '',
  ]
}

/** Whether it means every address of this machine. */
function isWildcard(publicUrl: string): boolean {
  return /^https?:\/\/(?:0\.0\.0\.0|\[::\])(?:[:/]|$)/.test(publicUrl)
}

const unreachableLines = [
  'Set PUBLIC_URL: links begin with this address, and it does not open on other machines.',
  '',
]

function demoLines({ calendar, page }: DemoAddresses): readonly string[] {
  return [
    'The calendar of Ada, who works in the sample company, to subscribe to in a calendar program:',
    calendar,
    'Its page, with a preview and every way to subscribe:',
    page,
    '',
    'Next: open the page, then the console, which leads to connecting your own system.',
  ]
}

const nextLines = [
  'Next: npm run -s bridge -- doctor                  check your Read API',
  '      npm run -s bridge -- feed create --user ID   create a calendar',
]

const patienceMs = 8000

/** Prints the verdict on each Read API as soon as it is known, without blocking the start. */
function reportReadApis(
  { examiner, sources, baseUrls }: App['services'],
  print: (line: string) => void,
): void {
  for (const [companyId, url] of baseUrls) {
    const ofCompany = baseUrls.size > 1 ? ` of ${companyId}` : ''
    const say = (verdict: string): void => print(`Read API${ofCompany} ${url}: ${verdict}`)
    const late = setTimeout(() => {
      // Several are examined one after another, so a late verdict does not mean a slow one.
      if (baseUrls.size === 1) say('not checked yet; the result follows')
    }, patienceMs).unref()
    void (async () => {
      const found = await examiner.next(companyId)
      clearTimeout(late)
      const proof = await sources.get(companyId)?.proof()
      if (proof) say(sayInShort(found, proof))
    })()
  }
}
