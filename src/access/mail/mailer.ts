import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import { createTransport } from 'nodemailer'
import { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import { withoutSecrets } from '../../domain/secrets.ts'
import type { Clock } from '../../domain/world.ts'
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
function asMailFault(cause: unknown, failed: FailedMail): MailNotTaken {
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
  const said = withoutSecrets(plainLine(response ?? message))
  const plain = secrets.filter((secret) => secret !== null && secret !== '').map(String)
  const hidden = plain.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')])
  const safe = hidden.reduce((text, secret) => text.replaceAll(secret, '…'), said)
  return `${cutText(safe.trim(), replyLengthMax).replace(/\.$/, '')}.`
}

/** A name, empty where there is none, and one address. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** What goes to one person, the same as text and as HTML. */
export interface Letter {
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** How long each step may take. */
export interface MailPatience {
  readonly connectionMs: number
  readonly greetingMs: number
  readonly socketMs: number
  readonly dnsMs: number
}

/** Where mail is handed over, and from whom it comes. */
export interface MailerDeps {
  readonly server: {
    readonly host: string
    readonly port: number
    readonly startsSecure: boolean
    readonly user: string | null
    readonly password: string | null
  }
  readonly from: Mailbox
  /** Whether nothing goes over the wire without TLS and a certificate that checks out. */
  readonly mustBeSecure: boolean
  readonly publicUrl: string
  readonly clock: Clock
  readonly patience?: MailPatience
}

const usualPatience: MailPatience = {
  connectionMs: 10_000,
  greetingMs: 10_000,
  socketMs: 30_000,
  dnsMs: 10_000,
}

const connectionsMax = 5
/** Before a mail that was not taken at the moment is handed over again. */
const pausesMs = [1000, 4000]
/** Shorter than servers keep a connection on which nothing is said. */
const idleMs = 10_000
const nameLengthMax = 200

/** Hands mail over to the mail server, by few connections that are opened when they are needed. */
export class Mailer {
  readonly #deps: MailerDeps
  readonly #ending = new AbortController()
  /** The texts that are under way, by the ids of the mails: what has been read of one was handed over. */
  readonly #texts = new Map<string, Readable>()
  #transport: ReturnType<typeof openTransport> | undefined

  constructor(deps: MailerDeps) {
    this.#deps = deps
  }

  /**
   * Resolves once the server has taken the letter. What it does not take at the moment is handed over again, twice at most; a
   * letter that it may have taken is not. `MailNotTaken` says why.
   */
  async send(letter: Letter): Promise<void> {
    for (const pauseMs of pausesMs) {
      const failed = await this.#trySending(letter)
      if (!failed) return
      if (!isWorthAnother(failed)) throw failed
      await this.#deps.clock.sleep(pauseMs, this.#ending.signal).catch(() => {
        throw failed
      })
    }
    const failed = await this.#trySending(letter)
    if (failed) throw failed
  }

  /** Ends all connections; what is being handed over fails. */
  close(): void {
    this.#ending.abort(new Error('closing'))
    this.#transport?.close()
  }

  async #trySending({ to, subject, text, html }: Letter): Promise<MailNotTaken | undefined> {
    const { from, publicUrl } = this.#deps
    const messageId = `<${randomUUID()}@${hostOf(publicUrl)}>`
    try {
      this.#transport ??= openTransport(this.#deps, this.#texts)
      await this.#transport.sendMail({
        from: mailbox(from),
        to: mailbox(to),
        envelope: { from: from.address, to: [to.address] },
        subject: plainLine(subject),
        text,
        html,
        messageId,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: this.#ending.signal,
        xMailer: false,
      })
      return undefined
    } catch (error) {
      return this.#faultOf(error, messageId)
    } finally {
      this.#texts.delete(messageId)
    }
  }

  #faultOf(error: unknown, messageId: string): MailNotTaken {
    const { host, port, user, password } = this.#deps.server
    const isHandedOver = this.#texts.get(messageId)?.readableDidRead ?? false
    const server = `${host}:${port}`
    const fault = asMailFault(error, { server, isHandedOver, secrets: [password, user] })
    return isHandedOver && fault.fault === 'deferred' ? new AfterData(fault) : fault
  }
}

/** Not taken at the moment, although all of it was handed over: anyone who sends it again may send it twice. */
class AfterData extends MailNotTaken {
  constructor({ message, status, cause }: MailNotTaken) {
    super('deferred', message, { cause, ...(status === undefined ? {} : { status }) })
  }
}

function isWorthAnother(failed: MailNotTaken): boolean {
  const { fault } = failed
  return !(failed instanceof AfterData) && (fault === 'deferred' || fault === 'unreachable')
}

function openTransport(deps: MailerDeps, texts: Map<string, Readable>) {
  const { server, mustBeSecure, patience = usualPatience } = deps
  const { host, port, startsSecure, user, password } = server
  const transport = createTransport({
    pool: true,
    host,
    port,
    secure: startsSecure,
    requireTLS: mustBeSecure,
    // What may go in plain text gains nothing from a certificate: anybody between could have STARTTLS left out.
    tls: { rejectUnauthorized: startsSecure || mustBeSecure },
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: patience.connectionMs,
    greetingTimeout: patience.greetingMs,
    socketTimeout: patience.socketMs,
    dnsTimeout: patience.dnsMs,
    maxConnections: connectionsMax,
    // Whether a mail is handed over once more is decided here.
    maxRequeues: 0,
    idleTimeout: idleMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return transport.use('stream', ({ data, message }, done) => {
    const read = message.createReadStream.bind(message)
    message.createReadStream = (options) => {
      const text = read(options)
      if (data.messageId !== undefined) texts.set(data.messageId, text)
      return text
    }
    done()
  })
}

/** What stands in a name stays in it, whatever it is. */
function mailbox({ name, address }: Mailbox): Mailbox {
  return { name: cutText(plainLine(name).trim(), nameLengthMax), address }
}

/** A literal address would need a form of its own in a mail's id. */
function hostOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return hostname.startsWith('[') ? 'localhost' : hostname
}
