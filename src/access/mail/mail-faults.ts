import { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import { withoutTokens } from '../../domain/link.ts'
import { cutText, plainLine } from '../../text/plain-text.ts'

/**
 * Why a mail was not taken: refused for good, not taken at the moment, nobody there, no secure connection, login refused; or
 * it was handed over, and the connection ended before the server said what it makes of it.
 */
export type MailFault =
  | 'refused'
  | 'deferred'
  | 'unreachable'
  | 'insecure'
  | 'login'
  | 'unknown_delivery'

interface MailNotTakenOptions {
  readonly cause?: unknown
  readonly status?: number
  readonly isOfRecipient?: boolean
}

/** A mail that was not taken, as far as is known. */
export class MailNotTaken extends AppError {
  readonly fault: MailFault
  /** Whether the server wants no mail for that person, which says nothing about others. */
  readonly isOfRecipient: boolean

  constructor(fault: MailFault, message: string, options: MailNotTakenOptions) {
    super('unavailable', message, options)
    this.fault = fault
    this.isOfRecipient = options.isOfRecipient ?? false
  }
}

/** Whether the mail may have been delivered although nobody has said so. */
export function mayBeDelivered(error: unknown): boolean {
  return error instanceof MailNotTaken && error.fault === 'unknown_delivery'
}

/** What is known where a mail fails. */
export interface FailedMail {
  /** Where the mail server is. */
  readonly server: string
  /** Whether any of the mail itself was handed over. */
  readonly isHandedOver: boolean
  /** What no sentence may hold, in any writing. */
  readonly secrets: readonly (string | null)[]
}

const errorSchema = z.object({
  message: z.string().catch(''),
  code: z.string().catch(''),
  originalCode: z.string().catch(''),
  command: z.string().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
  /** 0 where the server said nothing. */
  responseCode: z.number().catch(0),
})
type ServerError = z.infer<typeof errorSchema>

const replyLengthMax = 300
const connectionCodes = new Set(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'EPROTOCOL'])
const ofCertificates = /CERT|SELF_SIGNED|SIGNATURE|^ERR_(?:SSL|TLS)|^EPROTO$/

/** What the library's error means, in a sentence with the server's own reply. */
export function asMailFault(cause: unknown, failed: FailedMail): MailNotTaken {
  const error = errorSchema.parse(cause instanceof Error ? cause : {})
  const fault = faultOf(error, failed)
  const told = toldBy(error, failed)
  const { responseCode: status } = error
  const said = sentences[fault](failed.server, told, error.command === 'STARTTLS')
  // What the library itself refuses, without a word of the server, is the address.
  const isOfRecipient = fault === 'refused' && (error.command === 'RCPT TO' || status === 0)
  return new MailNotTaken(fault, said, { cause, isOfRecipient, ...(status > 0 && { status }) })
}

const sentences: Readonly<
  Record<MailFault, (server: string, told: string, offersNone: boolean) => string>
> = {
  refused: (_server, told) => `The mail server refused it: ${told}`,
  deferred: (_server, told) => `The mail server does not take it at the moment: ${told}`,
  unreachable: (server, told) => `The mail server ${server} cannot be reached: ${told}`,
  insecure: (server, told, offersNone) =>
    offersNone
      ? `The mail server ${server} offers no STARTTLS, and nothing is mailed without TLS: ${told}`
      : `There is no secure connection to the mail server ${server} (NODE_EXTRA_CA_CERTS names further authorities): ${told}`,
  login: (_server, told) => `The mail server refused the login of SMTP_URL: ${told}`,
  unknown_delivery: (_server, told) =>
    `The mail may have been delivered and is not sent again; the connection ended before the mail server said so: ${told}`,
}

function faultOf(error: ServerError, { isHandedOver }: FailedMail): MailFault {
  const { code, originalCode, responseCode: status } = error
  if (isHandedOver && status === 0) return 'unknown_delivery'
  if (code === 'ETLS' || ofCertificates.test(originalCode)) return 'insecure'
  if (Math.floor(status / 100) === 4) return 'deferred'
  if (code === 'EAUTH') return 'login'
  return status === 0 && connectionCodes.has(code) ? 'unreachable' : 'refused'
}

/** The server's reply, else what the system says; one line that ends like a sentence, without credentials. */
function toldBy({ response, message }: ServerError, { secrets }: FailedMail): string {
  const said = withoutTokens(plainLine(response ?? message))
  const plain = secrets.filter((secret) => secret !== null && secret !== '').map(String)
  const hidden = plain.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')])
  const safe = hidden.reduce((text, secret) => text.replaceAll(secret, '…'), said)
  return `${cutText(safe.trim(), replyLengthMax).replace(/\.$/, '')}.`
}
