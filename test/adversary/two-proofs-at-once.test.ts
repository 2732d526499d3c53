/* What one node has disproved, another that was at it with a proof does not prove again by finishing. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect } from 'vitest'

import { adversaryEnvironment, it as base } from '../support/adversary/adversary-fixture.ts'
import { newLeave } from '../support/adversary/eight-people.ts'
import { unfiltered } from '../support/adversary/lies-about-people.ts'
import { Subscribers } from '../support/adversary/subscribers.ts'

base('a disproof wins over a proof under way', async ({ company, clock }) => {
  let held: RegExp | null = null
  let gate = Promise.withResolvers<void>()
  let caught = Promise.withResolvers<void>()
  const proxy = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? ''
      const answer = await fetch(company.url + path)
      const text = await answer.text()
      if (held?.test(path)) {
        caught.resolve()
        await gate.promise
      }
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    })()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const environment = adversaryEnvironment(url)
  const crowd = new Subscribers({ company, clock, environment })
  try {
    await crowd.addNode()
    await crowd.addNode()
    await company.quiet()
    const one = await crowd.subscribe('usr_1')
    const other = await crowd.subscribe('usr_A')
    await crowd.pollFor(2)
    const node = await crowd.nodes[0]!.node()
    const [{ id: connectionId }] = [...node.connections.values()] as unknown as [{ id: string }]
    const state = async (): Promise<string> =>
      (await node.store.proofs.findProof(connectionId)).state
    expect(await state()).toBe('proven')
    company.records.leaves['usr_1']?.push(newLeave('lv_n1', 1))
    company.records.leaves['usr_A']?.push(newLeave('lv_n2', 2))
    await clock.advance(61_000)
    held = /userId=usr_(&|$)/
    const polling = crowd.poll(one, 0)
    await caught.promise
    held = null
    await company.quiet()
    company.tell(unfiltered)
    await crowd.poll(other, 1)
    expect(await state()).toBe('disproved')
    company.tellTheTruth()
    gate.resolve()
    await polling
    for (let calm = 0; calm < 20; calm += 1) await company.quiet()
    expect(await state()).toBe('disproved')
  } finally {
    gate.resolve()
    await crowd.close()
    proxy.closeAllConnections()
    proxy.close()
  }
})
