import { setFlagsFromString } from 'node:v8'

import { sayInShort } from '../examination/in-short.ts'
import type { Settings } from '../settings/read-settings.ts'
import { printable } from '../text/plain-text.ts'
import { startApp, type App } from './app.ts'
import {
  adminTokenOf,
  demoFeed,
  handOverDemo,
  findServers,
  keepRunningServer,
  sayTaken,
  adminTokenFile,
  type DemoAddresses,
} from './data-directory.ts'
import type { Terminal } from './terminal.ts'
import { type Setup, untilEnd } from './world.ts'

/** Runs the bridge until the process is told to end. */
export async function serve(
  { settings, surroundings }: Setup,
  json: boolean,
  { print, warn, tellWatcher }: Pick<Terminal, 'print' | 'warn' | 'tellWatcher'>,
): Promise<void> {
  // V8 would take what many requests need for what lasts, and keep it, and all that it refers to, until the next full
  // collection. Set before all is loaded, it would have what Node has compiled thrown away.
  setFlagsFromString('--no-allocation-site-pretenuring')
  const { log } = surroundings
  const beside = await findServers(settings.dataDirectory)
  const app = await startApp(settings, surroundings, adminTokenOf(settings)).catch((error) => {
    throw sayTaken(error, beside, settings.port)
  })
  for (const line of besideLines(beside)) warn(printable(line))
  const { listensAt, publicUrl, instance } = app
  const server = { listensAt, publicUrl, instance }
  const forget = keepRunningServer(settings.dataDirectory, server, log, beside)
  const endAndFail = async (error: unknown): Promise<never> => {
    forget()
    await app.close()
    throw error
  }
  if (!json) reportReadApis(app, (line) => print(printable(line)))
  app.services.start()
  untilEnd(async (error) => {
    if (error) log.error({ error }, 'crashed')
    const next = forget()
    if (next) handOverDemo(settings, server, next)
    await app.close()
    if (!error) tellWatcher('Ended.')
  })
  const demo =
    settings.companies === null ? await demoFeed(app, settings).catch(endAndFail) : undefined
  if (json) print(JSON.stringify({ url: publicUrl, listensAt, ...demo }))
  else print(startLines(app, { demo, ...startFacts(settings, app) }).join('\n'))
}

const patienceMs = 8000

type Print = (text: string) => void

interface StartFacts {
  /** The sample employee's addresses; undefined where there is no such person. */
  readonly demo: DemoAddresses | undefined
  /** Where the admin token lies; undefined where it is set. */
  readonly tokenFile: string | undefined
  /** Where the embedded Read API is; left out where another is read. */
  readonly sandboxUrl?: string | undefined
}

/** What of the settings, and of what runs by them, is to be told. */
function startFacts(
  settings: Settings,
  { services }: Pick<App, 'services'>,
): Omit<StartFacts, 'demo'> {
  const [sandboxUrl] = settings.companies === null ? services.baseUrls.values() : []
  return { tokenFile: adminTokenFile(settings), sandboxUrl }
}

/** What `serve` prints once it runs: where it is, and what to do next. */
export function startLines(
  { listensAt, publicUrl }: Pick<App, 'listensAt' | 'publicUrl'>,
  { demo, tokenFile, sandboxUrl }: StartFacts,
): readonly string[] {
  const where = [`Listens at ${listensAt}`, `Public address ${publicUrl}`, '']
  const next = demo ? demoLines(demo) : nextLines
  const programs = apiLine(publicUrl, tokenFile)
  const sandbox = sandboxUrl === undefined ? [] : [sandboxLine(sandboxUrl)]
  return [...where, ...unreachableLines(publicUrl), ...next, programs, ...sandbox, '']
}

/** Where somebody tries the sandbox, and changes what it answers. */
function sandboxLine(url: string): string {
  return `The sandbox: try its operations at ${url}/docs, and change its records at ${url}/sandbox.`
}

function apiLine(publicUrl: string, tokenFile: string | undefined): string {
  const token = tokenFile === undefined ? 'is your ADMIN_TOKEN' : `is in ${tokenFile}`
  return `To manage calendars with programs: ${publicUrl}/docs. The admin token ${token}.`
}

/** What is said of servers that run already on the same data: that works, and is seldom meant. */
export function besideLines(servers: readonly Pick<App, 'listensAt'>[]): readonly string[] {
  return servers.map(
    ({ listensAt }) =>
      `Another bridge already runs on this data at ${listensAt}; both serve it now.`,
  )
}

/** One that stands for every address of this machine is no address for others. */
function unreachableLines(publicUrl: string): readonly string[] {
  if (!/^https?:\/\/(?:0\.0\.0\.0|\[::\])(?:[:/]|$)/.test(publicUrl)) return []
  return [
    'Set PUBLIC_URL: links begin with this address, and it does not open on other machines.',
    '',
  ]
}

function demoLines({ calendar, page }: DemoAddresses): readonly string[] {
  return [
    'The calendar of Ada, who works in the sample company, to subscribe to in a calendar program:',
    calendar,
    'Its page, with a preview and every way to subscribe:',
    page,
    '',
    'Next: open the page. Then connect your own system: docs/connect.md.',
  ]
}

const nextLines = [
  'Next: npm run -s bridge -- doctor                  check your Read API',
  '      npm run -s bridge -- feed create --user ID   create a calendar',
]

/** Prints of each Read API, as soon as it is known, what the first look at it came to; holds nothing up. */
function reportReadApis({ services }: Pick<App, 'services'>, print: Print): void {
  for (const [companyId, url] of services.baseUrls) {
    const whose = services.baseUrls.size > 1 ? ` of ${companyId}` : ''
    const say = (verdict: string): void => print(`Read API${whose} ${url}: ${verdict}`)
    void reportReadApi(services, companyId, say)
  }
}

async function reportReadApi(
  { examiner, sources, baseUrls }: App['services'],
  companyId: string,
  say: Print,
): Promise<void> {
  const late = setTimeout(() => {
    // Several are examined one after another: who comes late is not slow.
    if (baseUrls.size === 1) say('not checked yet; the result follows')
  }, patienceMs).unref()
  const found = await examiner.next(companyId)
  clearTimeout(late)
  const proof = await sources.get(companyId)?.proof()
  if (proof) say(sayInShort(found, proof))
}
