import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { replaceFile } from '../cli/write-output.ts'
import { AppError, asAppError, cannotWrite } from '../domain/errors.ts'
import { feedUrl, pageUrl } from '../feeds/feed-address.ts'
import { openLink } from '../publishing/open-link.ts'
import type { Settings } from '../settings/read-settings.ts'
import type { App } from './app.ts'
import type { RunningServer } from './running-server.ts'
import type { UseCases } from './services.ts'

/** The employee of the sample company whose calendar the start shows. */
export const demoUser = 'usr_ada'

/** Where the sample employee's calendar and its page are. */
export interface DemoAddresses {
  readonly calendar: string
  readonly page: string
}

/** The admin token: as set, or the one kept in the data directory, made at the first start. */
export function adminTokenOf(settings: Settings): string {
  const { adminToken = '' } = settings
  const file = adminTokenFile(settings)
  if (file === undefined) return adminToken
  const kept = readText(file)?.trim()
  if (kept) return kept
  const made = randomBytes(32).toString('base64url')
  writeSecret(file, made)
  return made
}

/** The file in which the bridge keeps the admin token that it made, as seen from the working directory; undefined where one is set. */
export function adminTokenFile({ adminToken, dataDirectory }: Settings): string | undefined {
  if (adminToken !== undefined) return undefined
  const file = path.join(dataDirectory, 'admin-token')
  const seen = path.relative('', file)
  return seen.startsWith('..') ? file : seen
}

/** The sample employee's feed, the same at every start; undefined where the Read API has no such person. */
export async function demoFeed(app: App, settings: Settings): Promise<DemoAddresses | undefined> {
  const demo = (await keptDemo(app, settings)) ?? (await makeDemo(app))
  if (demo) writeSecret(linkFile(settings), demo.calendar)
  return demo
}

/** What ends hands the demo's kept address over to the server that goes on. */
export function handOverDemo(settings: Settings, from: RunningServer, to: RunningServer): void {
  const kept = settings.companies === null ? readText(linkFile(settings)) : undefined
  const start = `${from.publicUrl}/feeds/`
  if (!kept?.startsWith(start)) return
  writeSecret(linkFile(settings), `${to.publicUrl}/feeds/${kept.slice(start.length).trim()}`)
}

async function makeDemo({ services }: App): Promise<DemoAddresses | undefined> {
  try {
    const { url, page } = await services.administration.creation.create({ userIds: [demoUser] })
    return { calendar: url, page }
  } catch (error) {
    if (asAppError(error)?.code === 'invalid') return undefined
    throw error
  }
}

/** The kept link, if it still opens a calendar, under the address of today; undefined beside a Read API that is no sample. */
export async function keptDemo(
  { publicUrl, services: { links } }: { publicUrl: string; services: Pick<UseCases, 'links'> },
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

/** undefined where there is none; one that only others may read is not one to write anew. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EACCES') {
      const message = `The file ${file} cannot be read by this account.`
      throw new AppError('unavailable', message, { cause })
    }
    return undefined
  }
}

function writeSecret(file: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    replaceFile(file, `${text}\n`)
  } catch (cause) {
    throw cannotWrite(file, cause)
  }
}
