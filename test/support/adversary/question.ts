/* What a request to the Read API asks for, and what the company would say to it if it did not lie. */
import type { CompanyRecords, Json } from '../company/company-server.ts'
import type { Asked, Operation } from './lie.ts'
import type { PagingStyle } from './lying-company.ts'

const byNoun: Readonly<Record<string, Operation>> = {
  leaves: 'leaves',
  timesheets: 'timesheets',
  schedules: 'schedules',
  projects: 'tasks',
  users: 'user',
  invoices: 'invoice',
}

/** Undefined for an address that the spec does not have. */
export function readQuestion(
  { pathname, searchParams: query }: URL,
  paging: PagingStyle | null,
  numbers: ReadonlyMap<Operation, number>,
  at: number,
): Asked | undefined {
  const [noun = '', id] = pathname
    .replace(/^.*\/api\/public\/v1\//, '')
    .split('/')
    .map(decodeURIComponent)
  const operation = byNoun[noun]
  if (!operation) return undefined
  const number = numbers.get(operation) ?? 0
  const page = paging?.of.includes(operation) ? pageOf(query, paging) : whole
  return { operation, subject: id ?? query.get('userId') ?? '', page, query, number, at }
}

const whole = { start: 0, end: Infinity }

function pageOf(query: URLSearchParams, { style, most }: PagingStyle): Asked['page'] {
  const given = (name: string, otherwise: number): number => Number(query.get(name) ?? otherwise)
  const size = Math.min(most, given('limit', most))
  if (style === 'link') return { start: given('cursor', 0), end: given('cursor', 0) + most }
  const start = style === 'page' ? (given('page', 1) - 1) * size : given('offset', 0)
  return { start, end: start + size }
}

/** The true records, whole; undefined where there is no such thing. */
export function honestRecords(
  { operation, subject, query }: Asked,
  records: CompanyRecords,
): readonly Json[] | undefined {
  const { leaves, timesheets, tasks, schedules, users, invoices } = records
  const answers: Readonly<Record<Operation, () => readonly Json[] | undefined>> = {
    leaves: () => (subject === '' ? Object.values(leaves).flat() : (leaves[subject] ?? [])),
    timesheets: () => timesheets.filter((it) => isWithin(it, query)),
    tasks: () => tasks[subject],
    schedules: () => schedules.filter(({ isActive }) => isActive !== false),
    user: () => one(users, subject),
    invoice: () => one(invoices, subject),
  }
  return answers[operation]()
}

function isWithin({ userId, periodStart, periodEnd }: Json, query: URLSearchParams): boolean {
  const [employee, from, to] = ['userId', 'startDate', 'endDate'].map((name) => query.get(name))
  return (
    (employee === null || employee === undefined || userId === employee) &&
    (!from || String(periodStart) >= from) &&
    (!to || String(periodEnd) <= to)
  )
}

function one(records: readonly Json[], id: string): readonly Json[] | undefined {
  const found = records.filter((it) => it.id === id)
  return found.length > 0 ? found : undefined
}
