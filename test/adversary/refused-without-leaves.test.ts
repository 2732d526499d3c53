import { describe, expect } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { status } from '../support/adversary/lies-about-bytes.ts'

describe('an API that answers 404 for a person without leaves', () => {
  it('still gives them a calendar', async ({ served: crowd, company }) => {
    company.tell(status(404), { of: ['leaves'], when: ({ subject }) => subject === 'usr_1' })
    await crowd.subscribe('usr_1')
    expect((await crowd.pollFor(60, 10))[0]!.status).toBe(200)
  })
})
