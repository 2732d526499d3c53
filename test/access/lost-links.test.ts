import { expect, it } from 'vitest'

import { commandLine } from '../../src/domain/access/staff.ts'
import { readsFrom, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { createFakeClock, createSkippingClock } from '../support/bridge/fake-clock.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { cutAfterData, listen } from '../support/company/loopback-sockets.ts'
import { databases } from '../support/database/databases.ts'
import { startMailServer } from '../support/web/mail-server.ts'
import { readMail } from '../support/web/read-mail.ts'

const address = 'ada@lost.example'
const user = { id: 'usr_ada', firstName: 'Ada', lastName: 'Lovelace', email: address }

it('A link is kept if its mail may have been delivered', async () => {
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
  expect([404, 410]).not.toContain((await fetch(page ?? '')).status)
  const audit = (await (await bridge.api('GET', `/api/audit?feedId=${id}`)).json()) as {
    data: readonly { action: string }[]
  }
  expect(audit.data.map(({ action }) => action)).toContain('mail_refused')
  await bridge.close()
  await company.close()
  await cutting.close()
})

it('Waiting requests are dropped on shutdown, and no address is looked up before the pause', async () => {
  const clock = createFakeClock()
  const server = await startMailServer()
  const company = await startCompanyServer()
  company.records.users.push(user)
  const environment = { ...readsFrom(company.url), ...server.environment }
  const bridge = await startBridge({ environment, clock })
  const { store } = await bridge.node()
  await bridge.createFeed({ userIds: [user.id] })
  const reading = { userId: user.id, state: 'active', user, readAt: 2 } as const
  await store.people.keepReading('main', reading, 9e15)
  const body = new URLSearchParams({ email: address })
  const answer = await fetch(new URL('/lost-link', bridge.listensAt), {
    method: 'POST',
    headers: { Origin: bridge.url },
    body,
  })
  expect(answer.status).toBe(200)
  await bridge.close()
  expect([server.connections.all, server.mails]).toEqual([0, []])
  await company.close()
  await server.close()
})

it('No mail goes to an address that the person no longer has', async () => {
  const clock = createSkippingClock()
  const server = await startMailServer()
  const company = await startCompanyServer()
  const other = { id: 'usr_bob', firstName: 'Bob', lastName: 'Noyce', email: 'bob@lost.example' }
  company.records.users.push(user, other)
  const environment = { ...readsFrom(company.url), ...server.environment }
  const bridge = await startBridge({ environment, clock })
  const { store } = await bridge.node()
  for (const one of [user, other]) {
    await bridge.createFeed({ userIds: [one.id] })
    const reading = { userId: one.id, state: 'active', user: one, readAt: 2 } as const
    await store.people.keepReading('main', reading, 9e15)
  }
  const moved = { ...user, email: 'ada.lovelace@lost.example' }
  company.records.users = [moved, other, { ...user, id: 'usr_ada2', lastName: 'King' }]
  for (const email of [address, other.email]) {
    await fetch(new URL('/lost-link', bridge.listensAt), {
      method: 'POST',
      headers: { Origin: bridge.url },
      body: new URLSearchParams({ email }),
    })
  }
  await server.receivedFor(other.email)
  expect(server.mails.map(({ to }) => to)).toEqual([[other.email]])
  await bridge.close()
  await company.close()
  await server.close()
})

it('A page is mailed to the person’s current address', async () => {
  const server = await startMailServer()
  const company = await startCompanyServer()
  company.records.users.push(user)
  const environment = { ...readsFrom(company.url), ...server.environment }
  const bridge = await startBridge({ environment, clock: createFakeClock() })
  const { store, access, administration } = await bridge.node()
  const { id } = await bridge.createFeed({ userIds: [user.id] })
  const reading = { userId: user.id, state: 'active', user, readAt: 2 } as const
  await store.people.keepReading('main', reading, 9e15)
  const email = 'ada.lovelace@lost.example'
  company.records.users = [{ ...user, email }]
  const feed = (await store.feeds.findFeed(id))!
  const page = `${bridge.url}/feeds/cfb_`
  const invitations = access.mailing!.invitationsBy(commandLine, administration.names())
  await invitations.send({ kind: 'renewed', feed, label: 'default', page })
  expect(server.mails.map(({ to }) => to)).toEqual([[email]])
  await bridge.close()
  await company.close()
  await server.close()
})

it('Two nodes on PostgreSQL mail a person at most three links a day and keep one of them open', async () => {
  const server = await startMailServer()
  const company = await startCompanyServer()
  const postgres = databases.find(({ name }) => name === 'PostgreSQL')
  const environment = {
    ...readsFrom(company.url),
    ...server.environment,
    TRUST_PROXY: '1',
    DATABASE_URL: (await postgres?.createMigrated()) ?? '',
  }
  const clock = createSkippingClock()
  const bridges = [
    await startBridge({ environment, clock }),
    await startBridge({ environment, clock }),
  ]
  const [first] = bridges
  const { store } = await first!.node()
  const last = ['last0@lost.example', 'last1@lost.example']
  const feeds: string[] = []
  for (const [index, email] of [address, ...last].entries()) {
    const someone = { id: `usr_${index}`, firstName: 'Ada', lastName: 'Lovelace', email }
    company.records.users.push(someone)
    feeds.push((await first!.createFeed({ userIds: [someone.id] })).id)
    const reading = { userId: someone.id, state: 'active', user: someone, readAt: 2 } as const
    await store.people.keepReading('main', reading, 9e15)
  }
  let asked = 0
  const ask = ({ listensAt, url }: TestBridge, email: string): Promise<Response> =>
    fetch(new URL('/lost-link', listensAt), {
      method: 'POST',
      headers: { Origin: url, 'X-Forwarded-For': `198.18.0.${(asked += 1)}` },
      body: new URLSearchParams({ email }),
    })
  for (let count = 0; count < 25; count += 1)
    for (const bridge of bridges) await ask(bridge, address)
  for (const [index, bridge] of bridges.entries()) await ask(bridge, last[index] ?? '')
  for (const email of last) await server.receivedFor(email)
  expect(server.mails.filter(({ to }) => to.includes(address))).toHaveLength(3)
  const answer = await first!.api('GET', `/api/feeds/${feeds[0]}`)
  const { links } = (await answer.json()) as { links: { label: string; endsAt: string | null }[] }
  const open = links.filter(({ endsAt }) => endsAt === null).map(({ label }) => label)
  expect(open).toEqual(['default', 'mail'])
  for (const bridge of bridges) await bridge.close()
  await company.close()
  await server.close()
})
