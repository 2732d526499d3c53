/* Two people who are read side by side, and given the same leaves, are compared with each other all the same. */
import { expect } from 'vitest'

import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import type { CompanyRecords } from '../support/company/company-server.ts'
import { leave, twoPeople } from '../support/company/people.ts'

const it = base.extend('records', (): CompanyRecords => {
  const records = twoPeople()
  const strange = [leave('lv_strange1', '2026-01-14'), leave('lv_strange2', '2026-01-15')]
  for (const id of ['usr_cid', 'usr_dan']) {
    records.users.push({ id, firstName: id, lastName: 'Gray', isActive: true })
    records.leaves[id] = strange
  }
  return records
})

it('of two equal claims at once, the second is not believed', async ({
  company,
  feedOf,
  poll,
  node,
}) => {
  await poll(await feedOf('usr_ada'))
  const feeds = [await feedOf('usr_cid'), await feedOf('usr_dan')]
  company.requests.length = 0
  company.hold()
  const polls = feeds.map((address) => pollNow(address))
  const wanted = ['usr_cid', 'usr_dan'].map((id) => `/api/public/v1/leaves?userId=${id}`)
  await expect.poll(() => company.requests).toEqual(expect.arrayContaining(wanted))
  company.release()
  const shown = (await Promise.all(polls)).map(({ titles }) =>
    titles.filter((title) => title.startsWith('Leave ')),
  )
  expect(shown.filter((titles) => titles.length > 0).length).toBeLessThanOrEqual(1)
  const [connection] = [...node.connections.values()]
  const proof = await node.store.proofs.findProof(connection?.id ?? '')
  expect([proof.state, proof.reason]).toEqual(['disproved', 'two_employees'])
})
