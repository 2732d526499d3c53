import { mayDo } from '../../domain/access/staff.ts'
import type { Finding } from '../../domain/examination.ts'
import type { TrialResult, TypedConnection, TypedFaults } from '../../examination/trial.ts'
import type { PageDeps } from '../pages/page.ts'
import {
  type ConsoleHandler,
  type Form,
  readForm,
  RefusedInWords,
  sendConsole,
  type Visit,
} from './console.ts'

type Route = 'GET /console/first-steps' | 'POST /console/first-steps'

const schemes = ['bearer', 'header', 'basic', 'query', 'none'] as const

/** What the form shows again: all but the secret. */
type Shown = Omit<TypedConnection, 'secret'>

interface Reply {
  readonly typed: Shown
  readonly faults: TypedFaults
  readonly refused: 'busy' | 'late' | null
  readonly result: { readonly findings: readonly Finding[]; readonly lines: string } | null
  readonly isWell: boolean
}

export function firstStepsHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/first-steps': (visit) => showFirstSteps(deps, visit, nothingTyped(deps, visit)),
    'POST /console/first-steps': async (visit) => {
      const { response, words } = visit
      if (!deps.isSample) throw new RefusedInWords('conflict', words.firstSteps.isConnected)
      const { secret, ...typed } = readTyped(await readForm(visit))
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      const result = await deps.trials.run({ ...typed, secret }, gone.signal)
      response.status(statuses[result.is])
      await showFirstSteps(deps, visit, replyOf(typed, result))
    },
  }
}

const statuses: Readonly<Record<TrialResult['is'], number>> = {
  examined: 200,
  faulty: 400,
  busy: 429,
  late: 504,
}

function readTyped(form: Form): TypedConnection {
  const asked = form.text('scheme')
  const scheme = schemes.find((it) => it === asked) ?? 'bearer'
  const isNamed = scheme !== 'bearer' && scheme !== 'none'
  return {
    address: form.text('address'),
    timezone: form.text('timezone'),
    scheme,
    name: isNamed ? form.text('name') : '',
    secret: scheme === 'none' ? '' : form.text('secret'),
  }
}

function nothingTyped(deps: PageDeps, { companyId }: Visit): Reply {
  const timezone = deps.connections.get(companyId)?.company.timezone ?? ''
  const typed = { address: '', timezone, scheme: 'bearer', name: '' } as const
  return { typed, faults: {}, refused: null, result: null, isWell: false }
}

function replyOf(typed: Shown, found: TrialResult): Reply {
  const faults = found.is === 'faulty' ? found.faults : {}
  const refused = found.is === 'busy' || found.is === 'late' ? found.is : null
  if (found.is !== 'examined') return { typed, faults, refused, result: null, isWell: false }
  const { examination, lines } = found
  const result = { findings: examination.findings, lines: lines.join('\n') }
  return { typed, faults, refused, result, isWell: examination.ok }
}

async function showFirstSteps(deps: PageDeps, visit: Visit, reply: Reply): Promise<void> {
  const { words, companyId, companies, by } = visit
  const { isConnected, latest, hasCalendars } = await deps.firstSteps.find(companyId)
  const isWell = latest?.examination.ok === true
  sendConsole(deps, visit, {
    template: 'first-steps',
    title: words.firstSteps.title,
    place: 'firstSteps',
    openable: '/first-steps',
    companyName: companies.find(({ id }) => id === companyId)?.name,
    steps: {
      isConnected,
      examined: latest === undefined ? 'unknown' : isWell ? 'well' : 'ill',
      hasCalendars,
      areDone: isConnected && isWell && hasCalendars,
    },
    reply,
    schemes,
    timezones: !isConnected && mayDo(by.role, 'admin') ? Intl.supportedValuesOf('timeZone') : [],
  })
}
