import type { MigrationHistory } from '../../database/migrate.ts'
import { createAccess, foldMails, nameTokensByCompany } from './access.ts'
import { createExaminations, createLeavers, createProofs } from './connections.ts'
import { addReasonsMark, createSnapshots } from './copies.ts'
import { datePurges, indexEnds, indexStates, rememberPolled, rememberShown } from './feed-memory.ts'
import { createActivity, createEndsAndCreations, createFeeds, createLedgers } from './feeds.ts'
import { renameTables } from './house-words.ts'
import { addAwaitsPoll, giveChoicesToLinks, giveLedgersToLinks } from './links.ts'
import { createNewcomers } from './newcomers.ts'
import { createPeople, foldIdsFurther, holdDeparturesBack } from './people.ts'
import { addDoubts, addOwners, markGoneOwners } from './proof-against-lies.ts'
import { addRollCalls } from './roll-calls.ts'
import { makeOptionsSparse } from './sparse-options.ts'

/** The history of the bridge's own tables; only ever added to at its end. */
export const storeHistory: MigrationHistory = {
  table: 'bridge_migrations',
  migrations: [
    { name: 'feeds and links', up: createFeeds },
    { name: 'ledgers', up: createLedgers },
    { name: 'snapshots', up: createSnapshots },
    { name: 'leave owners and proofs', up: createProofs },
    { name: 'examinations', up: createExaminations },
    { name: 'ends of links and creations', up: createEndsAndCreations },
    { name: 'activity', up: createActivity },
    { name: 'leavers', up: createLeavers },
    { name: 'reasons in copies', up: addReasonsMark },
    { name: 'sparse options', up: makeOptionsSparse },
    { name: 'words of the house', up: renameTables },
    { name: 'owners of leaves', up: addOwners },
    { name: 'doubts', up: addDoubts },
    { name: 'instants of purges', up: datePurges },
    { name: 'collections shown', up: rememberShown },
    { name: 'people', up: createPeople },
    { name: 'departures held back', up: holdDeparturesBack },
    { name: 'ends of feeds', up: indexEnds },
    { name: 'feeds never polled', up: rememberPolled },
    { name: 'feeds by state', up: indexStates },
    { name: 'choices of links', up: giveChoicesToLinks },
    { name: 'ledgers of links', up: giveLedgersToLinks },
    { name: 'ids folded further', up: foldIdsFurther },
    { name: 'access', up: createAccess },
    { name: 'folded mail addresses', up: foldMails },
    { name: 'tokens named by company', up: nameTokensByCompany },
    { name: 'newcomers', up: createNewcomers },
    { name: 'mailed links that await a poll', up: addAwaitsPoll },
    { name: 'roll calls', up: addRollCalls },
    { name: 'owners who are gone', up: markGoneOwners },
  ],
}
