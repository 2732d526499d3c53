/* People whom the bridge has seen, put straight into its directory. */
import type { PersonReading } from '../../../src/domain/person.ts'
import type { TestBridge } from '../bridge/bridge.ts'

export interface SeenPerson {
  readonly id: string
  readonly email?: string
  readonly state?: PersonReading['state']
  readonly companyId?: string
  /** What is read later holds. */
  readonly readAt?: number
}

/** Has them seen, and read, as that. */
export async function see(bridge: TestBridge, ...people: readonly SeenPerson[]): Promise<void> {
  const { store } = await bridge.node()
  for (const { id, email, state = 'active', companyId = 'main', readAt = 2 } of people) {
    const user = { id, firstName: 'First', lastName: id, ...(email === undefined ? {} : { email }) }
    await store.people.seePeople(companyId, [user], 1)
    const reading = { userId: id, state, user, readAt }
    await store.people.keepReading(companyId, reading, Number.MAX_SAFE_INTEGER)
  }
}
