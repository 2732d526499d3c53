import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import { createTransport } from 'nodemailer'
import { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import type { Measures } from '../../domain/measures.ts'
import { withoutSecrets } from '../../domain/secrets.ts'
import type { Clock } from '../../domain/world.ts'
import { cutText, plainLine } from '../../text/plain-text.ts'

/** `unknown_delivery`: the mail was handed over, and the connection ended before the server answered. */
type MailFault = 'refused' | 'deferred' | 'unreachable' | 'insecure' | 'login' | 'unknown_delivery'

/** What to look at where it is not the mail: finer than `fault`. */
export type MailCause =
  | Exclude<MailFault, 'refused' | 'unreachable' | 'insecure'>
  | 'refused_mail'
  | 'refused_recipient'
  | 'refused_connection'
  | 'unknown_host'
  | 'no_answer'
  | 'no_starttls'
  | 'certificate'

export class MailNotTaken extends AppError {
  readonly fault: MailFault
  readonly why: MailCause
  /** What the mail server says, else the system: one line without credentials. */
  readonly reply: string
  /** Whether only this person's mail is refused, which says nothing about others. */
  readonly isOfRecipient: boolean

  constructor(
    fault: MailFault,
    message: string,
    options: {
      readonly cause: unknown
      readonly status?: number
      readonly why: MailCause
      readonly reply: string
      readonly isOfRecipient: boolean
    },
  ) {
    super('unavailable', message, options)
    this.fault = fault
    this.why = options.why
    this.reply = options.reply
    this.isOfRecipient = options.isOfRecipient
  }
}

export function mayBeDelivered(error: unknown): boolean {
  return error instanceof MailNotTaken && error.fault === 'unknown_delivery'
}

const errorSchema = z.object({
  message: z.string().catch(''),
  code: z.string().catch(''),
  originalCode: z.string().catch(''),
  command: z.string().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
  /** 0 if the server said nothing. */
  responseCode: z.number().catch(0),
})
type ServerError = z.infer<typeof errorSchema>

const replyLengthMax = 300
const connectionCodes = new Set(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'EPROTOCOL'])
const ofCertificates = /CERT|SELF_SIGNED|SIGNATURE|^ERR_(?:SSL|TLS)|^EPROTO$/

function asMailFault(cause: unknown, server: MailServer, isHandedOver: boolean): MailNotTaken {
  const error = errorSchema.parse(cause instanceof Error ? cause : {})
  const { responseCode: status, command } = error
  const fault = faultOf(error, isHandedOver)
  const offersNoTls = command === 'STARTTLS'
  const reply = replyOf(error, server)
  const said = `${sentences[fault](`${server.host}:${server.port}`, offersNoTls)}: ${reply}`
  // What the library refuses before it asks the server is the address.
  const isOfRecipient = fault === 'refused' && (command === 'RCPT TO' || status === 0)
  const why = causeOf(fault, error, { isOfRecipient, offersNoTls })
  const told = { cause, why, reply, isOfRecipient }
  return new MailNotTaken(fault, said, { ...told, ...(status > 0 && { status }) })
}

function causeOf(
  fault: MailFault,
  { code, originalCode }: ServerError,
  {
    isOfRecipient,
    offersNoTls,
  }: { readonly isOfRecipient: boolean; readonly offersNoTls: boolean },
): MailCause {
  if (fault === 'refused') return isOfRecipient ? 'refused_recipient' : 'refused_mail'
  if (fault === 'insecure') return offersNoTls ? 'no_starttls' : 'certificate'
  if (fault !== 'unreachable') return fault
  if (originalCode === 'ECONNREFUSED') return 'refused_connection'
  return code === 'EDNS' ? 'unknown_host' : 'no_answer'
}

const sentences: Readonly<Record<MailFault, (server: string, offersNoTls: boolean) => string>> = {
  refused: () => 'The mail server refused it',
  deferred: () => 'The mail server does not take it at the moment',
  unreachable: (server) => `The mail server ${server} cannot be reached`,
  insecure: (server, offersNoTls) =>
    offersNoTls
      ? `The mail server ${server} offers no STARTTLS, and nothing is mailed without TLS`
      : `There is no secure connection to the mail server ${server} (NODE_EXTRA_CA_CERTS names further authorities)`,
  login: () => 'The mail server refused the login of SMTP_URL',
  unknown_delivery: () =>
    'The mail may have been delivered and is not sent again; the connection ended before the mail server said so',
}

function faultOf(
  { code, originalCode, responseCode: status }: ServerError,
  isHandedOver: boolean,
): MailFault {
  if (isHandedOver && status === 0) return 'unknown_delivery'
  if (code === 'ETLS' || ofCertificates.test(originalCode)) return 'insecure'
  if (Math.floor(status / 100) === 4) return 'deferred'
  if (code === 'EAUTH') return 'login'
  return status === 0 && connectionCodes.has(code) ? 'unreachable' : 'refused'
}

/** The server's reply, else what the system says: one line without credentials. */
function replyOf({ response, message }: ServerError, { user, password }: MailServer): string {
  const hidden = [password, user].flatMap((secret) =>
    secret ? [secret, Buffer.from(secret).toString('base64')] : [],
  )
  const said = withoutSecrets(plainLine(response ?? message))
  const safe = hidden.reduce((text, secret) => text.replaceAll(secret, '…'), said)
  return `${cutText(safe.trim(), replyLengthMax).replace(/\.$/, '')}.`
}

export interface Mailbox {
  readonly name: string
  readonly address: string
}

export interface Letter {
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  readonly html: string
  /** A PNG that the HTML shows as `cid:` and `logoCid`; null if it shows none. */
  readonly logo: Uint8Array | null
}

export const logoCid = 'logo@letter'

export interface MailServer {
  readonly host: string
  readonly port: number
  readonly startsSecure: boolean
  readonly user: string | null
  readonly password: string | null
}

export interface MailerDeps {
  readonly server: MailServer
  readonly from: Mailbox
  /** Whether nothing may be sent without TLS and a valid certificate. */
  readonly mustBeSecure: boolean
  readonly publicUrl: string
  readonly clock: Clock
  readonly measures?: Pick<Measures, 'countMail' | 'watchQueue'> | undefined
  /** How long the server may take to answer at first. */
  readonly patienceMs?: number
}

const connectionsMax = 5
/** Before a mail that was not taken at the moment is sent again. */
const pausesMs: readonly (number | null)[] = [1000, 4000, null]
/** Shorter than servers keep an idle connection. */
const idleMs = 10_000
const nameLengthMax = 200

/** Sends mail through the mail server, with few connections that are opened when needed. */
export class Mailer {
  readonly #deps: MailerDeps
  readonly #ending = new AbortController()
  /** The texts being sent, by the ids of the mails: whatever was read of one was handed over. */
  readonly #texts = new Map<string, Readable>()
  #transport: ReturnType<typeof openTransport> | undefined
  #sending = 0

  constructor(deps: MailerDeps) {
    this.#deps = deps
    deps.measures?.watchQueue('mails', () => this.#sending)
  }

  /**
   * Resolves once the server has taken the letter, else fails with `MailNotTaken`. What is not taken at the moment is sent
   * again, twice at most; a letter that was handed over is not.
   */
  send(letter: Letter): Promise<void> {
    return this.#measured(letter, pausesMs)
  }

  /** Like `send`, for somebody who waits for it: nothing is sent again. */
  sendOnce(letter: Letter): Promise<void> {
    return this.#measured(letter, [null])
  }

  close(): void {
    this.#ending.abort(new Error('closing'))
    this.#transport?.close()
  }

  async #measured(letter: Letter, pauses: readonly (number | null)[]): Promise<void> {
    const { measures } = this.#deps
    this.#sending += 1
    try {
      await this.#send(letter, pauses)
      measures?.countMail('sent')
    } catch (error) {
      if (error instanceof MailNotTaken) measures?.countMail(error.why)
      throw error
    } finally {
      this.#sending -= 1
    }
  }

  async #send(letter: Letter, pauses: readonly (number | null)[]): Promise<void> {
    const { clock, server, publicUrl } = this.#deps
    for (const pauseMs of pauses) {
      const messageId = `<${randomUUID()}@${new URL(publicUrl).hostname}>`
      try {
        return await this.#handOver(letter, messageId)
      } catch (error) {
        const isHandedOver = this.#texts.get(messageId)?.readableDidRead ?? false
        const failed = asMailFault(error, server, isHandedOver)
        const isPassing = failed.fault === 'deferred' || failed.fault === 'unreachable'
        if (!isPassing || isHandedOver || pauseMs === null) throw failed
        await clock.sleep(pauseMs, this.#ending.signal).catch(() => Promise.reject(failed))
      } finally {
        this.#texts.delete(messageId)
      }
    }
  }

  async #handOver({ to, subject, text, html, logo }: Letter, messageId: string): Promise<void> {
    const { from } = this.#deps
    this.#transport ??= openTransport(this.#deps, this.#texts)
    await this.#transport.sendMail({
      from: mailbox(from),
      to: mailbox(to),
      envelope: { from: from.address, to: [to.address] },
      subject: plainLine(subject),
      text,
      html,
      attachments: logo ? [inlineLogo(logo)] : [],
      messageId,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: this.#ending.signal,
      xMailer: false,
    })
  }
}

function openTransport(
  { server, mustBeSecure, patienceMs = 10_000 }: MailerDeps,
  texts: Map<string, Readable>,
) {
  const { host, port, startsSecure, user, password } = server
  const transport = createTransport({
    pool: true,
    host,
    port,
    secure: startsSecure,
    requireTLS: mustBeSecure,
    // If plain text is allowed, a certificate protects nothing: anybody in between could leave out STARTTLS.
    tls: { rejectUnauthorized: startsSecure || mustBeSecure },
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    dnsTimeout: patienceMs,
    socketTimeout: 3 * patienceMs,
    maxConnections: connectionsMax,
    // `Mailer` decides what is sent again.
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

function inlineLogo(png: Uint8Array) {
  return {
    filename: 'logo.png',
    contentType: 'image/png',
    contentDisposition: 'inline',
    cid: logoCid,
    content: Buffer.from(png),
  } as const
}

function mailbox({ name, address }: Mailbox): Mailbox {
  return { name: cutText(plainLine(name).trim(), nameLengthMax), address }
}
