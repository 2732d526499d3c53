import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

import { createTestClient } from '../read-api/operations.ts'
import {
  answerJson,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'
import { createCertificate } from '../support/web/certificate.ts'

const certificate = createCertificate()
const user = { id: 'usr_1' }

/** Asks for a user over the client and prints what came, in a process whose environment trusts the certificate. */
const script = `
  const { createTestClient } = await import(process.argv[1])
  const [url, httpsProxy, noProxy] = process.argv.slice(2)
  const client = createTestClient(url, {}, { way: { httpsProxy, noProxy } })
  console.log(JSON.stringify(await client.get('user', 'usr_1').catch((error) => error.message)))
  await client.close()
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'authority-'))
  await writeFile(path.join(folder, 'authority.pem'), certificate.cert)
})
afterAll(() => rm(folder, { recursive: true }))

let server: MisbehavingServer
let proxy: Proxy
beforeEach(async () => {
  server = await startMisbehavingServer(answerJson({ data: user }), certificate)
  proxy = await startProxy()
})
afterEach(async () => {
  await server.close()
  await proxy.close()
})

it('NODE_EXTRA_CA_CERTS adds a further authority', async () => {
  await expect(askInProcess(server.url)).resolves.toEqual(user)
})

it('HTTPS_PROXY is asked for a tunnel with its own credential', async () => {
  const proxyUrl = proxy.url.replace('//', '//ada:pr0xy@')
  await expect(askInProcess(server.url, proxyUrl)).resolves.toEqual(user)
  expect(proxy.tunnels).toEqual([
    { to: new URL(server.url).host, credential: `Basic ${btoa('ada:pr0xy')}` },
  ])
})

it('NO_PROXY bypasses the proxy', async () => {
  await expect(askInProcess(server.url, proxy.url, 'other.invalid,127.0.0.1')).resolves.toEqual(
    user,
  )
  expect(proxy.tunnels).toEqual([])
})

it('a refusing proxy is reported as unavailable, without its credential in the message', async () => {
  const refusing = await startMisbehavingServer((socket) => {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
  })
  const httpsProxy = refusing.url.replace('//', '//ada:pr0xy@')
  const client = createTestClient(server.url, {}, { way: { httpsProxy } })
  const refused = expect.objectContaining({
    code: 'upstream_unavailable',
    message: expect.not.stringContaining('pr0xy'),
  })
  await expect(client.get('user', 'usr_1')).rejects.toEqual(refused)
  await client.close()
  await refusing.close()
})

async function askInProcess(...argv: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      script,
      new URL('../read-api/operations.ts', import.meta.url).href,
      ...argv,
    ],
    { env: { NODE_EXTRA_CA_CERTS: path.join(folder, 'authority.pem') } },
  )
  return JSON.parse(stdout)
}

interface Proxy {
  readonly url: string
  readonly tunnels: readonly { to: string; credential: string | undefined }[]
  close(): Promise<void>
}

async function startProxy(): Promise<Proxy> {
  const tunnels: { to: string; credential: string | undefined }[] = []
  const listener = http.createServer()
  listener.on('connect', (request, socket) => {
    const { url = '', headers } = request
    tunnels.push({ to: url, credential: headers['proxy-authorization'] })
    const { hostname, port } = new URL(`http://${url}`)
    const onward = net.connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    tunnels,
    close: async () => {
      listener.close()
      listener.closeAllConnections()
      await once(listener, 'close')
    },
  }
}
