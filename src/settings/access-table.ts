import { z } from 'zod'

import * as field from './fields.ts'
import { secret, setting } from './setting.ts'

/** By what a sign-in says who somebody is: by their mail address, or by a claim that holds their user id. */
export type PersonClaim = { readonly by: 'email' } | { readonly by: 'claim'; readonly name: string }

/** Who is staff: whoever's claim is, or holds, that value. */
export interface StaffClaim {
  readonly claim: string
  readonly value: string
}

/** Where mail is handed over. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** Whether the connection begins with TLS; otherwise STARTTLS makes it secure. */
  readonly startsSecure: boolean
  readonly user: string | null
  readonly password: string | null
}

export interface MailAddress {
  /** Empty where there is none. */
  readonly name: string
  readonly address: string
}

/** A space before or behind is nobody's intention, and nobody sees it. */
const trimmed = z.string().trim()

const personClaim = field.parsed<string, PersonClaim>(
  trimmed,
  (text) => {
    if (text === 'email') return { by: 'email' }
    const name = /^claim:(\S+)$/.exec(text)?.[1]
    return name === undefined ? undefined : { by: 'claim', name }
  },
  'must be email or claim:NAME, the claim that holds the user id',
)

const staffClaim = field.parsed<string, StaffClaim>(
  trimmed,
  (text) => {
    const [, claim, value] = /^([^\s=#"']+) *= *([^\s"'](?:(?!\s#).)*)$/.exec(text) ?? []
    return claim === undefined || value === undefined ? undefined : { claim, value }
  },
  'must be CLAIM=VALUE, such as groups=hr-admins, with neither quotation marks around it nor a comment behind it',
)

/** As the provider itself writes it, a slash at its end included: the two are compared. */
const issuer = field.parsed<string, string>(
  trimmed,
  (text) => (/^https?:\/\/[^\s?#@]+$/i.test(text) && URL.canParse(text) ? text : undefined),
  'must be the absolute http or https address of the identity provider, without credentials, query and fragment',
)

/** A secret is not made another one: a space could be part of it, though that is unlikely. */
const clientSecret = field.text.regex(
  /^\S(?:.*\S)?$/,
  'must not begin or end with a space, nor hold more than one line',
)

const smtpUrl = field.parsed<string, MailServer>(
  z.string(),
  mailServerOf,
  'must be smtp://HOST:PORT or smtps://USER:PASSWORD@HOST:PORT, with nothing behind it; in USER and PASSWORD, characters other than letters and digits as %XX',
)

const mailAddress = field.parsed<string, MailAddress>(
  z.string(),
  mailAddressOf,
  'must be a mail address, or a name and one: Work calendars <calendars@example.com>',
)

/** The settings of who may do what, and of mail. */
export const accessRows = {
  oidcIssuer: setting(
    'OIDC_ISSUER',
    issuer.optional(),
    'people sign in with this OpenID provider: the address under which it publishes `/.well-known/openid-configuration`',
  ),
  oidcClientId: setting(
    'OIDC_CLIENT_ID',
    trimmed.min(1, 'must not be empty').optional(),
    'how the provider calls the bridge; must be set with `OIDC_ISSUER`',
  ),
  oidcClientSecret: secret(
    'OIDC_CLIENT_SECRET',
    clientSecret.optional(),
    'what the provider gave it; without one the bridge is a public client',
  ),
  oidcPerson: setting(
    'OIDC_PERSON',
    personClaim.prefault('email'),
    'who somebody is: `email` (a verified address that is one active person’s in a company), or `claim:NAME` (the claim holds the user id)',
  ),
  oidcAdmin: setting(
    'OIDC_ADMIN',
    staffClaim.optional(),
    'who is staff with the role `admin`: `CLAIM=VALUE`, such as `groups=hr-admins`',
  ),
  oidcSupport: setting(
    'OIDC_SUPPORT',
    staffClaim.optional(),
    'who is staff with the role `support`: `CLAIM=VALUE`',
  ),
  sessionMs: setting('SESSION_HOURS', field.hours(1, 720).prefault(12), 'how long a sign-in lasts'),
  smtpUrl: secret(
    'SMTP_URL',
    smtpUrl.optional(),
    'where mail is handed over: `smtps://USER:PASSWORD@HOST:PORT`, or `smtp://…` with STARTTLS; without it nothing is mailed',
  ),
  mailFrom: setting(
    'MAIL_FROM',
    mailAddress.optional(),
    'from whom mail comes, such as `Work calendars <calendars@example.com>`; must be set with `SMTP_URL`',
  ),
}

const defaultPorts: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }

function mailServerOf(text: string): MailServer | undefined {
  const url = URL.parse(text)
  const port = url && portOf(url)
  const account = url && accountOf(url)
  if (!port || !account || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname + url.search + url.hash)) return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { host, port, startsSecure: url.protocol === 'smtps:', ...account }
}

function portOf({ protocol, port }: URL): number | undefined {
  const preset = defaultPorts[protocol]
  return preset === undefined || port === '' ? preset : Number(port)
}

function accountOf({ username, password }: URL): Pick<MailServer, 'user' | 'password'> | undefined {
  const [user, word] = [decoded(username), decoded(password)]
  if (user === undefined || word === undefined) return undefined
  return { user: user || null, password: word || null }
}

/** undefined for what is not written by that rule. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function mailAddressOf(text: string): MailAddress | undefined {
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return undefined
  const [, name = '', angled] = /^(.*?)\s*<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = angled ?? text.trim()
  const isAddress = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/.test(address)
  return isAddress ? { name: name.replace(/^"(.*)"$/, '$1'), address } : undefined
}
