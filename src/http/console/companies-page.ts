/* The companies, and what the last examination of the chosen one has found. */
import type { KeptExamination } from '../../domain/examination.ts'
import { type Instant, minuteMs } from '../../domain/world.ts'
import { adviceOf } from '../../examination/advice.ts'
import type { CompanyView } from '../../feeds/company-defaults.ts'
import { timesOf } from '../pages/calendar-view.ts'
import type { PageDeps } from '../pages/page.ts'
import {
  consoleAddress,
  type ConsoleHandler,
  sendConsole,
  timezoneOf,
  type Visit,
} from './console.ts'

type Route = 'GET /console/companies' | 'POST /console/companies'

/** How often the page of a running examination looks again. */
const looksAgainSeconds = 5
/** After that, an examination that another node should be running is no longer waited for. */
const examinesAtMostMs = 10 * minuteMs

export function companiesHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/companies': (visit) => showCompanies(deps, visit),
    'POST /console/companies': async (visit) => {
      const since = String(deps.examiner.begin(visit.companyId))
      visit.response.redirect(303, consoleAddress(deps, visit, '/companies', { since }))
    },
  }
}

async function showCompanies(deps: PageDeps, visit: Visit): Promise<void> {
  const { words, companyId, by } = visit
  const { data } = await deps.administrationBy(by).companies.list()
  const companies = await Promise.all(data.map((company) => viewCompany(deps, visit, company)))
  const chosen = data.find(({ id }) => id === companyId)
  const kept = await deps.examiner.kept(companyId)
  sendConsole(deps, visit, {
    template: 'companies',
    title: words.companies.title,
    place: 'companies',
    all: companies,
    chosen,
    latest: kept && viewExamination(deps, visit, kept),
    progress: viewProgress(deps, visit, kept),
  })
}

async function viewCompany(
  deps: PageDeps,
  visit: Visit,
  { id, openFeeds }: CompanyView,
): Promise<object> {
  const kept = await deps.examiner.kept(id)
  return {
    id,
    name: visit.companies.find((it) => it.id === id)?.name ?? id,
    openFeeds,
    verdict: verdictOf(kept),
    isRunning: deps.examiner.begunAt(id) !== null,
    counts: kept && countsOf(kept),
    examinedAt: kept ? timeOf(deps, visit, kept.examinedAt) : null,
  }
}

function viewExamination(deps: PageDeps, visit: Visit, kept: KeptExamination): object {
  const { examination, examinedAt } = kept
  const { lines, members } = adviceOf(examination)
  return {
    findings: examination.findings,
    verdict: verdictOf(kept),
    counts: countsOf(kept),
    examinedAt: timeOf(deps, visit, examinedAt),
    lines: lines.join('\n'),
    members: members.join(',\n'),
  }
}

/**
 * Whether an examination is running: here, or where `?since=` says when it began and none is kept that is later: then
 * another node runs it.
 */
function viewProgress(
  deps: PageDeps,
  visit: Visit,
  kept: KeptExamination | undefined,
): object | null {
  const { request, companyId } = visit
  const asked = sinceIn(request.query['since'], deps.clock.now())
  const since = deps.examiner.begunAt(companyId) ?? asked
  if (since === null) return null
  const isOver = deps.examiner.begunAt(companyId) === null && (kept?.examinedAt ?? 0) >= since
  const isLate = deps.clock.now() - since > examinesAtMostMs
  if (isOver && isLate) return null
  const isWatched = request.query['look'] !== 'off'
  return {
    is: isOver ? 'over' : isLate ? 'late' : 'running',
    since: String(since),
    began: timeOf(deps, visit, since),
    isWatched,
    seconds: looksAgainSeconds,
  }
}

/** When the examination began that was asked for; null if the address says no such time. */
function sinceIn(text: unknown, now: Instant): Instant | null {
  const since = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null
  return since !== null && since <= now ? since : null
}

function verdictOf(kept: KeptExamination | undefined): 'well' | 'ill' | 'unknown' {
  if (!kept) return 'unknown'
  return kept.examination.ok ? 'well' : 'ill'
}

function countsOf({ examination: { findings } }: KeptExamination): object {
  const count = (level: string): string =>
    String(findings.filter((finding) => finding.level === level).length)
  return { wrong: count('wrong'), notes: count('note') }
}

/** In the time zone of the company. */
function timeOf(deps: PageDeps, visit: Visit, instant: Instant): object {
  const times = timesOf(deps, visit.request, timezoneOf(deps, visit), visit.locale)
  return {
    iso: new Date(instant).toISOString(),
    at: times.at(instant),
    ago: times.ago(instant),
  }
}
