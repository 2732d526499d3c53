/* Sign-in and mail in the console: what is set, and a test of each that tells the cause of a failure. */
import { expect, it, onTestFinished } from 'vitest'

import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { type ConsoleSession, enterConsole } from '../../support/bridge/console.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { clientSecret } from '../../support/web/identity-provider.ts'
import { type MailHabits, refusal, startMailServer } from '../../support/web/mail-server.ts'
import { startRogueProvider } from '../../support/web/rogue-provider.ts'

async function begin(
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly bridge: TestBridge; readonly admin: ConsoleSession }> {
  const bridge = await startBridge({ environment, clock: createFakeClock() })
  onTestFinished(() => bridge.close())
  return { bridge, admin: await enterConsole(bridge) }
}

async function mailServer(habits: MailHabits = {}) {
  const server = await startMailServer(habits)
  onTestFinished(() => server.close())
  return server
}

async function testMail(admin: ConsoleSession, lang = 'en', address = 'hr@example.com') {
  const reply = await admin.send(`/console/access?lang=${lang}`, { act: 'mail', address })
  return { status: reply.status, html: await reply.text() }
}

it('Says what is missing, with the lines to set', async () => {
  const { bridge, admin } = await begin({})
  const html = await admin.read('/console/access')
  expect(html).toContain('OIDC_ISSUER=https://id.example.com')
  expect(html).toContain('SMTP_URL=smtps://USER:PASSWORD@mail.example.com')
  expect(html).toContain(`${bridge.url}/sign-in/callback</pre>`)
  expect(html).not.toMatch(/<button[^>]*name="act"/)
  for (const act of ['mail', 'signIn']) {
    expect((await admin.send('/console/access', { act, address: 'a@b.example' })).status).toBe(409)
  }
})

it('Mails a test, notes it in the audit log, and sends no more than five a minute', async () => {
  const server = await mailServer()
  const { bridge, admin } = await begin(server.environment)
  const wrong = await testMail(admin, 'de', 'hr at example')
  expect(wrong.status).toBe(400)
  expect(wrong.html).toMatch(/value="hr at example" aria-invalid="true"/)
  expect(wrong.html).toContain('Das ist keine Mailadresse.')
  const sent = await testMail(admin, 'de')
  expect(sent.html).toContain('Der Mailserver hat die Mail an hr@example.com angenommen.')
  expect(server.mails[0]).toMatchObject({ from: 'calendars@example.com', to: ['hr@example.com'] })
  expect(server.mails[0]?.raw).toContain(`Subject: Testmail von ${new URL(bridge.url).host}`)
  expect(await admin.read('/console/audit?action=mail_tested')).toContain('Sent a test mail')
  const statuses: number[] = []
  for (let more = 0; more < 4; more += 1) statuses.push((await testMail(admin)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  expect(server.mails).toHaveLength(4)
})

const refusing = (responseCode: number, message: string) => () =>
  Promise.reject(refusal(responseCode, message))

it.each<[string, MailHabits, string, RegExp, RegExp]>([
  [
    'a recipient it does not know',
    { onRcptTo: (_to, _session, answer) => answer(refusal(550, 'No such user')) },
    'de',
    /nimmt für diese Adresse keine Mail an/,
    /No such user/,
  ],
  [
    'a mail it does not like',
    { judge: refusing(554, 'Not from you') },
    'en',
    /refused the mail. Often the login may not send as calendars@example.com/,
    /Not from you/,
  ],
  ['a mail for now', { judge: refusing(451, 'Busy') }, 'en', /takes no mail at the moment/, /Busy/],
])('Tells the cause if the mail server refuses %s', async (_what, habits, lang, cause, said) => {
  const server = await mailServer(habits)
  const { admin } = await begin(server.environment)
  const { status, html } = await testMail(admin, lang)
  expect(status).toBe(200)
  expect(html).toMatch(cause)
  expect(html).toMatch(said)
  expect(html).toContain('value="hr@example.com"')
})

it('Tells refused connections, logins and unprotected servers apart, and shows no password', async () => {
  const strict = await mailServer({
    disabledCommands: ['STARTTLS'],
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, answer) => answer(refusal(535, 'Wrong password')),
  })
  const from = { MAIL_FROM: 'calendars@example.com' }
  const cases = [
    ['smtp://127.0.0.1:9', /Nothing answers at 127.0.0.1:9: the connection was refused/],
    [`smtp://hr:pa55-word@127.0.0.1:${strict.port}`, /refuses the login. Check user and password/],
    [`smtps://127.0.0.1:${strict.port}`, /There is no secure connection to 127.0.0.1/],
  ] as const
  for (const [url, cause] of cases) {
    const { admin } = await begin({ ...from, SMTP_URL: url })
    const { html } = await testMail(admin)
    expect(html).toMatch(cause)
    expect(html).not.toContain('pa55-word')
  }
})

it('Shows how sign-in is set, without the secret, and reads what the provider publishes', async () => {
  const provider = await startRogueProvider({ OIDC_SUPPORT: 'groups=hr', OIDC_PERSON: 'claim:no' })
  onTestFinished(() => provider.close())
  const { bridge, admin } = await begin(provider.environment)
  const html = await admin.read('/console/access')
  expect(html).toContain('<code>groups=hr</code>')
  expect(html).toContain('the claim no, which holds their user id')
  expect(html).not.toContain(clientSecret)
  const test = async (lang = 'en') =>
    (await admin.send(`/console/access?lang=${lang}`, { act: 'signIn' })).text()
  const works = await test()
  expect(works).toContain('The provider answers as it should.')
  expect(works).toContain(`${provider.issuer}/authorize`)
  expect(works).toContain(`${bridge.url}/sign-in</pre>`)
  provider.lie({ answers: { '/keys': (response) => response.writeHead(404).end() } })
  expect(await test('de')).toContain('Die Schlüssel des Anbieters sind nicht lesbar.')
  provider.lie({ metadata: { issuer: 'https://id.example.com' } })
  expect(await test()).toContain('The provider calls itself by another address.')
  await provider.close()
  expect(await test()).toContain('Nothing answers there: the connection was refused.')
})
