import { expect, it } from 'vitest'

import { readsFrom, startBridge } from '../support/bridge.ts'
import { startCompanyServer } from '../support/company-server.ts'
import { createFakeClock, createSkippingClock } from '../support/fake-clock.ts'
import { cutAfterData, listen } from '../support/loopback-sockets.ts'
import { startMailServer } from '../support/mail-server.ts'
import { readMail } from '../support/read-mail.ts'

const address = 'ada@lost.example'
const user = { id: 'usr_ada', firstName: 'Ada', lastName: 'Lovelace', email: address }

it('a link whose mail may have been delivered is kept', async () => {
  const mail = Promise.withResolvers<string>()
  const kept = Promise.withResolvers<void>()
  const cutting = await listen((socket) => cutAfterData(socket, mail.resolve))
  const log = {
    debug: () => undefined,
    warn: () => undefined,
    error: () => undefined,
    info: (_data: object, event: string): void => {
      if (event === 'link_created') kept.resolve()
    },
  }
  const company = await startCompanyServer()
  company.records.users.push(user)
  const environment = {
    ...readsFrom(company.url),
    SMTP_URL: `smtp://127.0.0.1:${cutting.port}`,
    MAIL_FROM: 'calendars@example.com',
  }
  const bridge = await startBridge({ environment, clock: createSkippingClock(), log })
  const { store } = await bridge.node()
  const { id } = await bridge.createFeed({ userIds: [user.id] })
  await store.people.keepReading(
    'main',
    { userId: user.id, state: 'active', user, readAt: 2 },
    9e15,
  )
  const body = new URLSearchParams({ email: address })
  await fetch(new URL('/lost-link', bridge.listensAt), {
    method: 'POST',
    headers: { Origin: bridge.url },
    body,
  })
  const page = /http:\S+\/feeds\/cfb_[\w-]{43}/.exec(
    readMail(await mail.promise).parts[0]?.text ?? '',
  )?.[0]
  await kept.promise
  expect((await fetch(page ?? '')).status).not.toBe(404)
  const audit = (await (await bridge.api('GET', `/api/audit?feedId=${id}`)).json()) as {
    data: readonly { action: string }[]
  }
  expect(audit.data.map(({ action }) => action)).toContain('mail_refused')
  await bridge.close()
  await company.close()
  await cutting.close()
})

it('what waits is dropped when the bridge ends, and nothing is looked up before the pause', async () => {
  const clock = createFakeClock()
  const server = await startMailServer()
  const bridge = await startBridge({ environment: server.environment, clock })
  const body = new URLSearchParams({ email: address })
  const answer = await fetch(new URL('/lost-link', bridge.listensAt), {
    method: 'POST',
    headers: { Origin: bridge.url },
    body,
  })
  expect(answer.status).toBe(200)
  await bridge.close()
  expect([server.connections.all, server.mails]).toEqual([0, []])
  await server.close()
})
