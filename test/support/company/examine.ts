/* The examination of one Read API: as it is wired, of a bridge that has no feeds, and as `doctor` makes it. */
import { readFileSync } from 'node:fs'

import { holidaysIn } from '../../../src/calendar/holidays.ts'
import { localTime } from '../../../src/calendar/local-time.ts'
import type { Examination, Finding } from '../../../src/domain/examination.ts'
import type { Clock } from '../../../src/domain/world.ts'
import { type BridgeKnowledge, examine } from '../../../src/examination/examine.ts'
import { connectCompanies } from '../../../src/process/companies.ts'
import { systemClock } from '../../../src/process/world.ts'
import { readSettings } from '../../../src/settings/read-settings.ts'
import { readsFrom } from '../bridge/bridge.ts'
import { runCommand } from '../bridge/command-line.ts'
import { openNode } from '../bridge/node.ts'
import { silentLog } from '../bridge/silent-log.ts'
import { migratedSqliteDatabase } from '../database/databases.ts'

export type Environment = Readonly<Record<string, string>>

/** Of credentials. */
export const secret = 'tok-4f9a1c77e2'

interface ExaminedWith
  extends Partial<BridgeKnowledge>, Partial<Awaited<ReturnType<BridgeKnowledge['seePeople']>>> {
  readonly clock?: Clock
  /** Whether a person asks for it. */
  readonly guesses?: boolean
}

export interface DoctorResult {
  readonly code: number
  /** What went to standard error. */
  readonly errors: string
  readonly examination: Examination
}

const neverLooked = { lookedAt: null, problems: [] } as const

/** Examines that base URL for a company in Berlin, unless the environment says otherwise, of which the bridge knows nothing yet. */
export async function examineApi(
  url: string,
  environment: Environment = {},
  {
    clock = systemClock,
    guesses = true,
    look = neverLooked,
    people: count = 0,
    ...known
  }: ExaminedWith = {},
): Promise<Examination> {
  await using open = new AsyncDisposableStack()
  const variables = { ...readsFrom(url), DATABASE_URL: migratedSqliteDatabase(), ...environment }
  const settings = readSettings(variables, (file) => readFileSync(file))
  const surroundings = { clock, log: silentLog, versions: 'test' }
  const node = await openNode(variables, clock)
  open.defer(() => node.close())
  const [examined] = (await connectCompanies(settings, surroundings, open)).values()
  const [source] = node.sources.values()
  if (!examined || !source) throw new Error('One company is set.')
  const { store, directory: people } = node
  const asked = { ...store, departed: store.departures, people, clock, log: silentLog }
  const leaveFilter = { ...asked, connection: examined.connection }
  const { signal } = new AbortController()
  const time = { now: clock.now(), signal, zoneClock: localTime, holidaysIn, guesses }
  const nothing = {
    heldBack: null,
    managersHeldBack: null,
    leftInFeeds: [],
    misnamed: [],
    newcomers: [],
    trust: { is: 'trusted' } as const,
    seePeople: async () => ({ look, people: count }),
    doubted: [],
    leftOut: [],
  }
  const proof = await source.proof()
  return await examine(examined, { ...nothing, proof, leaveFilter, ...known }, time)
}

/** Runs `doctor --json` against that base URL, for a company in Berlin unless the environment says otherwise. */
export async function runDoctor(url: string, environment: Environment = {}): Promise<DoctorResult> {
  const settings = { ...readsFrom(url), ...environment }
  const { code, errors, output } = await runCommand(settings, 'doctor', '--json')
  return { code, errors, examination: JSON.parse(output) }
}

/** The finding of that check; throws where there is none. */
export function findingOf({ findings }: Examination, check: string): Finding {
  const found = findings.find((finding) => finding.check === check)
  if (!found) throw new Error(`Nothing was found about ${check}.`)
  return found
}

/** The checks that found something wrong. */
export function wrongIn({ findings }: Examination): readonly string[] {
  return findings.filter(({ ok }) => !ok).map(({ check }) => check)
}

/** Each setting that is to change, once. */
export function settingsOf({ findings }: Examination): readonly string[] {
  return [...new Set(findings.flatMap(({ set }) => set ?? []))]
}

/** Does literally what the advice says, the secret put in where it is asked for. */
export function following(advice: readonly string[]): Environment {
  return Object.fromEntries(
    advice.map((line) => {
      const [key = '', ...value] = line.split('=')
      return [key, value.join('=').replace(/:(TOKEN|VALUE)$/, `:${secret}`)]
    }),
  )
}
