import { isLoopbackName } from '../domain/loopback.ts'
import type { CompanySettings } from './company-settings.ts'

/** What the two settings are called in the sentence. */
interface ExposedNames {
  readonly credential: string
  readonly address: string
}

/** A sentence where everybody on the way could read the company's credential. */
export function sayExposure(
  { connection: { authentication, baseUrl } }: CompanySettings,
  { credential, address }: ExposedNames,
): readonly string[] {
  if (authentication.scheme === 'none' || !isExposed(new URL(baseUrl))) return []
  return [
    `${credential} must not be sent over http to another machine: set ${address} to an https address or, where the network between them is trusted, ALLOW_INSECURE=true.`,
  ]
}

function isExposed({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopbackName(hostname)
}
