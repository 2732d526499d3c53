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
import { checkLeaveFilter } from './checks/leave-filter.ts'
import { askLists, checkLists } from './checks/lists.ts'
import { checkProjects, checkSchedules } from './checks/named.ts'
import { betterParameters, type CheckedFilter } from './checks/parameter-names.ts'
import {
  checkDepartures,
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

/** A connection together with what only its examination needs. */
export interface ExaminedConnection {
  readonly connection: Connection
  readonly probe: ExaminationProbe
  readonly settingNames: SettingNames
  /** The file that holds the credential; null where the settings themselves have it. */
  readonly credentialFile: string | null
  /** Whether it is the bridge's own, at an address that is not set. */
  readonly isEmbedded: boolean
}

/** What the bridge knows about the company. */
export interface BridgeKnowledge {
  readonly proof: LeaveProof
  /** As feeds prove it. */
  readonly leaveFilter: ProofDeps
  /** Copies after which less has come than can be believed yet. */
  readonly doubted: readonly CopyHead[]
  /** What open calendars leave out of the copies that are kept for them. */
  readonly leftOut: readonly LeftOut[]
  /** Whether the credential opens the same company as before. */
  readonly trust: Trust
  /** Where too many people leave at once to be believed. */
  readonly heldBack: DepartureShare | null
  /** People who have left and are in an open feed still. */
  readonly leftInFeeds: readonly DepartedMember[]
  /** Ids in feeds that the Read API gives to no person. */
  readonly misnamed: readonly string[]
  /** Ids that may be another person's by now. */
  readonly newcomers: readonly Newcomer[]
  /** What the last look for people found, or one that is made now, and how many are known who have not left. */
  readonly seePeople: (look: {
    readonly now: boolean
  }) => Promise<{ readonly look: LookRound; readonly people: number }>
}

/**
 * Finds out whether the Read API can be read as its settings say, and which setting to change where not. Never fails for what
 * the Read API does; only with the signal's reason.
 */
export async function examine(
  { connection, probe, settingNames, credentialFile, isEmbedded }: ExaminedConnection,
  knowledge: BridgeKnowledge,
  order: Pick<Inquiry, 'now' | 'signal' | 'guesses' | 'zoneClock'>,
): Promise<Examination> {
  const inquiry = { connection, probe, advise: adviseFor(settingNames), ...order }
  const baseUrl = isEmbedded ? null : probe.baseUrl
  const reach = await checkReach(inquiry, baseUrl)
  // The rest is read only where lists can be asked for as feeds ask for them.
  const isEntered = reach.state === 'answered' || reach.state === 'refused'
  const isRead = isEntered && knowledge.trust.is === 'trusted'
  // People who were looked for with other settings, or in vain, would speak against those that are set now.
  const { look, people } = await knowledge.seePeople({ now: isRead && order.guesses })
  const lists = isRead ? await examineLists(inquiry, knowledge) : []
  const hasAnswered =
    reach.state === 'answered' || lists.some(({ check, ok }) => ok && check.startsWith('list-'))
  const found = [
    hasAnswered ? answeredFinding(baseUrl) : reach.finding,
    // Of the credential nothing is known where no list answers and none is denied.
    ...(hasAnswered || reach.denial
      ? [await checkCredential(inquiry, reach.denial, credentialFile)]
      : []),
    ...lists,
    ...checkTrust(knowledge.trust),
    ...checkDoubts(knowledge.doubted),
    // Where nothing could be read, it is clear that people were not seen.
    ...(isEntered ? checkPeople(look, people) : []),
    ...checkDepartures(knowledge.heldBack),
    ...checkLeftInFeeds(knowledge.leftInFeeds),
    ...checkMisnamed(knowledge.misnamed),
    ...checkNewcomers(knowledge.newcomers),
  ]
  const findings = withEachSettingOnce(found).toSorted(
    (one, other) => ranks[one.level] - ranks[other.level],
  )
  return { companyId: connection.company.id, ok: found.every(({ ok }) => ok), findings }
}

/** What is wrong first, then notes; else in the order of the examination. */
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

  /** Both filters are named in one setting: each finding advises what mends both. */
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

/** Where two findings ask for the same setting the later one refers to the first. */
function withEachSettingOnce(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding, index) => {
    const first = findings.findIndex(({ set }) => set !== null && set === finding.set)
    const earlier = first < index ? findings[first] : undefined
    if (!earlier) return finding
    return { ...finding, means: `${finding.means} What ${earlier.check} sets mends it.`, set: null }
  })
}
