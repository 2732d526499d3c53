import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'vitest'
import { ask } from '../support/web/ask.ts'
import { startPostgres } from '../support/database/postgres.ts'
import { usageOfTree } from '../support/bridge/process-tree.ts'
import { insertFeeds, tokenOf } from '../support/database/many-feeds.ts'
import { openStore } from '../../src/store/open-store.ts'
import pg from 'pg'

it('prof', { timeout: 600_000 }, async () => {
  const server = await startPostgres(['shared_buffers=1GB', 'max_wal_size=8GB', 'unix_socket_directories=/tmp/w33/sock', ...(process.env['PGLOG'] ? ['log_min_duration_statement=0', 'logging_collector=on', 'log_directory=/tmp/w33/prof/log', 'log_filename=pg.log', 'log_parser_stats=off'] : [])])
  const folder = mkdtempSync('/tmp/w33/prof/run-')
  const companies = spawn(process.execPath, [path.resolve('test/support/company/companies-process.ts')], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const { url: readApi } = await ask<any>(companies, { people: 3000, latencyMs: 5, changing: 0.05, numbered: true })
  await (await openStore(server.url)).close()
  const N = 400
  await insertFeeds(server.url, N, { shifts: { scheduleIds: ['sch_day'] } }, { company: "'main'", user: "'usr_' || lpad((n-1)::text, 5, '0')" })
  const bridge = spawn(process.execPath, [...(process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir', folder] : []), '--import', '/tmp/w33/prof/stmts.mjs', path.resolve('src/main.ts'), 'serve', '--json'], {
    cwd: folder, env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', PORT: '0', ADMIN_TOKEN: 'an-admin-token-for-tests', WORKFORCE_BASE_URL: readApi + '/main', WORKFORCE_TIMEZONE: 'Europe/Berlin', WORKFORCE_SCHEDULES: 'sch_day', DATABASE_URL: server.url + (process.env['USOCK'] ? '?host=/tmp/w33/sock' : ''), FEED_FRESH_SECONDS: '1', FEED_POLLS_PER_MINUTE: '100000' }, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const [line] = await once(createInterface(bridge.stdout!), 'line')
  const { url } = JSON.parse(line as string)
  const client = new pg.Client({ connectionString: server.url }); await client.connect()
  const pid = Number((await client.query("select pg_read_file('postmaster.pid') as v")).rows[0].v.split('\n')[0])
  const round = async (name: string, rounds = 1) => {
    const before = usageOfTree(bridge.pid!).cpuMs, db = usageOfTree(pid).cpuMs
    const st: any = {}
    for (let r = 0; r < rounds; r++) for (let i = 0; i < N; i += 8) {
      await Promise.all(Array.from({ length: 8 }, async (_, k) => { const res = await fetch(`${url}/feeds/${tokenOf(i + k + 1)}/calendar.ics`, { headers: { 'Accept-Encoding': 'gzip' } }); await res.arrayBuffer(); st[res.status] = (st[res.status] ?? 0) + 1 }))
    }
    const polls = N * rounds
    await ask<any>(bridge, { dump: `${folder}/${name}.json` })
    const rows = JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))
    const total = rows.reduce((s: number, [n]: any) => s + n, 0)
    process.stderr.write( `${name}: ${JSON.stringify(st)} bridge ${((usageOfTree(bridge.pid!).cpuMs - before) / polls).toFixed(2)} ms, db ${((usageOfTree(pid).cpuMs - db) / polls).toFixed(2)} ms, ${(total / polls).toFixed(1)} statements a poll\n` + rows.filter(([n]: any) => n > polls / 20).map(([n, k]: any) => `  ${(n / polls).toFixed(2)} ${k}`).join('\n') + '\n')
  }
  await round('first'); await round('second'); await round('due', 3); await round('due2', Number(process.env['ROUNDS'] ?? 4))
  const rows = JSON.parse(readFileSync(`${folder}/due2.json`, 'utf8'))
  for (const [n, k, [text, values]] of rows.slice(0, 4)) {
    const v = values.map((x: any) => (x && x.hex ? Buffer.from(x.hex, 'hex') : x))
    const plans: string[] = []
    for (let i = 0; i < 8; i++) {
      await client.query('begin')
      const { rows: plan } = await client.query({ text: 'explain (analyze, buffers) ' + text, values: v })
      await client.query('rollback')
      plans.push(plan.map((r: any) => r['QUERY PLAN']).join('\n'))
    }
    process.stderr.write(`=== ${n} ${k.slice(0, 80)}\n${plans.at(-1)}\n`)
  }
  bridge.kill('SIGINT'); await once(bridge, 'exit'); companies.kill(); await client.end(); await server.stop()
})
