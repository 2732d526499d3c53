import { once } from 'node:events'

import type { Express } from 'express'

import { AppError } from '../domain/errors.ts'
import type { PlainDate } from '../domain/instant.ts'
import type { Log } from '../domain/ports.ts'
import { seedIfEmpty } from './import-company.ts'
import { type CompanyOutline, describeCompany } from './records.ts'
import { sampleCompany } from './sample-company.ts'
import { createWorkforceApi } from './server.ts'
import { openWorkforceDatabase } from './workforce-database.ts'

export interface WorkforceApiSettings {
  /** `file:…` or `postgres://…`. */
  readonly databaseUrl: string
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** The day round which the sample company is alive, should the database be empty. */
  readonly today: PlainDate
  readonly log: Log
}

export interface RunningWorkforceApi {
  /** `{base_url}` of the spec. */
  readonly url: string
  /** What is to be known of the company beyond what the Read API lists. */
  describe(): Promise<CompanyOutline>
  /** Ends when every request under way is answered and the database is closed. */
  close(): Promise<void>
}

type Server = ReturnType<Express['listen']>

/** The Read API on its address, with the sample company where its database never held one; `unavailable` where the address or the database cannot be had. */
export async function startWorkforceApi(
  settings: WorkforceApiSettings,
): Promise<RunningWorkforceApi> {
  const { databaseUrl, host, port, today, log } = settings
  const database = await openWorkforceDatabase(databaseUrl)
  try {
    await seedIfEmpty(database, sampleCompany({ today }))
    const server = await listen(createWorkforceApi({ database, log }), host, port)
    return {
      url: urlOf(server, host),
      describe: () => describeCompany(database.queries),
      async close() {
        await closeServer(server)
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function listen(app: Express, host: string, port: number): Promise<Server> {
  const server = app.listen(port, host)
  try {
    await once(server, 'listening')
    return server
  } catch (cause) {
    throw new AppError('unavailable', `The Read API cannot listen on ${host}, port ${port}.`, {
      cause,
    })
  }
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Node closes idle connections at once, and each other one after its answer. */
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  await closed
}
