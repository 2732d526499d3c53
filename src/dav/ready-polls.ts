/* Ready answers to the polls of accounts: whether anything has changed. */
import { type FeedLink, nameOfToken } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import type { ReadyAnswer } from '../publishing/ready-answers.ts'
import type { IncomingMessage, RequestListener, ServerResponse } from '../web/listen.ts'
import { multistatus, needOf } from './answers.ts'
import {
  accountOf,
  commonHeaders,
  type DavDeps,
  hrefsOf,
  readBefore,
  readQuestion,
  servedBy,
  xmlType,
} from './dav-routes.ts'
import { isSurelyProtected, passwordOf } from './password.ts'
import { type Hrefs, placeOf } from './places.ts'

const polled = /^\/dav\/calendars\/[\w-]+\/$/
const pollBytesMax = 2048
const contentsMax = 8
const headersReady = [...commonHeaders, ['Content-Type', xmlType]].flat()

/** Texts by ready answer and by all parts of a request that decide them. */
type Contents = WeakMap<ReadyAnswer, Map<string, string>>

/**
 * Answers polls before the routes, which would cost more than the answer. `routes` handle everything else, and return the
 * same for a poll.
 */
export function answerPollsReady(deps: DavDeps, routes: RequestListener): RequestListener {
  const contents: Contents = new WeakMap()
  const hrefs = hrefsOf(deps)
  return (request, response) => {
    const { method, url = '', headers } = request
    const isQuestion = method === 'PROPFIND' || method === 'REPORT'
    const length = Number(headers['content-length'])
    const isPoll = isQuestion && polled.test(url) && length > 0 && length <= pollBytesMax
    const password = isPoll && isSurelyProtected(request, deps) ? passwordOf(headers) : undefined
    if (password === undefined || headers['content-encoding'] !== undefined)
      return routes(request, response)
    const name = nameOfToken(password)
    void answerReady({ deps, hrefs, request, response, contents, name, routes })
  }
}

interface ReadyExchange {
  readonly deps: DavDeps
  readonly hrefs: Hrefs
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly contents: Contents
  /** Of the link, which may not exist. */
  readonly name: string
  readonly routes: RequestListener
}

async function answerReady(exchange: ReadyExchange): Promise<void> {
  const { deps, request, response, name, routes } = exchange
  const body = await smallBodyOf(request).catch(() => undefined)
  // The client has gone.
  if (!body) return
  // A slow upload must not use up the time for the answer.
  const at = deps.clock.now()
  readBefore.set(request, { body, at })
  const content = await readyContent(exchange, body, at).catch(() => undefined)
  // The routes count what they answer.
  if (!content || !deps.limits.accounts.count(name)) return routes(request, response)
  const { link, text, lastModified } = content
  Object.assign(deps.follow(request, response), { link, ready: true, lastModified })
  const length = String(Buffer.byteLength(text))
  // A string is sent in one packet with the head.
  response.writeHead(207, [...headersReady, 'Content-Length', length]).end(text)
}

/** An iterator over the parts would cost more than the rest of the answer. */
function smallBodyOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => resolve(Buffer.concat(parts)))
      .on('error', reject)
      .on('close', reject)
  })
}

interface ReadyContent {
  readonly link: FeedLink
  readonly text: string
  readonly lastModified: Instant | undefined
}

/** Undefined if the routes must answer. */
async function readyContent(
  { deps, hrefs, request, contents, name }: ReadyExchange,
  body: Buffer,
  cameAt: Instant,
): Promise<ReadyContent | undefined> {
  const finding = deps.ready.find(name, 'objects')
  const ready = finding && (await deps.deadline.within(cameAt, finding))
  if (!ready) return undefined
  const { method, url = '', headers } = request
  const { depth, prefer, brief } = headers
  const key = [method, url, depth, prefer, brief, body.toString('latin1')].join('\n')
  const known = contents.get(ready) ?? new Map<string, string>()
  const { link, feed, validators } = ready
  const lastModified = method === 'REPORT' ? validators.lastModified : undefined
  const kept = known.get(key)
  if (kept !== undefined) return { link, text: kept, lastModified }
  const place = placeOf(url)
  const account = accountOf(deps, hrefs, link, feed)
  if (place?.kind !== 'calendar' || place.feedId !== link.feedId) return undefined
  const question = readQuestion(request, body, place)
  const served = servedBy(link, validators)
  if (needOf(question, place, served) === 'objects') return undefined
  const text = multistatus(question, { account, place, served })
  if (known.size < contentsMax) contents.set(ready, known.set(key, text))
  return { link, text, lastModified }
}
