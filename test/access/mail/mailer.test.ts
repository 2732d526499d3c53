import type { Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'

import { isMailAddress } from '../../../src/access/mail/invitations.ts'
import { composeLetter } from '../../../src/access/mail/letters.ts'
import { logoCid, MailNotTaken, type Letter, Mailer } from '../../../src/access/mail/mailer.ts'
import { noBrand } from '../../../src/domain/brand.ts'
import type { Clock } from '../../../src/domain/world.ts'
import { createSkippingClock } from '../../support/bridge/fake-clock.ts'
import { cutAfterData, listen } from '../../support/company/loopback-sockets.ts'
import { createCertificate } from '../../support/web/certificate.ts'
import {
  type MailHabits,
  type MailServer,
  refusal,
  startMailServer,
} from '../../support/web/mail-server.ts'
import { fieldOf, readMail } from '../../support/web/read-mail.ts'

const page = `http://127.0.0.1:8080/feeds/cfb_${'a'.repeat(43)}`
const letter: Letter = composeLetter({
  kind: 'invitation',
  sender: { brand: noBrand, company: null },
  to: { name: 'Ada Lovelace', address: 'ada@example.com' },
  firstName: 'Ada',
  feed: { name: 'Ada', locale: 'en', timezone: 'Europe/Berlin' },
  page,
})

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const opened of open.splice(0).toReversed()) await opened.close()
})

async function start(habits?: MailHabits): Promise<MailServer> {
  const server = await startMailServer(habits)
  open.push(server)
  return server
}

/** Longer than any machine takes. */
const patienceMs = 60_000

interface Wishes {
  readonly startsSecure?: boolean
  readonly mustBeSecure?: boolean
  readonly user?: string
  readonly password?: string
  readonly clock?: Clock
  /** How long the mail server may say nothing. */
  readonly silentMs?: number
}

function mailerTo(port: number, { user, password, clock, ...wishes }: Wishes = {}): Mailer {
  const mailer = new Mailer({
    server: {
      host: '127.0.0.1',
      port,
      startsSecure: wishes.startsSecure ?? false,
      user: user ?? null,
      password: password ?? null,
    },
    from: { name: 'Work calendars', address: 'calendars@example.com' },
    mustBeSecure: wishes.mustBeSecure ?? false,
    publicUrl: 'https://calendar.example.com/work',
    clock: clock ?? createSkippingClock(),
    patienceMs: wishes.silentMs ?? patienceMs,
  })
  open.push(mailer)
  return mailer
}

async function faultOf(sending: Promise<void>): Promise<MailNotTaken> {
  const error = await sending.then(
    () => new Error('It was taken.'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof MailNotTaken) return error
  throw error
}

describe('a mail', () => {
  it('Has text and HTML parts, only our fields, and one recipient', async () => {
    const server = await start()
    await mailerTo(server.port).send(letter)
    const [mail] = server.mails
    expect([mail?.from, mail?.to]).toEqual(['calendars@example.com', ['ada@example.com']])
    const read = readMail(mail?.raw ?? '')
    expect([...read.fields.keys()].toSorted()).toEqual(ourFields)
    expect(fieldOf(read, 'to')).toBe('Ada Lovelace <ada@example.com>')
    expect(fieldOf(read, 'auto-submitted')).toBe('auto-generated')
    expect(fieldOf(read, 'message-id')).toMatch(/^<[\w-]+@calendar\.example\.com>$/)
    expect(fieldOf(read, 'content-type')).toMatch(/^multipart\/alternative;/)
    expect(read.parts.map(({ type }) => type)).toEqual(['text/plain', 'text/html'])
    for (const { text } of read.parts) expect(text).toContain(page)
  })

  it('Has a logo beside the HTML that shows it', async () => {
    const server = await start()
    const logo = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255])
    await mailerTo(server.port).send({ ...letter, logo })
    const read = readMail(server.mails[0]?.raw ?? '')
    expect(fieldOf(read, 'content-type')).toMatch(/^multipart\/alternative;/)
    expect(read.parts.map(({ type }) => type)).toEqual(['text/plain', 'text/html', 'image/png'])
    const [, , image] = read.parts
    expect(image?.bytes).toEqual(logo)
    expect(image?.fields.get('content-id')).toEqual([`<${logoCid}>`])
    expect(image?.fields.get('content-disposition')?.[0]).toMatch(/^inline\b/)
    expect(server.mails[0]?.raw).toMatch(/multipart\/related;[^]*text\/html[^]*image\/png/)
  })

  it('Has no injected fields or recipients, whatever people and calendars are called', async () => {
    const server = await start()
    const mailer = mailerTo(server.port)
    const hostile = fc.constantFrom(
      'x\r\nBcc: eve@example.com',
      'x\nTo: eve@example.com',
      '=?utf-8?q?=0D=0ABcc:_eve@example.com?=',
      'Eve <eve@example.com>, Mallory',
      '"\\" <eve@example.com>',
      'a, b; c: d@e.f;',
      'Zoë 👩‍💻 \u2028 \u0000 \u202e',
      '\ud800',
    )
    const name = fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 40 }), fc.string())
    const address = fc
      .tuple(fc.stringMatching(/^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,20}$/), fc.domain())
      .map((parts) => parts.join('@'))
      .filter(isMailAddress)
    await fc.assert(
      fc.asyncProperty(name, name, address, async (person, calendar, to) => {
        const before = server.mails.length
        const sent = composeLetter({
          kind: 'lost',
          sender: { brand: { ...noBrand, name: calendar }, company: person },
          to: { name: person, address: to },
          firstName: person,
          feed: { name: calendar, locale: 'de', timezone: 'UTC' },
          page,
        })
        await mailer.send({ ...sent, subject: calendar })
        const got = server.mails.slice(before)
        expect(got.map((mail) => mail.to)).toEqual([[to]])
        const read = readMail(got[0]!.raw)
        const fields = [...read.fields.keys()].filter((field) => field !== 'subject').toSorted()
        expect(fields).toEqual(ourFields.filter((field) => field !== 'subject'))
        expect([...read.fields.values()].every(({ length }) => length === 1)).toBe(true)
        expect(read.fields.get('to')?.[0]).toSatisfy((field: string) => namesOnly(field, to))
      }),
      { numRuns: inject('isThorough') ? 1000 : 25 },
    )
  })
})

const ourFields = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
]

/** Whether the field is that address alone, or one name, as a word or in quotes, and that address. */
function namesOnly(field: string, address: string): boolean {
  if (field === address) return true
  const [, name] = /^(.*) <([^<>]*)>$/.exec(field) ?? []
  if (name === undefined || !field.endsWith(` <${address}>`)) return false
  return /^(?:"(?:[^"\\]|\\.)*"|[^"(),.:;<>@[\\\]]*)$/.test(name)
}

describe('a mail that is not accepted', () => {
  it.each([
    ['for good', 550, '5.1.1 No such user', 'refused', 1],
    ['at the moment', 451, '4.7.1 Later', 'deferred', 3],
  ] as const)('%s', async (_name, code, text, fault, tries) => {
    let asked = 0
    const onRcptTo: MailHabits['onRcptTo'] = (_address, _session, done) => {
      asked += 1
      done(refusal(code, text))
    }
    const server = await start({ onRcptTo })
    const error = await faultOf(mailerTo(server.port).send(letter))
    expect([error.fault, error.status, asked]).toEqual([fault, code, tries])
    expect(error.message).toContain(`${code} ${text}.`)
  })

  it('A temporary refusal is retried until the mail is accepted', async () => {
    let asked = 0
    const server = await start({
      onRcptTo: (_address, _session, done) => {
        asked += 1
        done(asked < 3 ? refusal(451, 'Later') : null)
      },
    })
    const clock = createSkippingClock()
    const before = clock.now()
    await mailerTo(server.port, { clock }).send(letter)
    expect([server.mails.length, clock.now() - before]).toEqual([1, 5000])
  })

  it.each([
    [451, 'deferred'],
    [554, 'refused'],
  ] as const)('A refusal with %s after the whole message is not retried', async (code, fault) => {
    let judged = 0
    const server = await start({
      judge: () => {
        judged += 1
        throw refusal(code, 'Not this')
      },
    })
    const error = await faultOf(mailerTo(server.port).send(letter))
    expect([error.fault, judged]).toEqual([fault, 1])
  })

  it('Is refused when it is too large', async () => {
    const server = await start({ size: 500 })
    const error = await faultOf(mailerTo(server.port).send(letter))
    expect(error.fault).toBe('refused')
    expect(error.message).toMatch(/552|larger/)
  })

  it('Counts as possibly delivered when the connection ends after the message', async () => {
    const sockets = new Set<Socket>()
    const tried = await listen((socket) => {
      sockets.add(socket)
      cutAfterData(socket, () => undefined)
    })
    open.push(tried)
    const error = await faultOf(mailerTo(tried.port).send(letter))
    expect([error.fault, sockets.size]).toEqual(['unknown_delivery', 1])
    expect(error.message).toContain('may have been delivered')
  })

  it('A mail server that is down or silent is reported as unreachable', async () => {
    const silent = await listen(() => undefined)
    open.push(silent)
    const hanging = await faultOf(mailerTo(silent.port, { silentMs: 100 }).send(letter))
    expect([hanging.fault, silent.sockets()]).toEqual(['unreachable', 3])
    const gone = await listen(() => undefined)
    await gone.close()
    const error = await faultOf(mailerTo(gone.port).send(letter))
    expect(error.fault).toBe('unreachable')
    expect(error.message).toContain(`127.0.0.1:${gone.port} cannot be reached`)
  })

  it('Is not sent when TLS is missing or has an untrusted certificate', async () => {
    const plain = await start()
    const refused = await faultOf(mailerTo(plain.port, { mustBeSecure: true }).send(letter))
    expect([refused.fault, plain.mails]).toEqual(['insecure', []])
    expect(refused.message).toContain('offers no STARTTLS')
    for (const [habits, wishes] of [
      [{ disabledCommands: ['AUTH'] }, { mustBeSecure: true }],
      [{ secure: true }, { startsSecure: true }],
    ] as const) {
      const server = await start({ ...habits, disabledCommands: ['AUTH'] })
      const error = await faultOf(mailerTo(server.port, wishes).send(letter))
      expect([error.fault, server.mails]).toEqual(['insecure', []])
      expect(error.message).toContain('NODE_EXTRA_CA_CERTS')
    }
  })

  it('Is sent over STARTTLS with an untrusted certificate when TLS is not required', async () => {
    const server = await start({ disabledCommands: ['AUTH'] })
    await mailerTo(server.port).send(letter)
    expect(server.mails.map(({ isSecure }) => isSecure)).toEqual([true])
  })

  it('A refused login is reported without the user name and the password', async () => {
    const server = await start({
      authOptional: false,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _session, done) =>
        done(refusal(535, `No ${String(username)} with ${String(password)} here`)),
    })
    const wishes = { user: 'an-account', password: 'a-password' }
    const error = await faultOf(mailerTo(server.port, wishes).send(letter))
    expect(error.fault).toBe('login')
    expect(error.message).toContain('535 No … with … here.')
  })
})

describe('a mail over TLS', () => {
  const certificate = createCertificate()
  const usual = getCACertificates('default')
  beforeAll(() => setDefaultCACertificates([...usual, certificate.cert]))
  afterAll(() => setDefaultCACertificates(usual))

  it.each([
    ['from the beginning', { secure: true }, { startsSecure: true }],
    ['by STARTTLS', {}, { mustBeSecure: true }],
  ] as const)('Is sent with a login, encrypted %s', async (_name, habits, wishes) => {
    const server = await start({
      ...certificate,
      ...habits,
      authOptional: false,
      disabledCommands: [],
      onAuth: ({ username, password }, _session, answer) =>
        answer(password === 'a-password' ? null : refusal(535, 'No'), { user: username }),
    })
    const login = { user: 'an account', password: 'a-password' }
    await mailerTo(server.port, { ...wishes, ...login }).send(letter)
    expect(server.mails.map(({ isSecure }) => isSecure)).toEqual([true])
  })
})

it('At most five connections are open at once, and none before the first mail', async () => {
  const server = await start()
  const mailer = mailerTo(server.port)
  expect(server.connections.all).toBe(0)
  // Fewer than a connection is used for: where one ends, the server may learn of the next before it learns of that.
  await Promise.all(Array.from({ length: 50 }, () => mailer.send(letter)))
  expect(server.mails).toHaveLength(50)
  expect(server.connections.most).toBe(5)
})
