import type { ProofDeps } from '../copies/proof/proof-state.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyHead } from '../domain/copy.ts'
import type { DepartedMember, DepartureShare } from '../domain/departure.ts'
import type { Examination, ExaminationProbe, Finding, FindingLevel } from '../domain/examination.ts'
import type { LeaveProof } from '../domain/leave.ts'
import type { LookRound, Newcomer } from '../domain/person.ts'
import type { Trust } from '../people/company-trust.ts'
import type { LeftOut } from '../publishing/left-out.ts'
import { checkCredential } from './checks/credential.ts'
import { checkDays } from './checks/dates.ts'
import { checkHolidays } from './checks/holidays.ts'
import { checkLeaveFilter } from './checks/leave-filter.ts'
import { askLists, checkLists } from './checks/lists.ts'
import { checkProjects, checkSchedules } from './checks/named.ts'
import { betterParameters, type CheckedFilter } from './checks/parameter-names.ts'
import {
  checkDepartures,
  checkManagers,
  checkDoubts,
  checkLeftInFeeds,
  checkMisnamed,
  checkNewcomers,
  checkPeople,
  checkTrust,
} from './checks/people.ts'
import { answeredFinding, checkReach } from './checks/reach.ts'
import { checkRecords } from './checks/records.ts'
import { checkTimesheetFilter } from './checks/timesheet-filter.ts'
import { checkTruncation } from './checks/truncation.ts'
import { adviseFor, type Inquiry, type SettingNames } from './inquiry.ts'

/** A connection, and what only its examination needs. */
export interface ExaminedConnection {
  readonly connection: Connection
  readonly probe: ExaminationProbe
  readonly settingNames: SettingNames
  /** The file that contains the credential; null if the settings contain it. */
  readonly credentialFile: string | null
  /** Whether it is the embedded Read API, at an address that is not configured. */
  readonly isEmbedded: boolean
}

export interface BridgeKnowledge {
  readonly proof: LeaveProof
  /** What feeds use to prove the filter, too. */
  readonly leaveFilter: ProofDeps
  /** Copies that lost too much to be believed yet. */
  readonly doubted: readonly CopyHead[]
  /** What open calendars leave out of their stored copies. */
  readonly leftOut: readonly LeftOut[]
  /** Whether the credential opens the same company as before. */
  readonly trust: Trust
  /** Set if too many people leave at once to be believed. */
  readonly heldBack: DepartureShare | null
  readonly managersHeldBack: DepartureShare | null
  /** People who have left but are still in an open feed. */
  readonly leftInFeeds: readonly DepartedMember[]
  /** Ids in feeds that no person has in the Read API. */
  readonly misnamed: readonly string[]
  /** Ids that may belong to another person now. */
  readonly newcomers: readonly Newcomer[]
  /** Returns the last search for people, or a new one with `now`, and the number of known people who have not left. */
  readonly seePeople: (look: {
    readonly now: boolean
  }) => Promise<{ readonly look: LookRound; readonly people: number }>
}

/**
 * Checks whether the Read API can be read with its settings, and which setting to change if not. Faults of the Read API
 * become findings; fails only with the signal's reason.
 */
export async function examine(
  { connection, probe, settingNames, credentialFile, isEmbedded }: ExaminedConnection,
  knowledge: BridgeKnowledge,
  order: Pick<Inquiry, 'now' | 'signal' | 'guesses' | 'zoneClock' | 'holidaysIn'>,
): Promise<Examination> {
  const inquiry = { connection, probe, advise: adviseFor(settingNames), ...order }
  const baseUrl = isEmbedded ? null : probe.baseUrl
  const reach = await checkReach(inquiry, baseUrl)
  // The rest is read only if lists can be requested as feeds do.
  const isEntered = reach.state === 'answered' || reach.state === 'refused'
  const isRead = isEntered && knowledge.trust.is === 'trusted'
  // Searches again, since an earlier search with other settings, or a failed one, would count against the current settings.
  const { look, people } = await knowledge.seePeople({ now: isRead && order.guesses })
  const lists = isRead ? await examineLists(inquiry, knowledge) : []
  const hasAnswered =
    reach.state === 'answered' || lists.some(({ check, ok }) => ok && check.startsWith('list-'))
  const found = [
    hasAnswered ? answeredFinding(baseUrl) : reach.finding,
    // Nothing is known about the credential if no list was returned and none was denied.
    ...(hasAnswered || reach.denial
      ? [await checkCredential(inquiry, reach.denial, credentialFile)]
      : []),
    ...lists,
    ...(isRead ? [checkHolidays(inquiry)] : []),
    ...checkTrust(knowledge.trust),
    ...checkDoubts(knowledge.doubted),
    // If nothing could be read, people obviously were not found.
    ...(isEntered ? checkPeople(look, people) : []),
    ...checkDepartures(knowledge.heldBack),
    ...checkManagers(knowledge.managersHeldBack),
    ...checkLeftInFeeds(knowledge.leftInFeeds),
    ...checkMisnamed(knowledge.misnamed),
    ...checkNewcomers(knowledge.newcomers),
  ]
  const findings = withEachSettingOnce(found).toSorted(
    (one, other) => ranks[one.level] - ranks[other.level],
  )
  return { companyId: connection.company.id, ok: found.every(({ ok }) => ok), findings }
}

/** Faults first, then notes; else in the order of the examination. */
const ranks: Readonly<Record<FindingLevel, number>> = { wrong: 0, note: 1, ok: 2 }

async function examineLists(
  inquiry: Inquiry,
  knowledge: BridgeKnowledge,
): Promise<readonly Finding[]> {
  const lists = await askLists(inquiry)
  const filters = await examineFilters()
  const truncation = await checkTruncation(inquiry, lists)
  const { findings: days, rightDays } = checkDays(inquiry, lists)
  return [
    ...checkLists(lists),
    ...filters,
    await checkRecords(inquiry, lists, { ofFeeds: knowledge.leftOut, rightDays }),
    ...days,
    truncation,
    ...checkSchedules(inquiry, lists),
    checkProjects(inquiry, lists),
  ]

  /** Both filters share one setting, so each finding advises what fixes both. */
  async function examineFilters(): Promise<readonly Finding[]> {
    const leaves = await checkLeaveFilter(inquiry, lists, knowledge)
    const timesheets = await checkTimesheetFilter(inquiry, lists)
    const better = { leaves: leaves.better, timesheets: timesheets.better }
    const { parameters } = inquiry.connection
    const set = inquiry.advise('params', betterParameters(parameters, better))
    const withSet = ({ finding, better: names }: CheckedFilter): Finding =>
      Object.keys(names).length === 0 ? finding : { ...finding, set }
    return [withSet(leaves), ...leaves.owners, withSet(timesheets)]
  }
}

/** If two findings advise the same setting, the later one refers to the first. */
function withEachSettingOnce(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding, index) => {
    const first = findings.findIndex(({ set }) => set !== null && set === finding.set)
    const earlier = first < index ? findings[first] : undefined
    if (!earlier) return finding
    return { ...finding, means: `${finding.means} What ${earlier.check} sets mends it.`, set: null }
  })
}
