import { writeFileSync, mkdtempSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
const root = process.env['ROOT']!
const { runCommandLine } = await import(root + '/src/cli/command-line.ts')
const { runCommand } = await import(root + '/test/support/command-line.ts')
const { startCompanyServer } = await import(root + '/test/support/company-server.ts')
const n = Number(process.argv[2] ?? 10000)
const folder = mkdtempSync('/tmp/feedshelper/p-')
const many = await startCompanyServer()
many.records.users = Array.from({ length: n }, (_, i) => ({ id: `usr_${i}`, firstName: `Person ${i}` }))
writeFileSync(folder + '/many.csv', `userId\n${many.records.users.map(({ id }: any) => id).join('\n')}\n`)
const env = { WORKFORCE_BASE_URL: many.url, WORKFORCE_TIMEZONE: 'Europe/Berlin', DATABASE_URL: `file:${folder}/b.sqlite`, WORKFORCE_DATABASE_URL: `file:${folder}/w.sqlite` }
console.time('all')
const t0 = performance.now()
const r = await runCommand(env, 'feed', 'create', '--from', folder + '/many.csv')
console.timeEnd('all')
console.log(r.code, r.errors.slice(-600), many.requests.length)
await many.close()
