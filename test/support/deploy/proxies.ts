/* Real nginx and real Caddy with the very files of deploy/, on free ports, with a certificate of the test's own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, open, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { inject } from 'vitest'

import { nobody } from '../database/postgres.ts'
import { type Certificate, createCertificate } from '../web/certificate.ts'
import { freePort } from '../web/free-port.ts'
import { deployed } from './files.ts'
import { neededProgram } from './needed-program.ts'

export interface RealProxy {
  readonly certificate: Certificate
  readonly httpsPort: number
  readonly httpPort: number
  /** All that it has written into any log. */
  logs(): Promise<string>
  /** Only what it says of requests. */
  accessLog(): Promise<string>
  stop(): Promise<void>
}

interface ProxySettings {
  /** Where the nodes listen. */
  readonly nodes: readonly number[]
  /** Such as `/calendar`, or nothing. */
  readonly prefix: string
}

interface Place extends ProxySettings {
  readonly folder: string
  readonly httpsPort: number
  readonly httpPort: number
}

const nginxWords = ['-e', 'stderr', '-c', 'nginx.conf', '-p', '.']

export function startNginx(settings: ProxySettings): Promise<RealProxy> {
  return start(settings, {
    command: neededProgram('nginx', 'nginx'),
    run: nginxWords,
    check: [...nginxWords, '-t'],
    accessLog: 'calendar.log',
    write: async (place) => {
      await writeFile(path.join(place.folder, 'nginx.conf'), nginxMain)
      await writeFile(path.join(place.folder, 'site.conf'), nginxSite(place))
    },
  })
}

export function startCaddy(settings: ProxySettings): Promise<RealProxy> {
  return start(settings, {
    command: neededProgram('caddy', 'caddy'),
    run: ['run', '--config', 'Caddyfile'],
    check: ['validate', '--config', 'Caddyfile'],
    accessLog: 'output',
    write: (place) => writeFile(path.join(place.folder, 'Caddyfile'), caddyfile(place)),
  })
}

/** What Debian's own nginx.conf has around a site, as far as it matters; nothing of it is at a place that needs rights. */
const nginxMain = `
daemon off;
pid nginx.pid;
error_log stderr info;
events {}
http {
  access_log all.log;
  client_body_temp_path bodies;
  proxy_temp_path proxied;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include site.conf;
}
`

/** Ports, nodes and places of files differ, and with a prefix what the file says of one. */
function nginxSite({ nodes, prefix, httpsPort, httpPort }: Place): string {
  const upstreams = nodes.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join('\n')
  const text = replaced(deployed('nginx/calendar-feed-bridge.conf'), [
    ['listen 443 ', `listen ${httpsPort} `],
    ['listen [::]:443 ', `listen [::]:${httpsPort} `],
    ['listen 80 ', `listen ${httpPort} `],
    ['listen [::]:80 ', `listen [::]:${httpPort} `],
    ['server 127.0.0.1:8080 max_fails=0;', upstreams],
    ['/etc/ssl/calendar.pem', 'certificate.pem'],
    ['/etc/ssl/private/calendar.key', 'key.pem'],
    ['/var/log/nginx/', ''],
  ])
  if (prefix === '') return text
  return replaced(text, [
    ['# With a path prefix: location /calendar/ {\n    location / {', `location ${prefix}/ {`],
    [
      '# With a path prefix: proxy_pass http://calendar_feed_bridge/;\n        proxy_pass http://calendar_feed_bridge;',
      'proxy_pass http://calendar_feed_bridge/;',
    ],
  ])
}

/** Ports and the certificate differ; the rest is in the environment. */
function caddyfile({ httpsPort, httpPort }: Place): string {
  return replaced(deployed('caddy/Caddyfile'), [
    ['\n{\n', `\n{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n`],
    ['\n\tlog\n', '\n\tlog\n\ttls certificate.pem key.pem\n'],
  ])
}

function replaced(text: string, changes: readonly (readonly [string, string])[]): string {
  let changed = text
  for (const [before, after] of changes) {
    if (!changed.includes(before)) throw new Error(`The file does not have: ${before}`)
    changed = changed.replaceAll(before, after)
  }
  return changed
}

async function start(
  settings: ProxySettings,
  program: {
    readonly command: string
    readonly run: readonly string[]
    /** Words by which it checks its configuration and ends. */
    readonly check: readonly string[]
    readonly accessLog: string
    readonly write: (place: Place) => Promise<void>
  },
): Promise<RealProxy> {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'proxy-'))
  await mkdir(path.join(folder, 'home'))
  const place = { ...settings, folder, httpsPort: await freePort(), httpPort: await freePort() }
  const certificate = createCertificate()
  await writeFile(path.join(folder, 'certificate.pem'), certificate.cert)
  await writeFile(path.join(folder, 'key.pem'), certificate.key)
  await program.write(place)
  await giveAway(folder)
  const output = await open(path.join(folder, 'output'), 'a+')
  const run = (words: readonly string[]): ChildProcess =>
    spawn(program.command, words, {
      ...nobody,
      cwd: folder,
      env: {
        HOME: path.join(folder, 'home'),
        CALENDAR_HOST: 'localhost',
        CALENDAR_NODES: settings.nodes.map((port) => `127.0.0.1:${port}`).join(' '),
        CALENDAR_PREFIX: settings.prefix,
      },
      stdio: ['ignore', output.fd, output.fd],
    })
  const logs = async (): Promise<string> => {
    const files = ['output', 'all.log', 'calendar.log'].map((name) =>
      readFile(path.join(folder, name), 'utf8').catch(() => ''),
    )
    return (await Promise.all(files)).join('\n')
  }
  const [code] = (await once(run(program.check), 'exit')) as [number | null]
  if (code !== 0) throw new Error(await logs())
  const child = run(program.run)
  const exited = once(child, 'exit')
  while (!(await isOpen(place.httpsPort))) {
    if (child.exitCode !== null) throw new Error(await logs())
    await pause(50)
  }
  return {
    certificate,
    httpsPort: place.httpsPort,
    httpPort: place.httpPort,
    logs,
    accessLog: () => readFile(path.join(folder, program.accessLog), 'utf8'),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      await output.close()
    },
  }
}

async function giveAway(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  if (nobody.uid === undefined) return
  for (const name of ['', 'home', 'key.pem']) {
    await chown(path.join(folder, name), nobody.uid, nobody.gid)
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
