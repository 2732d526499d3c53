/* A real mail server on loopback, and what it was handed. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** One mail as the server got it. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Header and body as they came over the wire, one byte a character. */
  readonly raw: string
  readonly isSecure: boolean
}

export interface MailServer {
  readonly port: number
  /** The settings of a bridge that mails by it. */
  readonly environment: Readonly<Record<string, string>>
  readonly mails: readonly ReceivedMail[]
  /** How many connections there were at most at once, and in all. */
  readonly connections: { readonly most: number; readonly all: number }
  /** Resolves once it has got so many mails. */
  received(count: number): Promise<void>
  /** Resolves once it has got a mail to that address. */
  receivedFor(address: string): Promise<void>
  close(): Promise<void>
}

/** What it does other than take every mail in plain text, from anybody. */
export type MailHabits = Omit<SMTPServerOptions, 'onData' | 'onConnect' | 'onClose'> & {
  /** What it says of a mail once it has got all of it; it is not kept if that fails. */
  readonly judge?: (mail: ReceivedMail) => Promise<void> | void
}

interface Connections {
  now: number
  most: number
  all: number
}

/** Starts it on a free port. */
export async function startMailServer({
  judge = () => undefined,
  ...options
}: MailHabits = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const observers = new Set<() => void>()
  const connections = { most: 0, all: 0, now: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    rejectOversized: true,
    closeTimeout: 100,
    ...options,
    ...counting(connections),
    onData: (stream, { envelope, secure }, answer) => {
      const take = async (): Promise<void> => {
        const raw = (await buffer(stream)).toString('latin1')
        if (stream.sizeExceeded) throw refusal(552, 'Too large for me')
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        const mail = { from, to, raw, isSecure: secure }
        await judge(mail)
        mails.push(mail)
        for (const observe of observers) observe()
      }
      void take().then(() => answer(), answer)
    },
  })
  // Clients that go away are no fault of the test.
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const until = (isEnough: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const observe = (): void => {
        if (!isEnough()) return
        observers.delete(observe)
        resolve()
      }
      observers.add(observe)
      observe()
    })
  const { port } = listening.address() as AddressInfo
  return {
    port,
    environment: {
      SMTP_URL: `smtp${options.secure ? 's' : ''}://127.0.0.1:${port}`,
      MAIL_FROM: 'Work calendars <calendars@example.com>',
    },
    mails,
    connections,
    received: (count) => until(() => mails.length >= count),
    receivedFor: (address) => until(() => mails.some(({ to }) => to.includes(address))),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function counting(connections: Connections): Pick<SMTPServerOptions, 'onConnect' | 'onClose'> {
  return {
    onConnect: (_session, answer) => {
      connections.all += 1
      connections.now += 1
      connections.most = Math.max(connections.most, connections.now)
      answer()
    },
    onClose: () => {
      connections.now -= 1
    },
  }
}

/** A refusal as servers say it. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
