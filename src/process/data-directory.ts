import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

import { replaceFile } from '../cli/write-output.ts'
import { makeFolder } from '../database/make-folder.ts'
import { AppError, asAppError, cannotWrite, codeOf } from '../domain/errors.ts'
import type { Log } from '../domain/world.ts'
import type { FeedAdministration } from '../feeds/feed-administration.ts'
import { feedUrl, pageUrl } from '../feeds/feed-view.ts'
import { type LinkDeps, openLink } from '../publishing/open-link.ts'
import type { Settings } from '../settings/read-settings.ts'

/** The employee of the sample company with the calendar shown at startup. */
export const demoUser = 'usr_ada'

export interface DemoAddresses {
  readonly calendar: string
  readonly page: string
}

/** Returns the admin token: the configured one, or the one in the data directory, created at the first start. */
export async function adminTokenOf(settings: Settings): Promise<string> {
  const file = adminTokenFile(settings)
  if (file === undefined) return settings.adminToken ?? ''
  const kept = readText(file)?.trim()
  if (kept) return kept
  const made = randomBytes(32).toString('base64url')
  await writeSecret(file, made)
  return made
}

/**
 * Returns the file of the admin token that the bridge created, relative to the working directory; undefined if a token is
 * configured.
 */
export function adminTokenFile({ adminToken, dataDirectory }: Settings): string | undefined {
  if (adminToken !== undefined) return undefined
  const file = path.join(dataDirectory, 'admin-token')
  const seen = path.relative('', file)
  return seen.startsWith('..') ? file : seen
}

interface DemoApp {
  readonly publicUrl: string
  readonly services: { readonly administration: FeedAdministration; readonly links: LinkDeps }
}

/** Returns the sample employee's feed, the same at every start; undefined if the Read API has no such person. */
export async function demoFeed(
  app: DemoApp,
  settings: Settings,
): Promise<DemoAddresses | undefined> {
  const demo =
    (await keptDemo(app, settings)) ?? (await makeOwnFeed(app.services.administration, demoUser))
  if (demo) await writeSecret(linkFile(settings), demo.calendar)
  return demo
}

/** Creates a sample person's own feed; undefined if the Read API has no such person. */
export async function makeOwnFeed(
  { creation }: FeedAdministration,
  userId: string,
): Promise<DemoAddresses | undefined> {
  try {
    const options = { timesheets: { as: 'todo' } }
    const { url, page } = await creation.create({ userIds: [userId], options })
    return { calendar: url, page }
  } catch (error) {
    if (asAppError(error)?.code === 'invalid') return undefined
    throw error
  }
}

/**
 * Returns the stored link under today's address, if it still opens a calendar; undefined with a Read API other than the
 * sample.
 */
export async function keptDemo(
  { publicUrl, services: { links } }: DemoApp,
  settings: Settings,
): Promise<DemoAddresses | undefined> {
  const kept = settings.companies === null ? readText(linkFile(settings)) : undefined
  const token = /cfb_[A-Za-z0-9_-]{43}/.exec(kept ?? '')?.[0]
  if (token === undefined) return undefined
  try {
    const { feed } = await openLink(links, token)
    return { calendar: feedUrl(publicUrl, token, feed.name), page: pageUrl(publicUrl, token) }
  } catch (error) {
    const code = asAppError(error)?.code
    if (code === 'gone' || code === 'not_found') return undefined
    throw error
  }
}

function linkFile({ dataDirectory }: Settings): string {
  return path.join(dataDirectory, 'demo-link')
}

/** undefined without a file. Fails if this account may not read it, so that nothing overwrites it. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'EACCES') {
      const message = `The file ${file} cannot be read by this account.`
      throw new AppError('unavailable', message, { cause })
    }
    return undefined
  }
}

async function writeSecret(file: string, text: string): Promise<void> {
  try {
    makeFolder(path.dirname(file))
    await replaceFile(file, `${text}\n`)
  } catch (cause) {
    throw cannotWrite(file, cause)
  }
}

/** A running server, as commands find it. */
export interface RunningServer {
  readonly listensAt: string
  readonly publicUrl: string
  /** Tells it from any later process at that address: it responds at `/healthz/{instance}`. */
  readonly instance: string
}

/**
 * Stores the server's address in the data directory, so that commands print working links. Returns a function that removes
 * it again. A server that cannot write there runs all the same.
 */
export async function keepRunningServer(
  directory: string,
  server: RunningServer,
  log: Log,
): Promise<() => void> {
  const file = serverFile(directory)
  try {
    await writeSecret(file, JSON.stringify(server))
  } catch (error) {
    log.warn({ error }, 'address_not_kept')
    return () => undefined
  }
  return () => {
    // Another server may have started meanwhile.
    if (readServer(file)?.instance === server.instance) rmSync(file, { force: true })
  }
}

/** Returns the public address of the server running on this data; undefined without one, or if it crashed. */
export async function findPublicUrl(
  directory: string,
  patienceMs = 2000,
): Promise<string | undefined> {
  const server = readServer(serverFile(directory))
  return server && (await isRunning(server, patienceMs)) ? server.publicUrl : undefined
}

function serverFile(directory: string): string {
  return path.join(directory, 'running.json')
}

async function isRunning(
  { listensAt, instance }: RunningServer,
  patienceMs: number,
): Promise<boolean> {
  const address = `${listensAt}/healthz/${encodeURIComponent(instance)}`
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const { ok } = await fetch(address, { method: 'HEAD', redirect: 'error', signal })
    return ok
  } catch {
    // After a crash the connection is refused; a server that does not respond in time is busy.
    return signal.aborted
  }
}

/** undefined without a file, or if no server wrote it. */
function readServer(file: string): RunningServer | undefined {
  try {
    const { listensAt, publicUrl, instance } = JSON.parse(readFileSync(file, 'utf8'))
    // Only web addresses may be printed.
    const isWeb = /^https?:$/.test(URL.parse(publicUrl)?.protocol ?? '')
    return isWeb ? { listensAt, publicUrl, instance } : undefined
  } catch {
    return undefined
  }
}
