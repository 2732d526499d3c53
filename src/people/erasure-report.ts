import type { ClientFamily } from '../domain/activity.ts'
import type { Erasure, HeldCalendar } from './erasure.ts'

/** What was removed, as programs read it. */
export interface ErasureView {
  readonly userId: string
  readonly companyId: string
  readonly removedFeeds: string[]
  readonly changedFeeds: { readonly id: string; readonly name: string }[]
  readonly copies: number
  readonly backups: string[]
  readonly dryRun: boolean
  readonly heldBy: HeldView[]
  readonly remains: string[]
}

interface HeldView {
  readonly feedId: string
  readonly label: string
  readonly client: ClientFamily
  /** RFC 3339. */
  readonly lastPolledAt: string
}

/** What was removed, as programs read it. */
export function viewErasure({ heldBy, isDry, ...erasure }: Erasure): ErasureView {
  return {
    ...erasure,
    removedFeeds: [...erasure.removedFeeds],
    changedFeeds: [...erasure.changedFeeds],
    backups: [...erasure.backups],
    dryRun: isDry,
    heldBy: heldBy.map((held) => ({
      ...held,
      lastPolledAt: new Date(held.lastPolledAt).toISOString(),
    })),
    remains: [...remains(erasure)],
  }
}

/** What was removed, in sentences. */
export function describeErasure(erasure: Erasure): string {
  const { userId, companyId, isDry, removedFeeds, changedFeeds, copies, heldBy } = erasure
  const [removed, goesOn] = isDry ? ['Would remove', 'Would go on'] : ['Removed', 'Goes on']
  return [
    `${removed} of ${userId} in ${companyId}: feeds with their links: ${removedFeeds.length}, copies of records: ${copies}.`,
    ...changedFeeds.map(
      ({ id, name }) =>
        `${goesOn} without ${userId}: ${id}, "${name}" (a name stays as it was set).`,
    ),
    ...heldBy.map((held) => `Still holds what it fetched: ${describeHeld(held)}.`),
    ...remains(erasure),
  ].join('\n')
}

function describeHeld({ feedId, label, client, lastPolledAt }: HeldCalendar): string {
  return `${client}, by the link "${label}" of ${feedId}, last on ${new Date(lastPolledAt).toISOString()}`
}

/** What is not taken away with it. */
function remains({ userId, backups }: Pick<Erasure, 'userId' | 'backups'>): readonly string[] {
  return [
    `Calendar programs keep what they fetched until the subscription is removed in them; downloaded files stay where they are.`,
    `The Read API itself is not changed: while it names ${userId}, tasks shared with others bring the name again.`,
    `Backups and logs from before still name ${userId}.`,
    ...backups.map(
      (file) =>
        `The database as it was before an update is one of them; it goes 30 days after that, or now: rm '${file}'`,
    ),
  ]
}
