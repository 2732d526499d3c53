/* Alerts and metrics as Prometheus itself judges them, and a Prometheus that reads a bridge as the page says. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { parse, stringify } from 'yaml'

import { dashboardExpressions } from '../docs/dashboard.ts'
import { docsFolder } from '../docs/generate.ts'
import { startBridge } from '../support/bridge/bridge.ts'
import { it as running, pollNow } from '../support/bridge/fixtures.ts'
import { neededProgram } from '../support/deploy/needed-program.ts'
import { freePort } from '../support/web/free-port.ts'

const run = promisify(execFile)
const folder = path.resolve(docsFolder, '../deploy/prometheus')
const promtool = (): string => neededProgram('promtool', 'prometheus')

describe('promtool', () => {
  it('the alerts are sound, and fire as their tests say', async () => {
    await run(promtool(), ['check', 'rules', '--lint=all', '--lint-fatal', `${folder}/alerts.yml`])
    const tested = await run(promtool(), ['test', 'rules', 'alerts.test.yml'], { cwd: folder })
    expect(tested.stdout).toContain('SUCCESS')
  })

  running(
    'the metrics of a running bridge are as Prometheus advises',
    async ({ bridge, feedOf }) => {
      await pollNow(await feedOf('usr_ada'))
      const { text } = await pollNow(`${bridge.url}/metrics`)
      // Node's own library names three gauges like counters.
      const own = text.replaceAll(/^(?:# \w+ )?nodejs_active_\w+_total.*\n/gm, '')
      const checked = spawn(promtool(), ['check', 'metrics'])
      let said = ''
      for (const stream of [checked.stdout, checked.stderr])
        stream.on('data', (part) => (said += part))
      checked.stdin.end(own)
      const [code] = await once(checked, 'close')
      expect([code, said]).toEqual([0, ''])
    },
  )
})

interface Answer {
  readonly status: string
  readonly data?: { readonly result: readonly { readonly value: readonly [number, string] }[] }
}

it('a Prometheus with the settings of the page reads a bridge, and answers every panel', async () => {
  // Not of this machine alone, so that the token is needed.
  const bridge = await startBridge({ environment: { PUBLIC_URL: 'https://calendar.example.com' } })
  onTestFinished(() => bridge.close())
  const made = await bridge.api('POST', '/api/tokens', { name: 'prometheus', role: 'reader' })
  const { token } = (await made.json()) as { readonly token: string }
  const { ask } = await startPrometheus(new URL(bridge.listensAt).host, token)
  const ready = async (): Promise<readonly string[]> =>
    (await ask('calendar_feed_bridge_ready')).data?.result.map(({ value }) => value[1]) ?? []
  await expect.poll(ready, { interval: 500 }).toEqual(['1'])
  const own = dashboardExpressions().map((expr) => expr.replaceAll(/\$(?:job|company)/g, '.*'))
  const answers = await Promise.all(own.map(async (expr) => [expr, (await ask(expr)).status]))
  expect(answers.filter(([, status]) => status !== 'success')).toEqual([])
})

/** As docs/metrics.md says, but for the target, and every second. */
async function startPrometheus(target: string, token: string) {
  const page = readFileSync(path.join(docsFolder, 'metrics.md'), 'utf8')
  const [, text = ''] = /```yaml\n([^]*?)```/.exec(page) ?? []
  const settings = parse(text)
  Object.assign(settings.scrape_configs[0], {
    scrape_interval: '1s',
    static_configs: [{ targets: [target] }],
  })
  const place = mkdtempSync(path.join(inject('temporaryFolder'), 'prometheus-'))
  writeFileSync(path.join(place, 'prometheus.yml'), stringify(settings))
  writeFileSync(path.join(place, 'bridge-token'), token, { mode: 0o600 })
  copyFileSync(`${folder}/alerts.yml`, path.join(place, 'alerts.yml'))
  const address = `127.0.0.1:${await freePort()}`
  const words = ['--config.file=prometheus.yml', `--web.listen-address=${address}`]
  const child = spawn(neededProgram('prometheus', 'prometheus'), words, {
    cwd: place,
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    const ended = once(child, 'close')
    child.kill()
    await ended
  })
  const ask = async (query: string): Promise<Answer> => {
    const response = await fetch(`http://${address}/api/v1/query`, {
      method: 'POST',
      body: new URLSearchParams({ query }),
    }).catch(() => undefined)
    return response?.headers.get('content-type')?.startsWith('application/json')
      ? ((await response.json()) as Answer)
      : { status: 'not there yet' }
  }
  return { ask }
}
