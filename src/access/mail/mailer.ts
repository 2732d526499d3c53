import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import { createTransport } from 'nodemailer'

import type { Clock } from '../../domain/world.ts'
import { cutText, plainLine } from '../../text/plain-text.ts'
import { asMailFault, MailNotTaken } from './mail-faults.ts'

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

/** Not taken at the moment, although all of it was handed over: whoever sends it again may send it twice. */
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
