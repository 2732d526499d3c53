/* The metrics, and that alerts and dashboard use only what there is. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { sumMetrics, writeMetrics } from '../src/process/metric-values.ts'
import { Metrics } from '../src/process/metrics.ts'
import { dashboard, dashboardExpressions } from './docs/dashboard.ts'
import { dashboardFile } from './docs/generate.ts'
import { startBridge } from './support/bridge/bridge.ts'
import { enterConsole } from './support/bridge/console.ts'
import { describedMetrics } from './support/bridge/described-metrics.ts'
import { it as running, pollNow } from './support/bridge/fixtures.ts'
import { readPromql } from './support/bridge/promql.ts'
import { ada } from './support/company/people.ts'
import { startMailServer } from './support/web/mail-server.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}

const deploy = path.resolve(import.meta.dirname, '../deploy')
const ruleFile = parse(readFileSync(`${deploy}/prometheus/alerts.yml`, 'utf8')) as RuleFile
const rules = ruleFile.groups.flatMap((group) => group.rules)
/** Of Prometheus itself. */
const ofPrometheus = new Set(['up', 'ALERTS'])
const ownLabels = new Set(['job', 'instance', 'le', 'alertname', 'alertstate'])

/** The program's own series: their names with their labels. */
function seriesIn(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => /^calendar_feed_bridge_\w+(?:\{.*\})?(?= )/.exec(line) ?? [])
}

function labelsIn(series: string): readonly (readonly [name: string, value: string])[] {
  return [...series.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
}

describe('names', () => {
  it.each(describedMetrics())('$name is named as Prometheus advises', (metric) => {
    const { name, help, labelNames, type } = metric
    expect(name).toMatch(/^calendar_feed_bridge_[a-z]+(?:_[a-z]+)*$/)
    expect(name.endsWith('_total')).toBe(type === 'counter')
    if (type === 'histogram') expect(name).toMatch(/_(?:seconds|bytes)$/)
    expect(name).not.toMatch(/_(?:ms|milliseconds|minutes|days|kb|mb|percent|count|sum|bucket)$/)
    expect(help).toMatch(/^[A-Z].*[^.]$/)
    expect(labelNames.filter((label) => !/^[a-z]+$/.test(label) || ownLabels.has(label))).toEqual(
      [],
    )
  })
})

running(
  'a running bridge has every metric and label that alerts and dashboard use',
  async ({ bridge }) => {
    const text = await (await fetch(`${bridge.url}/metrics`)).text()
    const types = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    )
    const labels = new Map(describedMetrics().map(({ name, labelNames }) => [name, labelNames]))
    const declared = (metric: string): string => {
      const histogram = metric.replace(/_(?:bucket|count|sum)$/, '')
      return types.get(histogram) === 'histogram' ? histogram : metric
    }
    const expressions = [...rules.map(({ expr }) => expr), ...dashboardExpressions()].map(
      readPromql,
    )
    expect(expressions.length).toBeGreaterThan(40)
    const missing = expressions.flatMap(({ selectors, groupedBy }) => {
      const known = selectors.filter(({ metric }) => !ofPrometheus.has(metric))
      const unknown = known.filter(({ metric }) => !types.has(declared(metric)))
      const all = new Set([
        ...ownLabels,
        ...known.flatMap((one) => labels.get(declared(one.metric)) ?? []),
      ])
      const strange = known.flatMap(({ metric, labels: by }) => {
        const own = labels.get(declared(metric)) ?? []
        return by.filter((label) => !own.includes(label) && !ownLabels.has(label))
      })
      const ungrouped = groupedBy.filter((label) => !all.has(label))
      return [...unknown.map(({ metric }) => metric), ...strange, ...ungrouped]
    })
    expect(missing).toEqual([])
  },
)

describe('alerts', () => {
  it.each(rules)('$alert says what is wrong and what to do', ({ labels, annotations }) => {
    expect(['critical', 'warning']).toContain(labels.severity)
    expect(Object.keys(annotations)).toEqual(['summary', 'runbook'])
    expect(annotations['runbook']).toMatch(/^[A-Z].{40,}\.$/)
  })

  it('each alert is tested where it fires', () => {
    const tested = readFileSync(`${deploy}/prometheus/alerts.test.yml`, 'utf8')
    const untested = rules.filter(({ alert }) => !tested.includes(`'{alertname="${alert}"}'`))
    expect(untested.map(({ alert }) => alert)).toEqual([])
  })
})

it('the dashboard is the one that npm run docs writes', () => {
  expect(JSON.parse(readFileSync(dashboardFile, 'utf8'))).toEqual(dashboard())
})

/** The values of the program's own series by their names and labels. */
async function measuredBy({ url }: { readonly url: string }): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = [...text.matchAll(/^calendar_feed_bridge_(\S+) (\S+)$/gm)]
  return Object.fromEntries(lines.map(([, series = '', value]) => [series, Number(value)]))
}

describe('values', () => {
  running(
    'of polls, the requests that they cause and the calendars that are made',
    async ({ bridge, company, feedOf }) => {
      const address = await feedOf('usr_ada')
      const program = { 'User-Agent': 'Google-Calendar-Importer' }
      for (let polls = 0; polls < 3; polls += 1) await pollNow(address, program)
      await pollNow(address.replace('cfb_', 'cfb_x'), program)
      await bridge.settled()
      const measured = await measuredBy(bridge)
      const requests = Object.entries(measured).filter(([name]) =>
        name.startsWith('read_api_requests_'),
      )
      expect(requests.reduce((sum, [, count]) => sum + count, 0)).toBe(company.requests.length)
      expect(measured).toMatchObject({
        'polls_total{client="google",status="200",ready="miss"}': 1,
        'polls_total{client="google",status="200",ready="hit"}': 2,
        'polls_total{client="google",status="404",ready="miss"}': 1,
        'refreshes_total{company="main",kind="leaves",outcome="kept"}': 1,
        render_seconds_count: 1,
        'leave_proof{company="main",state="proven"}': 1,
        'leave_proof{company="main",state="unproven"}': 0,
        'doubted_copies{company="main"}': 0,
        'queue_length{queue="calendars"}': 0,
        ready: 1,
        stale_limit_seconds: 7 * 86_400,
      })
      expect(measured['copy_age_seconds_bucket{le="60",company="main"}']).toBeGreaterThan(2)
      expect(measured['database_size_bytes']).toBeGreaterThan(100_000)
      expect(measured['database_free_bytes']).toBeGreaterThan(0)
      expect(measured['time_seconds']).toBe(Date.UTC(2026, 0, 5, 12) / 1000)
    },
  )

  running(
    'of a Read API that refuses, asks for a pause, and then loses all leaves',
    async ({ bridge, company, clock, feedOf, poll }) => {
      const address = await feedOf('usr_ada')
      await poll(address)
      company.faults.set('/leaves', 429)
      await poll(address)
      company.faults.clear()
      await clock.advance(301_000)
      company.records.leaves['usr_ada'] = []
      await poll(address)
      expect(await measuredBy(bridge)).toMatchObject({
        'read_api_requests_total{company="main",operation="leaves",outcome="unavailable"}': 1,
        'read_api_pauses_total{company="main",reason="asked"}': 1,
        'refreshes_total{company="main",kind="leaves",outcome="failed"}': 1,
        'refreshes_total{company="main",kind="leaves",outcome="doubted"}': 1,
        'doubted_copies{company="main"}': 1,
      })
    },
  )

  running('of mails and sign-ins', async ({ environment, clock }) => {
    const mails = await startMailServer()
    const bridge = await startBridge({
      clock,
      environment: { ...environment, ...mails.environment },
    })
    await expect(enterConsole(bridge, 'a wrong token')).rejects.toThrow('401')
    const admin = await enterConsole(bridge)
    await admin.send('/console/access', { act: 'mail', address: 'ada@example.com' })
    await mails.close()
    await admin.send('/console/access', { act: 'mail', address: 'ada@example.com' })
    expect(await measuredBy(bridge)).toMatchObject({
      'mails_total{outcome="sent"}': 1,
      'mails_total{outcome="refused_connection"}': 1,
      'sign_ins_total{outcome="wrong_token"}': 1,
      'sign_ins_total{outcome="signed_in"}': 1,
      'queue_length{queue="mails"}': 0,
    })
    await bridge.close()
  })
})

const newcomers = 6

running.extend('records', ({ records }) => {
  for (let n = 0; n < newcomers; n += 1)
    records.users.push({ ...ada, id: `usr_${n}`, firstName: `First${n}`, lastName: `Last${n}` })
  return records
})('more people, links, programs and wrong addresses add no series', async ({ bridge, feedOf }) => {
  const agents = ['Google-Calendar-Importer', 'Microsoft Office/16', 'Mozilla/5.0 (X11)', 'curl/8']
  const visit = async (people: readonly string[], programs: readonly string[]): Promise<void> => {
    for (const userId of people) {
      const address = await feedOf(userId)
      for (const agent of programs) await pollNow(address, { 'User-Agent': agent })
      await pollNow(address.replace('.ics', '.json'))
      await pollNow(address.replace(/cfb_.{5}/, `cfb_${userId.padEnd(5, 'x').slice(-5)}`))
      await fetch(address.replace(/\/[^/]*$/, ''))
      await fetch(`${bridge.url}/${userId}/${programs.length}`)
      await fetch(`${bridge.url}/console/sign-in`, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ token: userId }),
      })
    }
  }
  const series = async (): Promise<readonly string[]> =>
    seriesIn(await (await fetch(`${bridge.url}/metrics`)).text()).toSorted()
  await visit(['usr_ada', 'usr_bob'], [...agents, ...agents])
  await series()
  const before = await series()
  const people = Array.from({ length: newcomers }, (_, n) => `usr_${n}`)
  const strange = people.map((userId) => `Google-Calendar-Importer ${userId}`)
  const others = people.map((userId) => `${userId}"\\ {program}`)
  await visit(people, [...strange.slice(0, 4), ...others.slice(0, 4), 'x'.repeat(5000)])
  const after = await series()
  expect(after.filter((one) => !before.includes(one))).toEqual([])
  const values = new Set(after.flatMap((one) => labelsIn(one).map(([, value]) => value)))
  expect([...values].filter((value) => /usr_|cfb_|First|Last|@|\/\//.test(value))).toEqual([])
  expect(after.length).toBeGreaterThan(150)
})

describe('the metrics of several processes', () => {
  it('counts are added up, and what all see alike is reported once', async () => {
    const all = [new Metrics(), new Metrics()]
    for (const metrics of all) {
      metrics.countPoll({ client: 'google', status: 200, ready: true })
      metrics.countRender(0.01)
      metrics.watchQueue('calendars', () => 2)
      metrics.watchQueue('calendars', () => 1)
    }
    const told = await Promise.all(all.map((metrics) => metrics.values()))
    const text = await writeMetrics(sumMetrics(told))
    const prefix = 'calendar_feed_bridge_'
    expect(text).toContain(`${prefix}polls_total{client="google",status="200",ready="hit"} 2\n`)
    expect(text).toContain(`${prefix}render_seconds_count 2\n`)
    expect(text).toContain(`${prefix}queue_length{queue="calendars"} 6\n`)
    expect(text).toContain(`${prefix}ready 0\n`)
    expect(text).not.toMatch(/^nodejs_eventloop_lag_\w+ (?:nan|92233)/im)
  })
})
