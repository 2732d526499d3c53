import { ApiTokens } from '../access/api-tokens.ts'
import { type Mailing, openMailing } from '../access/mail/mailing.ts'
import { Sessions } from '../access/sessions.ts'
import { Provider } from '../access/sign-in/provider.ts'
import { SignIn } from '../access/sign-in/sign-in.ts'
import { isLoopbackName } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import type { PersonInCompany } from '../domain/person.ts'
import type { Clock, Log } from '../domain/world.ts'
import { rereadPerson } from '../people/person-state.ts'
import type { Settings } from '../settings/read-settings.ts'
import type { Store } from '../store/open-store.ts'
import { createPlainFetch } from '../transport/http.ts'
import { opensHereOnly } from '../web/loopback.ts'

interface AccessDeps extends Omit<Store, 'connections' | 'departures'> {
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly departures: DepartureWatch
  readonly publicUrl: string
  readonly clock: Clock
  readonly log: Log
}

/** Who may do what, and who did: `signIn` is null without an identity provider, `mailing` without a mail server. */
export interface AccessServices extends Pick<Store, 'tokens' | 'audit' | 'peopleByMail'> {
  readonly sessions: Sessions
  readonly signIn: SignIn | null
  readonly apiTokens: ApiTokens
  readonly mailing: Mailing | null
}

/** `open` closes what has to be closed. */
export function openAccess(
  settings: Settings,
  store: AccessDeps,
  open: AsyncDisposableStack,
): AccessServices {
  const { connections, departures, tokens, audit, peopleByMail } = store
  const { sessionMs, oidcIssuer, oidcClientId, oidcPerson, oidcAdmin, oidcSupport } = settings
  const deps = {
    ...store,
    sessionMs,
    companies: new Set(connections.keys()),
    /** Another text for another provider or other rules: then nobody is signed in any more. */
    signInBy: JSON.stringify({ oidcIssuer, oidcClientId, oidcPerson, oidcAdmin, oidcSupport }),
    reread: async ({ companyId, userId }: PersonInCompany): Promise<void> => {
      const connection = connections.get(companyId)
      if (connection) await rereadPerson(departures, connection, userId)
    },
  }
  const sessions = new Sessions({ ...deps, people: peopleByMail })
  return {
    sessions,
    signIn: openSignIn(settings, { ...deps, people: peopleByMail, sessions }),
    tokens,
    audit,
    peopleByMail,
    apiTokens: new ApiTokens(deps),
    mailing: open.adopt(mailingOf(settings, deps), async (it) => it?.close()),
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
  // A mail server on this machine is there to try things out, or delivers to people who work on it.
  const reachesPeople = isServerHere || !opensHereOnly(deps.publicUrl)
  return openMailing({ ...deps, server, from, mustBeSecure, reachesPeople })
}

function openSignIn(
  settings: Settings,
  deps: Omit<ConstructorParameters<typeof SignIn>[0], 'provider' | 'rules'>,
): SignIn | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = settings
  if (issuer === undefined || clientId === undefined) return null
  const { oidcPerson: person, oidcAdmin: admin, oidcSupport: support } = settings
  const fetch = createPlainFetch(settings)
  const provider = new Provider({ issuer, clientId, clientSecret, fetch, clock: deps.clock })
  return new SignIn({ ...deps, provider, rules: { person, admin, support } })
}
