import type { Authentication } from '../domain/connection.ts'
import type { Examination } from '../domain/examination.ts'
import type { Log } from '../domain/world.ts'
import { adviceOf, environmentLine } from '../examination/advice.ts'
import type { AddressFault, TrialResult, Trials, TypedConnection } from '../examination/trial.ts'
import { type CompanySettings, isPlainAbroad, toCompanySettings } from '../settings/companies.ts'
import type { Settings } from '../settings/read-settings.ts'
import { companyTable, unsetCompany } from '../settings/tables.ts'
import { openMemoryStore } from '../store/open-store.ts'
import { withoutSecrets } from '../transport/authentication.ts'
import { TypedHost } from '../transport/typed-host.ts'
import { type Closing, connectCompanies, openExaminer, openSources } from './companies.ts'
import type { Surroundings } from './world.ts'

/** Reverse proxies commonly wait for a minute. */
const trialMs = 45_000
const answerMs = 10_000
const charactersMax = 4096

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** Examines Read APIs that are typed in, one at a time, with a store in memory that ends with the trial. */
export class ConnectionTrials implements Trials {
  readonly #settings: Settings
  readonly #surroundings: Surroundings
  readonly #publicUrl: string
  readonly #ending = new AbortController()
  #underWay: Promise<TrialResult> | undefined

  constructor(settings: Settings, surroundings: Surroundings, publicUrl: string) {
    this.#settings = settings
    this.#surroundings = { ...surroundings, log: silent, measures: undefined }
    this.#publicUrl = publicUrl
  }

  async run(typed: TypedConnection, signal: AbortSignal): Promise<TrialResult> {
    if (this.#underWay) return { is: 'busy' }
    const ending = AbortSignal.any([signal, this.#ending.signal, AbortSignal.timeout(trialMs)])
    const trial = this.#try(typed, ending).finally(() => (this.#underWay = undefined))
    this.#underWay = trial
    // What is under way may take longer to end than somebody waits.
    return Promise.race([trial, endOf(ending)])
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error('closing'))
    await this.#underWay?.catch(() => undefined)
  }

  async #try(typed: TypedConnection, ending: AbortSignal): Promise<TrialResult> {
    const read = readTyped(typed, this.#settings.allowInsecure)
    if ('faults' in read) return { is: 'faulty', faults: read.faults }
    const { company } = read
    const { baseUrl, authentication } = company.connection
    const only = new TypedHost(baseUrl)
    const refusal = await only.findRefusal()
    if (refusal) return { is: 'faulty', faults: { address: refusal } }
    const found = await this.#examine(company, only, ending)
    if (!found) return { is: 'late' }
    const examination = withoutSecret(found.examination, authentication)
    return { is: 'examined', examination, lines: linesFor(typed, found.credential, examination) }
  }

  /** Null if it was not finished in time. */
  async #examine(
    company: CompanySettings,
    only: TypedHost,
    ending: AbortSignal,
  ): Promise<{ readonly examination: Examination; readonly credential: string } | null> {
    await using open = new AsyncDisposableStack()
    const closing: Closing = (it) => open.adopt(it, (opened) => opened.close())
    const settings = { ...this.#settings, companies: [company], settingsIn: 'environment' } as const
    const examined = await connectCompanies(settings, this.#surroundings, open, only)
    const store = closing(await openMemoryStore())
    const { feedFreshMs: freshMs, feedStaleMs: staleMs, directoryFreshMs } = settings
    const { feedRefreshBudgetMs: refreshBudgetMs } = settings
    const ages = { freshMs, staleMs, directoryFreshMs, refreshBudgetMs }
    const ports = {
      ...store,
      ...this.#surroundings,
      connections: new Map([...examined].map(([id, { feeds }]) => [id, feeds])),
      ...ages,
      publicUrl: this.#publicUrl,
    }
    const reading = openSources(ports, closing)
    const examiner = openExaminer(ports, reading, { examined, trusts: new Map() }, closing)
    const { id } = company.company
    const end = (): void => void examiner.close()
    ending.addEventListener('abort', end, { once: true })
    try {
      if (ending.aborted) return null
      const examination = await examiner.run(id)
      return { examination, credential: examined.get(id)?.probe.credential ?? '' }
    } catch (error) {
      if (ending.aborted) return null
      throw error
    } finally {
      ending.removeEventListener('abort', end)
    }
  }
}

function endOf(signal: AbortSignal): Promise<TrialResult> {
  const { promise, resolve } = Promise.withResolvers<TrialResult>()
  signal.addEventListener('abort', () => resolve({ is: 'late' }), { once: true })
  return promise
}

function readTyped(
  typed: TypedConnection,
  allowInsecure: boolean,
): { readonly company: CompanySettings } | Extract<TrialResult, { readonly is: 'faulty' }> {
  const { address, timezone, scheme, name, secret } = typed
  const { shape } = companyTable
  const baseUrl = address.length > charactersMax ? undefined : shape.baseUrl.safeParse(address).data
  const auth = shape.auth.safeParse(authenticationText(typed)).data
  const isNamed = scheme === 'none' || scheme === 'bearer' || /^[^:\s]+$/.test(name)
  const isExposed = auth && auth.scheme !== 'none' && baseUrl && isPlainAbroad(baseUrl)
  const fault = ((): AddressFault | undefined => {
    if (baseUrl === undefined) return 'address'
    return isExposed && !allowInsecure ? 'insecure' : undefined
  })()
  const isZone = shape.timezone.safeParse(timezone).success
  const hasSecret = auth !== undefined && secret.length <= charactersMax
  if (baseUrl && auth && !fault && isZone && isNamed && hasSecret) {
    const given = { ...unsetCompany, baseUrl, timezone, auth: authenticationText(typed) }
    const company = toCompanySettings(companyTable.parse({ ...given, timeoutMs: answerMs }))
    return { company }
  }
  const faults = {
    ...(fault && { address: fault }),
    ...(!isZone && { timezone: 'timezone' as const }),
    ...(!isNamed && { name: 'name' as const }),
    ...(isNamed && !hasSecret && { secret: 'secret' as const }),
  }
  return { is: 'faulty', faults }
}

/** As `WORKFORCE_AUTH` is written. */
function authenticationText({ scheme, name, secret }: TypedConnection): string {
  if (scheme === 'none') return scheme
  return scheme === 'bearer' ? `bearer:${secret}` : `${scheme}:${name}:${secret}`
}

/** Some servers repeat in their answers what was sent. */
function withoutSecret(examination: Examination, authentication: Authentication): Examination {
  const clean = (text: string): string => withoutSecrets(authentication, text)
  const findings = examination.findings.map((finding) => ({
    ...finding,
    seen: clean(finding.seen),
    means: clean(finding.means),
    set: finding.set === null ? null : clean(finding.set),
  }))
  return { ...examination, findings }
}

/** The lines of `.env`: what was typed, with what the examination advises in its place. The secret is not in them. */
function linesFor(
  { address, timezone }: TypedConnection,
  credential: string,
  examination: Examination,
): readonly string[] {
  const typed = [
    `WORKFORCE_BASE_URL=${address}`,
    `WORKFORCE_TIMEZONE=${timezone}`,
    `WORKFORCE_AUTH=${credential}`,
  ].map(environmentLine)
  const lines = new Map([...typed, ...adviceOf(examination).lines].map((it) => [nameOf(it), it]))
  return [...lines.values()]
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf('='))
}
