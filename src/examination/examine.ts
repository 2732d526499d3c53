import type { LeaveExamination } from '../copies/proof/leave-examination.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyHead } from '../domain/copy.ts'
import type {
  Examination,
  ExaminationProbe,
  Finding,
  ZoneClocks,
  FindingLevel,
} from '../domain/examination.ts'
import type { LeaveProof } from '../domain/leave.ts'
import type { Trust } from '../people/company-trust.ts'
import type { LeftOut } from '../publishing/left-out.ts'
import { type Inquiry, type Advise, adviseFor, type SettingNames } from './advice.ts'
import {
  askCredential,
  type CredentialVerdict,
  judgeCredential,
  sayCredential,
} from './checks/credential.ts'
import { judgeDates, judgeEndDates, sayDates, sayEndDates } from './checks/dates.ts'
import {
  askLeaveFilter,
  judgeLeaveFilter,
  sayLeaveFilter,
  sayLeaveOwners,
} from './checks/leave-filter.ts'
import type { ListFacts } from './checks/list-facts.ts'
import {
  askLists,
  betterParameters,
  judgeLists,
  type ListVerdict,
  sayList,
} from './checks/lists.ts'
import { type KnownOfPeople, sayAllOfPeople, sayDoubts, sayTrust } from './checks/people.ts'
import { askReach, judgeReach, type ReachVerdict, sayReach } from './checks/reach.ts'
import {
  findLeftOut,
  type RightDays,
  judgeProjects,
  judgeRecords,
  judgeSchedules,
  sayProjects,
  sayRecords,
  saySchedules,
} from './checks/records.ts'
import {
  askTimesheetFilter,
  judgeTimesheetFilter,
  sayTimesheetFilter,
} from './checks/timesheet-filter.ts'
import { askTruncation, judgeTruncation, sayTruncation } from './checks/truncation.ts'

/** A connection together with what only its examination needs. */
export interface ExaminedConnection {
  readonly connection: Connection
  readonly probe: ExaminationProbe
  /** What its settings are called where they stand, so that advice can be written as they are. */
  readonly settingNames: SettingNames
  /** The file that holds the credential; null where it stands in the settings themselves. */
  readonly credentialFile?: string | null
  /** Whether it is the bridge's own, at an address that nobody set. */
  readonly isEmbedded?: boolean
}

/** What the bridge knows of the company by itself. */
export interface BridgeKnowledge extends Omit<KnownOfPeople, keyof SeenPeople> {
  readonly proof: LeaveProof
  /** As feeds prove it. */
  readonly leaveFilter: Pick<LeaveExamination, 'examine'>
  /** Copies after which less has come than can be believed yet. */
  readonly doubted: readonly CopyHead[]
  /** What open calendars leave out of the copies that are kept for them. */
  readonly leftOut: readonly LeftOut[]
  /** Whether the credential opens the same company as before. */
  readonly trust: Trust
  /** Whom the last look for people found, or one that is made now. */
  readonly seePeople: (look: { readonly now: boolean }) => Promise<SeenPeople>
}

type SeenPeople = Pick<KnownOfPeople, 'look' | 'people'>

/** As of when the company is examined, until when at most, by which clocks days are told, and for whom. */
export interface ExaminationOrder extends Pick<Inquiry, 'now' | 'signal' | 'guesses'> {
  readonly zoneClock: ZoneClocks
}

interface CheckInput
  extends
    Pick<BridgeKnowledge, 'proof' | 'leaveFilter' | 'leftOut'>,
    Pick<ExaminationOrder, 'zoneClock'> {
  readonly inquiry: Inquiry
  readonly advise: Advise
  readonly credentialFile: string | null
  readonly isEmbedded: boolean
}

/**
 * Finds out whether the Read API can be read as its settings say, and which setting to change where not. Never fails
 * for what the Read API does; only with the signal's reason.
 */
export async function examine(
  {
    connection,
    probe,
    settingNames,
    credentialFile = null,
    isEmbedded = false,
  }: ExaminedConnection,
  knowledge: BridgeKnowledge,
  { zoneClock, ...order }: ExaminationOrder,
): Promise<Examination> {
  const inquiry = { connection, probe, ...order }
  const { proof, leaveFilter, leftOut } = knowledge
  const advise = adviseFor(settingNames)
  const input = {
    inquiry,
    proof,
    leaveFilter,
    leftOut,
    zoneClock,
    advise,
    credentialFile,
    isEmbedded,
  }
  const arrival = await examineArrival(input)
  const isRead = arrival.isEntered && knowledge.trust.is === 'trusted'
  // People who were looked for with other settings, or in vain, would speak against those that are set now.
  const seen = await knowledge.seePeople({ now: isRead && order.guesses })
  const found = [
    ...(isRead ? await examineApi(input, arrival) : sayArrival(input, arrival)),
    ...sayTrust(knowledge.trust),
    ...sayDoubts(knowledge.doubted),
    ...sayAllOfPeople({ ...knowledge, ...seen }, arrival),
  ]
  const ok = found.every((finding) => finding.ok)
  return { companyId: connection.company.id, ok, findings: byLevel(withEachSettingOnce(found)) }
}

/** The checks, in order: each asks, judges and says. Where the Read API cannot be entered nothing else is asked. */
async function examineApi(input: CheckInput, arrival: Arrival): Promise<readonly Finding[]> {
  const { inquiry, advise } = input
  const { company, pagination } = inquiry.connection
  const lists = await askLists(inquiry)
  const read = judgeLists(lists)
  const filters = await examineFilters(input, lists)
  const tried = await askTruncation(inquiry, lists)
  const schedules = judgeSchedules(lists, company)
  const days = examineDays(input, lists)
  const { leftOut: ofFeeds } = input
  const leftOut = await findLeftOut(inquiry, lists, { ofFeeds, ...days })
  return [
    ...sayArrival(input, isAnswered(read) ? { ...arrival, reach: { state: 'answered' } } : arrival),
    ...read.map(sayList),
    ...filters,
    sayRecords(judgeRecords(leftOut)),
    ...days.findings,
    sayTruncation(judgeTruncation(lists, tried, pagination), pagination, advise),
    ...(schedules ? [saySchedules(schedules, advise)] : []),
    sayProjects(judgeProjects(lists, company.projects), advise),
  ]
}

/** What the first lists show of the address and of the credential. */
interface Arrival {
  readonly reach: ReachVerdict
  readonly credential: CredentialVerdict
  /** Whether lists can be asked for as feeds ask for them. */
  readonly isEntered: boolean
}

async function examineArrival({ inquiry }: CheckInput): Promise<Arrival> {
  const facts = await askReach(inquiry)
  const reach = judgeReach(facts)
  const credential = judgeCredential(await askCredential(inquiry, facts.answers))
  const isEntered = reach.state === 'answered' || reach.state === 'refused'
  return { reach, credential, isEntered }
}

/** Of the credential nothing is known where no list answers and none is denied. */
function sayArrival(
  { inquiry, advise, credentialFile, isEmbedded }: CheckInput,
  { reach, credential }: Arrival,
): readonly Finding[] {
  const { baseUrl, credential: set } = inquiry.probe
  const isKnown = reach.state === 'answered' || !credential.ok
  return [
    sayReach(reach, isEmbedded ? null : baseUrl, advise),
    ...(isKnown ? [sayCredential(credential, { set, file: credentialFile }, advise)] : []),
  ]
}

function isAnswered(lists: readonly ListVerdict[]): boolean {
  return lists.some(({ ok }) => ok)
}

/** Both filters are named in one setting: whichever finding is followed, it mends both. */
async function examineFilters(
  { inquiry, proof, leaveFilter, advise }: CheckInput,
  lists: ListFacts,
): Promise<readonly Finding[]> {
  const { parameters } = inquiry.connection
  const asked = await askLeaveFilter(inquiry, lists, (people, signal) =>
    leaveFilter.examine(people, signal),
  )
  const leaves = judgeLeaveFilter(asked, proof)
  const timesheets = judgeTimesheetFilter(await askTimesheetFilter(inquiry, lists))
  const set = advise('params', betterParameters(parameters, { leaves, timesheets }))
  return [
    sayLeaveFilter(leaves, parameters.leaves.employee, set),
    // That leaves come for several follows from a filter that is no filter.
    ...(leaves.level === 'wrong' ? [] : sayLeaveOwners(asked.underSet?.disputes ?? [])),
    sayTimesheetFilter(timesheets, parameters.timesheets.employee, set),
  ]
}

interface ExaminedDays {
  readonly findings: readonly Finding[]
  readonly rightDays: RightDays
}

/** What an end is shows only once it is known at which midnight days stand; where nothing shows it, it may be the last day. */
function examineDays({ inquiry, zoneClock, advise }: CheckInput, lists: ListFacts): ExaminedDays {
  const { company } = inquiry.connection
  const verdict = judgeDates(lists, company, zoneClock)
  const ends = judgeEndDates(lists, company, verdict, zoneClock)
  const { dates, timezone } = verdict
  return {
    findings: [...sayDates(verdict, company, advise), sayEndDates(ends, advise)],
    rightDays: { dates, timezone, endDates: ends.right ?? 'inclusive' },
  }
}

const ranks: Readonly<Record<FindingLevel, number>> = { wrong: 0, note: 1, ok: 2 }

/** What is wrong first, then notes; else in the order of the examination. */
function byLevel(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((one, other) => ranks[one.level] - ranks[other.level])
}

/** Where two findings ask for the same setting the later one refers to the first. */
function withEachSettingOnce(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding, index) => {
    const first = findings.find(({ set }) => set !== null && set === finding.set)
    if (!first || findings.indexOf(first) === index) return finding
    return { ...finding, means: `${finding.means} What ${first.check} sets mends it.`, set: null }
  })
}
