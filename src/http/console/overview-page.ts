import { asAppError } from '../../domain/errors.ts'
import type { KeptExamination } from '../../domain/examination.ts'
import { displayName, type PersonReference } from '../../domain/user.ts'
import { type Instant, minuteMs } from '../../domain/world.ts'
import { adviceOf } from '../../examination/advice.ts'
import type { CompanyCounts, Undecided } from '../../feeds/company-work.ts'
import { idField } from '../../feeds/feed-input.ts'
import { confirmPerson } from '../../people/identities.ts'
import { isolated } from '../../text/plain-text.ts'
import { timesOf } from '../pages/calendar-view.ts'
import type { PageDeps } from '../pages/page.ts'
import type { PageTimes } from '../pages/times.ts'
import {
  type ConsoleHandler,
  incomplete,
  readForm,
  redirectDone,
  sendConsole,
  type Visit,
} from './console.ts'

type Route = 'GET /console' | 'POST /console/departures' | 'POST /console/identities'

/** A form that came too late: others have decided, or there is more to decide. */
type Late = 'changed' | 'settled'

export function overviewHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console': (visit) => showOverview(deps, visit, null),
    'POST /console/departures': async (visit) => {
      const form = await readForm(visit)
      const seen = { count: Number(form.text('count')), until: Number(form.text('until')) }
      if (!Object.values(seen).every(isPositive)) throw incomplete(visit)
      const confirming = deps.departures.confirmHeldBack(visit.companyId, seen, visit.by)
      if (!(await isInTime(confirming))) return showOverview(deps, visit, 'changed')
      redirectDone(deps, visit, '', 'departuresConfirmed')
    },
    'POST /console/identities': async (visit) => {
      const { companyId, by } = visit
      const form = await readForm(visit)
      const act = form.text('act')
      if (act !== 'same' && act !== 'other') throw incomplete(visit)
      const isSame = act === 'same'
      const userId = idField.safeParse(form.text('userId')).data
      const isSettled =
        userId !== undefined &&
        (await isInTime(confirmPerson(deps.confirming, { userId, companyId, isSame }, by)))
      if (!isSettled) return showOverview(deps, visit, 'settled')
      redirectDone(deps, visit, '', isSame ? 'identitySame' : 'identityOther')
    },
  }
}

function isPositive(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0
}

async function isInTime(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    const code = asAppError(error)?.code
    if (code === 'conflict' || code === 'not_found') return false
    throw error
  }
}

async function showOverview(deps: PageDeps, visit: Visit, late: Late | null): Promise<void> {
  const { companyId, request, response, locale, words } = visit
  const timezone = deps.connections.get(companyId)?.company.timezone ?? 'UTC'
  const times = timesOf(deps, request, timezone, locale)
  const [{ latest }, undecided, counts, others] = await Promise.all([
    deps.firstSteps.find(companyId),
    deps.companyWork.findUndecided(companyId),
    deps.companyWork.findCounts(companyId),
    viewOthers(deps, visit),
  ])
  if (late) response.status(409)
  const page = {
    late,
    latest: latest ? viewLatest(latest, times) : null,
    heldBack: viewHeldBack(undecided.heldBack, times),
    held: viewHeld(undecided.held, times, visit),
    doubted: undecided.doubtedSince === null ? null : viewTime(undecided.doubtedSince, times),
    unreadable: latest?.examination.findings.find(
      ({ check, level }) => check === 'records' && level === 'wrong',
    ),
    counted: counts ? viewCounts(counts, visit) : [],
  }
  const isIdle =
    page.counted.length === 0 &&
    undecided.heldBack.count + undecided.held.count === 0 &&
    !page.unreadable &&
    !page.doubted
  sendConsole(deps, visit, {
    template: 'overview',
    title: words.overview.title,
    place: 'overview',
    openable: '',
    isSample: deps.isSample,
    isNew: visit.isNew,
    counts,
    number: (count: number) => count.toLocaleString(locale),
    condition: viewCondition(deps, companyId, times),
    others,
    ...page,
    isIdle: isIdle && counts !== null,
    isUncounted: isIdle && counts === null,
  })
}

interface ShownTime {
  readonly text: string
  readonly iso: string
}

function viewTime(instant: Instant, times: PageTimes): ShownTime {
  return { text: times.at(instant), iso: new Date(instant).toISOString() }
}

function viewCondition(deps: PageDeps, companyId: string, times: PageTimes) {
  const found = deps.sources.get(companyId)?.condition()
  const { isUp = true, downSince = null, oldestCopyMs = 0 } = found ?? {}
  const minutes = Math.floor(oldestCopyMs / minuteMs)
  return { isUp, downSince: downSince === null ? null : viewTime(downSince, times), minutes }
}

function viewLatest({ examination, examinedAt }: KeptExamination, times: PageTimes) {
  const { ok, findings } = examination
  const countOf = (level: string): number => findings.filter((it) => it.level === level).length
  const { lines, members } = adviceOf(examination)
  return {
    ok,
    wrong: countOf('wrong'),
    notes: countOf('note'),
    at: viewTime(examinedAt, times),
    ago: times.ago(examinedAt),
    lines: lines.join('\n'),
    members: members.join(',\n'),
  }
}

function viewHeldBack({ count, until, people }: Undecided['heldBack'], times: PageTimes) {
  const shown = people.map((person) => ({
    ...viewPerson(person),
    because: person.because,
    since: viewTime(person.since, times),
  }))
  return count === 0 ? null : { count, until, people: shown, more: count - people.length }
}

function viewHeld({ count, people }: Undecided['held'], times: PageTimes, { words }: Visit) {
  const shown = people.map((person) => {
    const { id, name } = viewPerson(person)
    const since = viewTime(person.since, times)
    return { id, name: name || words.overview.work.held.unknown, since }
  })
  return { people: shown, more: count - people.length }
}

function viewPerson(person: PersonReference): { readonly id: string; readonly name: string } {
  return { id: person.id, name: isolated(displayName(person)) }
}

/** What many people have in common, and the group in which they are found. */
function viewCounts(counts: CompanyCounts, { words }: Visit) {
  const { people } = words.overview.work
  const found = [
    ['disputed', counts.disputed, 'trouble'],
    ['misnamed', counts.misnamed, 'trouble'],
    ['mailRefused', counts.mailRefused, 'trouble'],
    ['quiet', counts.groups.quiet, 'quiet'],
    ['never-subscribed', counts.groups['never-subscribed'], 'never-subscribed'],
  ] as const
  return found
    .filter(([, count]) => count > 0)
    .map(([name, count, group]) => ({ text: people[name](count), group }))
}

async function viewOthers(deps: PageDeps, { companies, companyId }: Visit) {
  const others = companies.filter(({ id }) => id !== companyId)
  return Promise.all(
    others.map(async ({ id, name }) => {
      const [{ latest }, { count }] = await Promise.all([
        deps.firstSteps.find(id),
        deps.companyWork.sumHeldBack(id),
      ])
      const isUp = deps.sources.get(id)?.condition().isUp ?? true
      return { id, name, isUp, ok: latest?.examination.ok ?? null, heldBack: count }
    }),
  )
}
