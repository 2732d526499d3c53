/*
 * The Read API of any number of companies of any size, a process of its own: it computes each answer from the ids in its
 * address, `/COMPANY/api/public/v1/…`, and takes so long for it. Told to, it fails; it tells how much it was asked.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type IdStyle, personId, personNumber } from './person-ids.ts'

const dayMs = 86_400_000
const leavesEach = 12
const timesheetsEach = 12

/** How the companies answer from now on. */
export interface Behaviour {
  readonly people: number
  readonly latencyMs: number
  /** Of all requests so many are answered 503. */
  readonly failing?: number
  /** In each hour so many of all people get another leave. */
  readonly changing?: number
  /** How people are called; by ids of one length where it is left out. */
  readonly ids?: IdStyle
  /** So many requests at once are answered in that time; of more each takes longer, as where they wait for one another. */
  readonly atOnce?: number
  /** It is counted how long there are more at once than so many. */
  readonly watched?: number
  /** Whether no two answers are of the same bytes, as where each names its request. */
  readonly numbered?: boolean
}

/** What is told after each change, and whenever it is asked. */
export interface CompaniesTold {
  readonly url: string
  readonly calls: number
  readonly cpuMs: number
  /** The longest time in which there were always more at once than so many. */
  readonly crowdedMs: number
  readonly mostAtOnce: number
}

let behaviour: Behaviour = { people: 0, latencyMs: 0 }
let calls = 0
let underWay = 0
let mostAtOnce = 0
let crowdedSince = Infinity
let crowdedMs = 0

const server = createServer((request, response) => {
  calls += 1
  countUnderWay(1)
  response.on('close', () => countUnderWay(-1))
  const { people, latencyMs, atOnce = Infinity, failing = 0, numbered = false } = behaviour
  const number = numbered ? `,"request":${calls}` : ''
  setTimeout(
    () => {
      const isFailing = Math.random() < failing
      const data = isFailing ? undefined : answerTo(request.url ?? '', people)
      const status = isFailing ? 503 : data === undefined ? 404 : 200
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(data === undefined ? '{"error":{}}' : `{"data":${data}${number}}`)
    },
    latencyMs * Math.max(1, underWay / atOnce),
  )
})

function countUnderWay(more: 1 | -1): void {
  underWay += more
  mostAtOnce = Math.max(mostAtOnce, underWay)
  const now = performance.now()
  const isCrowded = underWay > (behaviour.watched ?? Infinity)
  crowdedMs = Math.max(crowdedMs, now - crowdedSince)
  crowdedSince = isCrowded ? Math.min(crowdedSince, now) : Infinity
}

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.on('message', (next: Partial<Behaviour>) => {
    behaviour = { ...behaviour, ...next }
    const { user, system } = process.cpuUsage()
    const told: CompaniesTold = {
      url: `http://127.0.0.1:${port}`,
      calls,
      cpuMs: (user + system) / 1000,
      crowdedMs,
      mostAtOnce,
    }
    process.send?.(told)
  })
})
process.on('disconnect', () => process.exit())

/** As JSON; undefined where there is no such thing. */
function answerTo(address: string, people: number): string | undefined {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  const [, company = '', , , , noun, id = ''] = pathname.split('/')
  const wanted = searchParams.get('userId')
  if (noun === 'users')
    return personNumber(id, people, behaviour.ids) === undefined ? undefined : userOf(id)
  if (noun === 'leaves') return leavesFor(company, wanted, people)
  if (noun === 'timesheets') return timesheetsFor(company, wanted, { people, searchParams })
  if (noun === 'schedules') return schedules
  return noun === 'projects' ? tasksOf(company, people) : undefined
}

function userOf(id: string): string {
  return `{"id":"${id}","firstName":"First ${id.slice(4)}","lastName":"Last","email":"${id}@example.com","isActive":true}`
}

function leavesFor(company: string, wanted: string | null, people: number): string {
  const number = personNumber(wanted, people, behaviour.ids)
  if (number === undefined) return '[]'
  const { changing = 0 } = behaviour
  const hour = Math.floor(Date.now() / 3_600_000 + number * 0.618_034)
  const isChanged = (number * 0.754_878 + hour * 0.569_84) % 1 < changing
  const count = leavesEach + (isChanged ? 1 : 0)
  return `[${Array.from({ length: count }, (_, index) => leave(`${company}_${number}`, number, index)).join()}]`
}

function leave(name: string, number: number, index: number): string {
  const start = day(-80 + index * 35 + (number % 30))
  return `{"id":"lv_${name}_${index}","startDate":"${start}","endDate":"${start}","days":1,"status":"APPROVED","reason":"A reason of its own","leaveType":{"name":"Annual leave","category":"ANNUAL"}}`
}

function timesheetsFor(
  company: string,
  wanted: string | null,
  { people, searchParams }: { readonly people: number; readonly searchParams: URLSearchParams },
): string {
  const from = Date.parse(searchParams.get('startDate') ?? '') || 0
  const to = Date.parse(searchParams.get('endDate') ?? '') || Infinity
  const number = personNumber(wanted, people, behaviour.ids)
  if (wanted !== null && number === undefined) return '[]'
  const numbers = number === undefined ? Array.from({ length: people }, (_, it) => it) : [number]
  const periods = Array.from({ length: timesheetsEach }, (_, index) => index).filter((index) => {
    const start = Date.parse(day(-14 * index - 13))
    return start >= from && start + 13 * dayMs <= to
  })
  const all = numbers.flatMap((it) => periods.map((index) => timesheet(company, it, index)))
  return `[${all.join()}]`
}

function timesheet(company: string, number: number, index: number): string {
  const start = day(-14 * index - 13)
  const end = day(-14 * index)
  return `{"id":"ts_${company}_${number}_${index}","userId":"${personId(number, behaviour.ids)}","periodStart":"${start}","periodEnd":"${end}","status":"APPROVED","entries":[{"date":"${start}","hoursWorked":8,"expectedHours":8}]}`
}

const hours = '{"start":"09:00","end":"17:30"}'
const pattern = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
  .map((it) => `"${it}":${hours}`)
  .join()
const schedules = `[{"id":"sch_day","name":"Day shift","type":"FIXED","isActive":true,"pattern":{${pattern}}}]`

/** Of every hundredth person. */
function tasksOf(company: string, people: number): string {
  const count = Math.min(50, people)
  const tasks = Array.from({ length: count }, (_, index) => {
    const id = personId(Math.floor((index * people) / count), behaviour.ids)
    return `{"id":"tsk_${company}_${index}","title":"Task ${index}","status":"TODO","dueDate":"${day(index * 5)}","assignees":[${userOf(id)}]}`
  })
  return `[${tasks.join()}]`
}

/** That many days from today. */
function day(offset: number): string {
  const today = Math.floor(Date.now() / dayMs) * dayMs
  return new Date(today + offset * dayMs).toISOString()
}
