/* A provider that hangs, or drips, on the way back: given up in time, said to be away, and asked again by the next. */
import type { ServerResponse } from 'node:http'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { Provider } from '../../../src/access/sign-in/provider.ts'
import { SignIn } from '../../../src/access/sign-in/sign-in.ts'
import { systemClock } from '../../../src/process/world.ts'
import { createPlainFetch } from '../../../src/transport/http.ts'
import { see } from '../../support/adversary/seen-people.ts'
import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import type { TestNode } from '../../support/bridge/node.ts'
import { silentLog } from '../../support/bridge/silent-log.ts'
import { clientId } from '../../support/web/identity-provider.ts'
import { type RogueProvider, startRogueProvider } from '../../support/web/rogue-provider.ts'

let bridge: TestBridge
let node: TestNode

beforeAll(async () => {
  bridge = await startBridge()
  await see(bridge, { id: 'usr_ada_l', email: 'ada@sign-in.example' })
  node = await bridge.node()
})

afterAll(async () => {
  await bridge.close()
})

function openSignIn(rogue: RogueProvider): SignIn {
  const { store, access } = node
  const provider = new Provider({
    issuer: rogue.issuer,
    clientId,
    clientSecret: undefined,
    fetch: createPlainFetch({}),
    clock: systemClock,
    timeoutMs: 1000,
  })
  return new SignIn({
    provider,
    rules: { person: { by: 'email' }, admin: undefined, support: undefined },
    people: store.peopleByMail,
    companies: new Set(['main']),
    reread: async () => undefined,
    sessions: access.sessions,
    audit: access.audit,
    publicUrl: bridge.url,
    sessionMs: 1,
    clock: systemClock,
    log: silentLog,
  })
}

async function through(signIn: SignIn): Promise<unknown> {
  const { address, secret } = await signIn.begin(undefined)
  const { headers } = await fetch(address, { redirect: 'manual' })
  return signIn.finish(new URL(headers.get('location') ?? '').searchParams, secret)
}

/** A byte now and then, for ever: each by itself comes in time. */
const drip = (response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  const dripping = setInterval(() => response.write(' '), 20)
  response.once('close', () => clearInterval(dripping))
}

it.concurrent.for(['/token', '/keys', '/userinfo'] as const)(
  '%s',
  async (path, { onTestFinished }) => {
    const rogue = await startRogueProvider()
    onTestFinished(() => rogue.close())
    const signIn = openSignIn(rogue)
    const away = { reason: 'provider_away', what: 'OAUTH_TIMEOUT' }
    for (const answer of [() => undefined, drip]) {
      rogue.lie({ idToken: { email: undefined }, answers: { [path]: answer } })
      await expect(through(signIn)).rejects.toMatchObject(away)
    }
    rogue.lie({})
    expect(await through(signIn)).toMatchObject({ who: { person: { userId: 'usr_ada_l' } } })
  },
)
