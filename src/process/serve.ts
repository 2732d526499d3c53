import { setFlagsFromString } from 'node:v8'

import { sayInShort } from '../examination/in-short.ts'
import { printable } from '../text/plain-text.ts'
import { startApp, type App } from './app.ts'
import {
  adminTokenOf,
  demoFeed,
  keepRunningServer,
  adminTokenFile,
  type DemoAddresses,
} from './data-directory.ts'
import type { Terminal } from './terminal.ts'
import { type Setup, untilEnd } from './world.ts'

/** Runs the bridge until the process is asked to end. */
export async function serve(
  { settings, surroundings }: Setup,
  json: boolean,
  { print, tellWatcher }: Terminal,
): Promise<void> {
  // V8 would treat what many requests allocate as long-lived, and keep it and all it refers to until the next full
  // collection. Set any earlier, before all modules are loaded, the flag would discard what Node has compiled.
  setFlagsFromString('--no-allocation-site-pretenuring')
  const { log } = surroundings
  const adminToken = await adminTokenOf(settings)
  const app = await startApp(settings, surroundings, adminToken)
  const { listensAt, publicUrl, instance, services } = app
  const server = { listensAt, publicUrl, instance }
  const forget = await keepRunningServer(settings.dataDirectory, server, log)
  const end = async (): Promise<void> => {
    forget()
    await app.close()
  }
  if (!json) reportReadApis(services, (line) => print(printable(line)))
  services.start()
  untilEnd(async (error) => {
    if (error) log.error({ error }, 'crashed')
    await end()
    if (!error) tellWatcher('Ended.')
  })
  const isSample = settings.companies === null
  const demo = isSample
    ? await demoFeed(app, settings).catch(async (error: unknown) => {
        await end()
        throw error
      })
    : undefined
  if (json) return print(JSON.stringify({ url: publicUrl, listensAt, ...demo }))
  const [sandboxUrl] = isSample ? services.baseUrls.values() : []
  print(
    startLines(app, { demo, tokenFile: adminTokenFile(settings), adminToken, sandboxUrl }).join(
      '\n',
    ),
  )
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
