/* Sign-in and mail: what is set, and a test of each. */
import { z } from 'zod'

import { MailNotTaken } from '../../access/mail/mailer.ts'
import { SignInRefused } from '../../access/sign-in/provider.ts'
import type { SignIn } from '../../access/sign-in/sign-in.ts'
import { saveAuditEvent } from '../../domain/access/audit-entry.ts'
import { isolated } from '../../text/plain-text.ts'
import { RequestLimit } from '../../web/request-limit.ts'
import type { PageDeps } from '../pages/page.ts'
import { fill } from '../pages/words/words.ts'
import {
  type ConsoleHandler,
  type Form,
  readForm,
  RefusedInWords,
  sendConsole,
  type Visit,
} from './console.ts'

type Route = 'GET /console/access' | 'POST /console/access'

const testsPerMinute = 5
const mailField = z.email().max(254)

export function accessHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  const tests = new RequestLimit(testsPerMinute, deps.clock)
  return {
    'GET /console/access': async (visit) =>
      sendAccess(deps, visit, { address: await ownAddress(deps, visit) }),
    'POST /console/access': async (visit) => {
      const form = await readForm(visit)
      if (!tests.count(visit.by.actor)) {
        const retryAfterMs = 60_000
        throw new RefusedInWords('too_many_requests', visit.words.access.mail.tooOften, {
          retryAfterMs,
        })
      }
      if (form.text('act') === 'signIn') await testSignIn(deps, visit, form)
      else await testMail(deps, visit, form)
    },
  }
}

interface Told {
  readonly address: string
  readonly isWrongAddress?: boolean
  readonly mail?: object
  readonly signIn?: object
}

function sendAccess(deps: PageDeps, visit: Visit, told: Told): void {
  const { words } = visit
  const { access, publicUrl } = deps
  const { signIn, mailing } = access
  sendConsole(deps, visit, {
    template: 'access',
    title: words.access.title,
    place: 'access',
    openable: '/access',
    callback: `${publicUrl}/sign-in/callback`,
    start: `${publicUrl}/sign-in`,
    signIn: signIn && viewSignIn(signIn, visit),
    mail: mailing && {
      server: `${mailing.server.host}:${mailing.server.port}`,
      protection: mailing.protection,
      sender: `${mailing.from.name} <${mailing.from.address}>`.trim(),
      isLocalOnly: !mailing.reachesPeople,
    },
    told,
  })
}

function viewSignIn({ settings, hasStaff }: SignIn, { words }: Visit): object {
  const { issuer, clientId, hasSecret, rules } = settings
  const { person, admin, support } = rules
  const { byMail, byClaim } = words.access.signIn
  return {
    issuer,
    clientId,
    hasSecret,
    hasStaff,
    person: person.by === 'email' ? byMail : fill(byClaim, { claim: person.name }),
    admin: admin && `${admin.claim}=${admin.value}`,
    support: support && `${support.claim}=${support.value}`,
  }
}

/** Where a test goes unless somebody types another address. */
async function ownAddress({ people }: PageDeps, { by, person }: Visit): Promise<string> {
  const [, ofStaff = ''] = /^staff:(.+@.+)$/.exec(by.actor) ?? []
  if (!person) return ofStaff
  const known = await people.findPerson(person.companyId, person.userId)
  return known?.email ?? ofStaff
}

async function testMail(deps: PageDeps, visit: Visit, form: Form): Promise<void> {
  const { by, words, locale, response } = visit
  const { access, clock, log } = deps
  const { mailing } = access
  const address = form.text('address')
  if (!mailing) throw new RefusedInWords('conflict', words.access.mail.none)
  if (!mailField.safeParse(address).success) {
    response.status(400)
    return sendAccess(deps, visit, { address, isWrongAddress: true })
  }
  await saveAuditEvent(
    { audit: access.audit, clock, log },
    { actor: by.actor, action: 'mail_tested' },
    { companyId: by.companyId },
  )
  const failed = await mailing.sendTest(address, locale).then(
    () => null,
    (error: unknown) => {
      if (error instanceof MailNotTaken) return error
      throw error
    },
  )
  sendAccess(deps, visit, { address, mail: viewMailTest(visit, mailing, address, failed) })
}

function viewMailTest(
  { words }: Visit,
  { server: { host, port }, from }: NonNullable<PageDeps['access']['mailing']>,
  address: string,
  failed: MailNotTaken | null,
): object {
  const { causes, taken, fails } = words.access.mail
  const to = { address: isolated(address) }
  if (!failed) return { text: fill(taken, to) }
  const values = { host, server: `${host}:${port}`, from: from.address }
  return { fails: fill(fails, to), text: fill(causes[failed.why], values), reply: failed.reply }
}

async function testSignIn(deps: PageDeps, visit: Visit, form: Form): Promise<void> {
  const { words } = visit
  const { signIn } = deps.access
  if (!signIn) throw new RefusedInWords('conflict', words.access.signIn.none)
  const address = form.text('address')
  try {
    const { issuer, authorization_endpoint, token_endpoint, jwks_uri } = await signIn.probe()
    const found = {
      issuer,
      authorization: authorization_endpoint,
      token: token_endpoint,
      keys: jwks_uri,
    }
    sendAccess(deps, visit, { address, signIn: { found } })
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    const { causes, named } = words.access.signIn
    const what = error.what === undefined ? '' : fill(named, { what: error.what })
    sendAccess(deps, visit, { address, signIn: { text: causes[causeOf(error)], what } })
  }
}

function causeOf({ reason, what = '' }: SignInRefused) {
  if (what === 'ECONNREFUSED') return 'refused_connection'
  if (what === 'ENOTFOUND' || what === 'EAI_AGAIN') return 'unknown_host'
  if (what === 'jwks_uri') return 'keys'
  if (what === 'issuer') return 'tenants'
  if (what === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return 'issuer'
  return reason === 'provider_away' ? 'away' : 'wrong'
}
