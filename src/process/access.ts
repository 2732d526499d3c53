import { ApiTokens } from '../access/api-tokens.ts'
import { type Mailing, openMailing } from '../access/mail/mailing.ts'
import { Sessions } from '../access/sessions.ts'
import { Provider } from '../access/sign-in/provider.ts'
import { SignIn, type SignInDeps } from '../access/sign-in/sign-in.ts'
import type { AuditStore } from '../domain/access/audit-entry.ts'
import type { TokenStore, Actor } from '../domain/access/staff.ts'
import { isLoopbackName } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { LinkStore } from '../domain/link.ts'
import type { PeopleByMail, PersonInCompany } from '../domain/person.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { FeedAdministration } from '../feeds/feed-administration.ts'
import { OwnCalendar } from '../feeds/self-service/own-calendar.ts'
import { rereadPerson } from '../people/person-state.ts'
import type { Settings } from '../settings/read-settings.ts'
import type { Store } from '../store/open-store.ts'
import { createPlainFetch } from '../transport/http.ts'
import { opensHereOnly } from '../web/loopback.ts'
import type { Surroundings } from './world.ts'

/** Who may do what, and who did. */
export interface AccessServices {
  readonly sessions: Sessions
  /** null where no identity provider is set. */
  readonly signIn: SignIn | null
  readonly tokens: TokenStore
  readonly audit: AuditStore
  readonly peopleByMail: PeopleByMail
  readonly apiTokens: ApiTokens
  /** null where no mail server is set. */
  readonly mailing: Mailing | null
}

interface AccessParts {
  readonly settings: Settings
  readonly surroundings: Surroundings
  readonly publicUrl: string
  readonly store: Store
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly departures: DepartureWatch
}

/** The use cases of access, on that store; what has to be ended is left to `open`. */
export function openAccess(parts: AccessParts, open: AsyncDisposableStack): AccessServices {
  const { settings, surroundings, store, publicUrl, connections, departures } = parts
  const { clock, log } = surroundings
  const { sessions, tokens, audit, peopleByMail } = store
  const { sessionMs } = settings
  const people = peopleByMail
  const companies = new Set(connections.keys())
  const by = { signInBy: signInBy(settings) }
  const begun = new Sessions({ sessions, people, companies, ...by, clock, sessionMs })
  const reread = async ({ companyId, userId }: PersonInCompany): Promise<void> => {
    const connection = connections.get(companyId)
    if (connection) await rereadPerson(departures, connection, userId)
  }
  const who = { people, companies, reread }
  const signingIn = { ...who, sessions: begun, audit, publicUrl, sessionMs, clock, log }
  const { feeds, links, lostLinks } = store
  const mailed = {
    people: store.people,
    peopleByMail,
    reread,
    feeds,
    links,
    lostLinks,
    audit,
    companies,
    publicUrl,
    clock,
    log,
  }
  const mailing = open.adopt(mailingOf(settings, mailed), async (it) => it?.close())
  return {
    sessions: begun,
    signIn: openSignIn(settings, signingIn),
    tokens,
    audit,
    peopleByMail,
    apiTokens: new ApiTokens({ tokens, connections, clock, log }),
    mailing,
  }
}

function mailingOf(
  { smtpUrl: server, mailFrom: from, allowInsecure }: Settings,
  deps: Omit<
    Parameters<typeof openMailing>[0],
    'server' | 'from' | 'mustBeSecure' | 'reachesPeople'
  >,
): Mailing | null {
  if (server === undefined || from === undefined) return null
  const isServerHere = isLoopbackName(server.host)
  const mustBeSecure = !allowInsecure && !isServerHere
  // A mail server on this machine is one for trying out, or hands mail to those who work on it.
  const reachesPeople = isServerHere || !opensHereOnly(deps.publicUrl)
  return openMailing({ ...deps, server, from, mustBeSecure, reachesPeople })
}

/** Sign-in with the identity provider that is set; null where none is. */
function openSignIn(
  settings: Settings,
  deps: Omit<SignInDeps, 'provider' | 'rules'>,
): SignIn | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = settings
  if (issuer === undefined || clientId === undefined) return null
  const { oidcPerson: person, oidcAdmin: admin, oidcSupport: support } = settings
  const { clock } = deps
  const fetch = createPlainFetch(settings)
  const provider = new Provider({ issuer, clientId, clientSecret, fetch, clock })
  return new SignIn({ ...deps, provider, rules: { person, admin, support } })
}

/** By which provider and rules people sign in, as one text that is another for others. */
function signInBy(settings: Settings): string {
  const { oidcIssuer, oidcClientId, oidcPerson, oidcAdmin, oidcSupport } = settings
  return JSON.stringify({ oidcIssuer, oidcClientId, oidcPerson, oidcAdmin, oidcSupport })
}

interface OwnCalendarsDeps {
  readonly administrationBy: (by: Actor) => FeedAdministration
  readonly feeds: FeedStore
  readonly links: LinkStore
  readonly clock: Clock
  readonly log: Log
}

/** The own calendar of anyone who has signed in, whose audit events are theirs. */
export function ownCalendars(deps: OwnCalendarsDeps): (person: PersonInCompany) => OwnCalendar {
  return (person) => {
    const { companyId, userId } = person
    const by: Actor = { actor: `person:${userId}`, companyId }
    const { creation } = deps.administrationBy(by)
    return new OwnCalendar({ ...deps, creation, by }, person)
  }
}
