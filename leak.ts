import { connect } from 'node:net'
import { once } from 'node:events'
import { fork } from 'node:child_process'
import { listen } from '/tmp/w33/hostile/src/web/listen.ts'
import { addressKey } from '/tmp/w33/hostile/src/web/request-limit.ts'
if (process.argv[2]) {
  process.on('message', async (m: any) => {
    const all = Array.from({ length: 10000 }, (_, i) => { const s = connect({ port: m.port, host: '127.0.0.1', localAddress: `127.0.0.${10 + i % 40}` }); s.on('error', () => {}); s.resume(); s.on('connect', () => s.write(['', 'GET / HT', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'][i % 3]!)); return s })
    await new Promise(r => setTimeout(r, 2500))
    for (const s of all) s.destroy()
    setTimeout(() => process.send!('done'), 300)
  })
} else {
  const server = await listen((_q, a) => { a.end('ok') }, { host: '127.0.0.1', port: 0, what: 'x', ...(process.env.A ? { addressOf: addressKey } : {}) })
  const child = fork(import.meta.filename, ['child'], { execArgv: [] })
  const port = Number(new URL(server.url).port)
  for (let r = 0; r < 10; r++) {
    child.send({ port }); await once(child, 'message')
    const rss0 = process.memoryUsage().rss
    await new Promise(r => setTimeout(r, 500))
    for (let i = 0; i < 3; i++) { (globalThis as any).gc(); await new Promise(r => setTimeout(r, 50)) }
    const m = process.memoryUsage()
    console.log(r, 'rss before gc', rss0 >> 20, 'after', m.rss >> 20, 'heap', (m.heapUsed / 1048576).toFixed(2), 'ext', (m.external / 1048576).toFixed(2))
  }
  child.kill(); await server.close()
}
