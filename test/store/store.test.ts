/* What the ports promise, on both databases; one store and two processes of their own serve all of it. */
import { afterAll, describe } from 'vitest'

import { databases } from '../support/database/databases.ts'
import { testAccess } from './access-contract.ts'
import { testActivity } from './activity-contract.ts'
import { testAuditEvents } from './audit-events-contract.ts'
import { testClaimHistories } from './claim-histories-contract.ts'
import { testClaims } from './claims-contract.ts'
import { testCompanyDefaults } from './company-defaults-contract.ts'
import { testCompanyWork } from './company-work-contract.ts'
import { testConnections } from './connections-contract.ts'
import { testCopies } from './copies-contract.ts'
import { testCreations } from './creations-contract.ts'
import { testDepartures } from './departures-contract.ts'
import { testDisputes } from './disputes-contract.ts'
import { testDistinctIds } from './distinct-ids-contract.ts'
import { testDoubts } from './doubts-contract.ts'
import { testErasure } from './erasure-contract.ts'
import { testExaminations } from './examinations-contract.ts'
import { testFeeds } from './feeds-contract.ts'
import { testLedgers } from './ledgers-contract.ts'
import { testLinks } from './links-contract.ts'
import { testPeople } from './people-contract.ts'
import { testPeopleList } from './people-list-contract.ts'
import { testProofs } from './proofs-contract.ts'
import { testPublications } from './publications-contract.ts'
import { testRetention } from './retention-contract.ts'
import { testStandings } from './standings-contract.ts'
import { openStores } from './stores.ts'
import { testTeams } from './teams-contract.ts'
import { testUnreadable } from './unreadable-contract.ts'

const contracts = {
  feeds: testFeeds,
  creations: testCreations,
  'company defaults': testCompanyDefaults,
  links: testLinks,
  publications: testPublications,
  copies: testCopies,
  doubts: testDoubts,
  'what stands': testStandings,
  connections: testConnections,
  ledgers: testLedgers,
  proofs: testProofs,
  claims: testClaims,
  'claims over time': testClaimHistories,
  disputes: testDisputes,
  departures: testDepartures,
  'company work': testCompanyWork,
  people: testPeople,
  'list of people': testPeopleList,
  teams: testTeams,
  activity: testActivity,
  access: testAccess,
  auditEvents: testAuditEvents,
  'ids that look alike': testDistinctIds,
  examinations: testExaminations,
  retention: testRetention,
  erasure: testErasure,
  'unreadable rows': testUnreadable,
}

for (const { name, create } of databases) {
  const stores = await openStores(create)

  describe(`on ${name}`, () => {
    afterAll(() => stores.close())

    describe.each(Object.entries(contracts))('%s', (_, testContract) => {
      testContract(stores)
    })
  })
}
