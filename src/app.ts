import { createServer, type RequestListener, type Server } from 'node:http'

import type { Config } from './config.ts'
import { AppError } from './domain/errors.ts'
import { createHttpApp } from './http/routes.ts'
import { openServices, type Services, type Surroundings } from './services.ts'

const closeAfterMs = 5000

/** The running bridge. */
export interface App {
  readonly url: string
  readonly services: Services
  close(): Promise<void>
}

/** Starts everything, listens, and gives what the process and the end-to-end tests alike need. */
export async function startApp(
  config: Config,
  surroundings: Surroundings,
  adminToken: string,
): Promise<App> {
  let handle: RequestListener = answerStarting
  const server = createServer((request, response) => handle(request, response))
  await listen(server, config)
  const url = config.publicUrl ?? addressOf(server, config.host)
  try {
    const services = await openServices(config, surroundings, url)
    handle = createHttpApp({
      publisher: services.publisher,
      links: services.links,
      manager: services.manager,
      adminToken,
      publicUrl: url,
      trustProxy: config.trustProxy,
      isReady: () => services.store.isReady(),
      log: surroundings.log,
    })
    const close = async (): Promise<void> => {
      await closeServer(server)
      await services.close()
    }
    return { url, services, close }
  } catch (error) {
    await closeServer(server)
    throw error
  }
}

function answerStarting(...[, response]: Parameters<RequestListener>): void {
  response.writeHead(503, { 'Retry-After': '5', 'Content-Type': 'text/plain' }).end('Starting.\n')
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE' ? 'is in use; set PORT to another' : 'cannot be listened on'
      reject(new AppError('invalid', `Port ${port} on ${host} ${reason}.`, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}

function addressOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Lets requests under way finish for a while, then cuts them off. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  server.closeIdleConnections()
  const impatience = setTimeout(() => server.closeAllConnections(), closeAfterMs)
  await closed
  clearTimeout(impatience)
}
