/* Tokens for programs and for staff: list, make, revoke. */
import type { ApiTokens } from '../../access/api-tokens.ts'
import { roles, type Staff } from '../../domain/access/staff.ts'
import { asAppError, asFailure } from '../../domain/errors.ts'
import { linkLabelLengthMax } from '../../feeds/link-label.ts'
import { isolated } from '../../text/plain-text.ts'
import { statusOf } from '../../web/problem.ts'
import { timesOf } from '../pages/calendar-view.ts'
import type { PageDeps } from '../pages/page.ts'
import { fill } from '../pages/words/words.ts'
import {
  type ConsoleHandler,
  type Form,
  readForm,
  redirectDone,
  RefusedInWords,
  sendConsole,
  type Visit,
} from './console.ts'

type Route = 'GET /console/tokens' | 'POST /console/tokens'

type Token = Awaited<ReturnType<ApiTokens['list']>>['data'][number]

export function tokensHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/tokens': async (visit) => {
      const { revoke: name, of } = visit.request.query
      if (typeof name === 'string')
        return askToRevoke(deps, visit, name, typeof of === 'string' ? of : '')
      return sendList(deps, visit, noneTyped)
    },
    'POST /console/tokens': async (visit) => {
      const form = await readForm(visit)
      if (form.text('act') === 'revoke') await revoke(deps, visit, form)
      else await make(deps, visit, form)
    },
  }
}

interface Typed {
  readonly name: string
  readonly role: string
  readonly companyId: string
  /** By field, a name of `tokens.faults`. */
  readonly faults: Readonly<Record<string, string>>
}

const noneTyped: Typed = { name: '', role: 'reader', companyId: '', faults: {} }

async function sendList(deps: PageDeps, visit: Visit, typed: Typed): Promise<void> {
  const { words, by, companies } = visit
  const { data } = await deps.access.apiTokens.list(by)
  sendConsole(deps, visit, {
    template: 'tokens',
    title: words.tokens.title,
    place: 'tokens',
    openable: '/tokens',
    tokens: data.map((token) => viewToken(deps, visit, token)),
    chooses: by.companyId === null && companies.length > 1,
    roles,
    nameLengthMax: linkLabelLengthMax,
    typed,
  })
}

function viewToken(deps: PageDeps, visit: Visit, token: Token): object {
  const { request, locale, words, companies, companyId: chosen } = visit
  const timezone = deps.connections.get(chosen)?.company.timezone ?? 'UTC'
  const times = timesOf(deps, request, timezone, locale)
  const { name, role, companyId, createdAt, lastUsedAt } = token
  const used = lastUsedAt === null ? null : Date.parse(lastUsedAt)
  return {
    name,
    shown: isolated(name),
    role: words.frame.roles[role],
    companyId,
    company:
      companyId === null
        ? words.tokens.allCompanies
        : (companies.find(({ id }) => id === companyId)?.name ?? companyId),
    createdAt,
    made: times.date(Date.parse(createdAt)),
    lastUsedAt,
    used: used === null ? null : times.isNow(used) ? words.tokens.now : times.ago(used),
    isOwn: isOwn(visit.by, token),
  }
}

/** Whether the session began with that token. */
function isOwn({ actor, companyId: ofStaff }: Staff, { name, companyId }: Token): boolean {
  const called = companyId === null ? name : `${companyId}/${name}`
  return ofStaff === companyId && actor === `token:${called}`
}

async function make(deps: PageDeps, visit: Visit, form: Form): Promise<void> {
  const { by, response, words } = visit
  const [name, role, companyId] = [form.text('name'), form.text('role'), form.text('companyId')]
  const input = { name, role, ...(companyId !== '' && { companyId }) }
  try {
    const { token } = await deps.access.apiTokens.create(by, input)
    sendConsole(deps, visit, {
      template: 'token-made',
      title: fill(words.tokens.madeTitle, { name: isolated(name) }),
      place: 'tokens',
      openable: '/tokens',
      token,
      signInAddress: `${deps.publicUrl}/console`,
    })
  } catch (error) {
    const failed = asFailure(error)
    response.status(statusOf(failed))
    const faults =
      failed.code === 'conflict'
        ? { name: 'taken' }
        : Object.fromEntries(
            failed.faults.map(({ pointer }) => [pointer.slice(1), pointer.slice(1)]),
          )
    if (Object.keys(faults).length === 0) throw error
    await sendList(deps, visit, { name, role, companyId, faults })
  }
}

async function askToRevoke(deps: PageDeps, visit: Visit, name: string, of: string): Promise<void> {
  const { by, words } = visit
  const { data } = await deps.access.apiTokens.list(by)
  const token = data.find((it) => it.name === name && (it.companyId ?? '') === of)
  if (!token) throw new RefusedInWords('not_found', words.tokens.gone)
  sendConsole(deps, visit, {
    template: 'token-revoke',
    title: fill(words.tokens.confirmTitle, { name: isolated(name) }),
    place: 'tokens',
    token: viewToken(deps, visit, token),
  })
}

async function revoke(deps: PageDeps, visit: Visit, form: Form): Promise<void> {
  const { by, words } = visit
  const companyId = form.text('companyId') || null
  await deps.access.apiTokens.revoke(by, form.text('name'), companyId).catch((cause: unknown) => {
    if (asAppError(cause)?.code !== 'not_found') throw cause
    throw new RefusedInWords('not_found', words.tokens.gone, { cause })
  })
  redirectDone(deps, visit, '/tokens', 'tokenRevoked')
}
