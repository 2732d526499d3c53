import { ApiTokens } from '../access/api-tokens.ts'
import type { MailingDeps } from '../access/mail/invitations.ts'
import { openMailing } from '../access/mail/mailing.ts'
import { Sessions } from '../access/sessions.ts'
import { Provider } from '../access/sign-in/provider.ts'
import { SignIn } from '../access/sign-in/sign-in.ts'
import { isLoopbackName } from '../domain/company.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import type { PersonInCompany } from '../domain/person.ts'
import { rereadPerson } from '../people/person-state.ts'
import type { Settings } from '../settings/read-settings.ts'
import { createPlainFetch } from '../transport/http.ts'
import { opensHereOnly } from '../web/loopback.ts'
import type { Closing, Ports } from './companies.ts'

/**
 * Opens sessions, sign-in, tokens, audit log and mail; `signIn` is null without an identity provider, `mailing` without a
 * mail server.
 */
export function openAccess(
  settings: Settings,
  ports: Omit<Ports, 'departures'> &
    Pick<MailingDeps, 'brandOf'> & { readonly departures: DepartureWatch },
  closing: Closing,
) {
  const { connections, departures, tokens, audit, peopleByMail, clock, publicUrl } = ports
  const { oidcIssuer, oidcClientId, oidcPerson, oidcAdmin, oidcSupport } = settings
  const { smtpUrl: server, mailFrom: from, allowInsecure, sessionMs } = settings
  const deps = {
    ...ports,
    sessionMs,
    companies: new Set(connections.keys()),
    /** Changes with the provider or the rules; then everyone must sign in again. */
    signInBy: JSON.stringify({ oidcIssuer, oidcClientId, oidcPerson, oidcAdmin, oidcSupport }),
    reread: async ({ companyId, userId }: PersonInCompany): Promise<void> => {
      const connection = connections.get(companyId)
      if (connection) await rereadPerson(departures, connection, userId)
    },
  }
  const byMail = { ...deps, people: peopleByMail }
  const sessions = new Sessions(byMail)
  const openSignIn = (): SignIn | null => {
    if (oidcIssuer === undefined || oidcClientId === undefined) return null
    const provider = new Provider({
      issuer: oidcIssuer,
      clientId: oidcClientId,
      clientSecret: settings.oidcClientSecret,
      fetch: createPlainFetch(settings),
      clock,
    })
    const rules = { person: oidcPerson, admin: oidcAdmin, support: oidcSupport }
    return new SignIn({ ...byMail, sessions, provider, rules })
  }
  const openMail = () => {
    if (server === undefined || from === undefined) return null
    const isServerHere = isLoopbackName(server.host)
    const mustBeSecure = !allowInsecure && !isServerHere
    // A mail server on this machine is for trying things out, or delivers to people who work on it.
    const reachesPeople = isServerHere || !opensHereOnly(publicUrl)
    return closing(openMailing({ ...deps, server, from, mustBeSecure, reachesPeople }))
  }
  return {
    sessions,
    signIn: openSignIn(),
    tokens,
    audit,
    apiTokens: new ApiTokens(deps),
    mailing: openMail(),
  }
}
