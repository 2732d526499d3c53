import { afterEach, describe, expect, it } from 'vitest'

import { type AppError, asAppError } from '../../src/domain/errors.ts'
import {
  answerJson,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'
import { createCertificate } from '../support/web/certificate.ts'
import { type Fault, serverFaults, serverStalls } from './faults.ts'
import { createTestClient, type Operation, readOperations } from './operations.ts'

const servers: MisbehavingServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

describe.each(Object.entries(readOperations))('%s', (_name, operation) => {
  it.each(Object.entries(serverFaults))(
    '%s fails with its own code and is not requested again',
    async (_fault, fault) => {
      const { error, requests } = await failureOf(operation, fault)
      expect(error).toMatchObject({ code: fault.code, status: fault.status })
      expect(error?.message).toMatch(/^GET \/api\/public\/v1\/\S+ .*[.?]$/)
      expect(error?.message).toContain(fault.says ?? '')
      expect(requests).toBe(fault.requests ?? 1)
    },
  )

  it.each(Object.entries(serverStalls))(
    '%s ends with the time-out and is not requested again',
    async (_fault, fault) => {
      const { error, requests } = await failureOf(operation, fault, { timeoutMs: 500 })
      expect(error).toMatchObject({ code: 'upstream_unavailable', status: undefined })
      expect(error?.message).toContain('was not answered within 500 ms')
      expect(requests).toBe(1)
    },
  )

  it('nothing is sent to a server with an untrusted certificate', async () => {
    const server = await startMisbehavingServer(answerJson({ data: [] }), createCertificate())
    servers.push(server)
    const client = createTestClient(server.url)
    await expect(operation(client)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: expect.stringContaining('the certificate is not trusted'),
    })
    expect(server.requests).toHaveLength(0)
    await client.close()
  })

  it('is unavailable if no server answers', async () => {
    const server = await startMisbehavingServer(answerJson({ data: [] }))
    await server.close()
    const client = createTestClient(server.url)
    await expect(operation(client)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: expect.stringMatching(/^GET \/api\/public\/v1\/\S+ was refused a connection/),
    })
    await client.close()
  })

  it('an aborted operation fails with the reason of its caller', async () => {
    const abort = new AbortController()
    const server = await startMisbehavingServer(() => abort.abort(new Error('given up')))
    servers.push(server)
    const client = createTestClient(server.url)
    await expect(operation(client, abort.signal)).rejects.toThrow('given up')
    await client.close()
  })
})

async function failureOf(
  operation: Operation,
  fault: Fault,
  settings: { readonly timeoutMs?: number } = {},
): Promise<{ error: AppError | undefined; requests: number }> {
  const server = await startMisbehavingServer(fault.behave)
  servers.push(server)
  const client = createTestClient(server.url, settings)
  const error = asAppError(await operation(client).catch((reason: unknown) => reason))
  await client.close()
  return { error, requests: server.requests.length }
}
