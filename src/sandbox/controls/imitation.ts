import { randomUUID } from 'node:crypto'
import { once } from 'node:events'

import type { Request } from 'express'
import { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import { meantOrAll } from '../../domain/nearest.ts'
import { defaultParameters } from '../../domain/read-api.ts'
import type { Clock } from '../../domain/world.ts'
import { authentication, pagination, parameterNames, members } from '../../settings/fields.ts'
import { listOperations, type Operation, operations } from '../operations.ts'
import type { Random } from '../sample/days.ts'
import { type Behaviour, type Fault, ownBehaviour } from './behaviour.ts'
import { faultsOf, refuseInput } from './input.ts'

export class ImitatedFault extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(`The sandbox is set to answer ${fault.operation} so.`)
    this.fault = fault
  }
}

export class Imitation {
  readonly #clock: Clock
  readonly #random: Random
  readonly #closing = new AbortController()
  #asked: ReturnType<typeof readBehaviour> = { behaviour: ownBehaviour, shown: {} }

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  get behaviour(): Behaviour {
    return this.#asked.behaviour
  }

  /** The behaviour as requested, without secrets. */
  get shown(): object {
    return this.#asked.shown
  }

  /** Replaces the whole behaviour. Fails with `invalid` and all faults, and then changes nothing. */
  replace(body: unknown): void {
    this.#asked = readBehaviour(body)
  }

  /**
   * Waits for the configured latency, then fails if a fault is set for the operation. The wait ends early if the client
   * disconnects or the sandbox closes.
   */
  async misbehave({ id }: Operation, request: Request): Promise<void> {
    const { latencyMs, faults } = this.behaviour
    if (latencyMs > 0) await this.#wait(latencyMs, request)
    const fault = faults.find(({ operation, rate }) => operation === id && this.#random() < rate)
    if (fault) throw new ImitatedFault(fault)
  }

  async #wait(ms: number, request: Request): Promise<void> {
    const over = new AbortController()
    const signal = AbortSignal.any([this.#closing.signal, over.signal])
    const gone = once(request, 'close', { signal }).then(
      () => over.abort(ended()),
      () => undefined,
    )
    try {
      await this.#clock.sleep(ms, signal)
    } finally {
      over.abort(ended())
      await gone
    }
  }

  close(): void {
    this.#closing.abort(ended())
  }
}

function ended(): AppError {
  return new AppError('unavailable', 'The wait has ended early.')
}

const latencyMsMax = 60_000
const faultsMax = 100
const secondsMax = 86_400
const pageSizeMax = 1000

const number = (least: number, most: number): z.ZodNumber => {
  const rule = `must be a number from ${least} to ${most}`
  return z.number(rule).min(least, rule).max(most, rule)
}
const whole = (least: number, most: number): z.ZodNumber => {
  const rule = `must be a whole number from ${least} to ${most}`
  return z.int(rule).min(least, rule).max(most, rule)
}

const operationIds = operations.map(({ id }) => id)

const operationId = z
  .string('must be the operationId of an operation')
  .transform((given, context) => {
    const known = operationIds.find((id) => id === given)
    if (known !== undefined) return known
    context.addIssue(`no operation has this operationId${meantOrAll(given, operationIds)}`)
    return z.NEVER
  })

const fault = members({
  operation: operationId,
  status: whole(400, 599),
  rate: number(0, 1).default(1),
  retryAfter: whole(0, secondsMax).optional(),
})

const ignored = z.literal('ignored', 'must be "ignored", or be left out').optional()

/** Also accepts text, as in the setting: it is parsed as JSON. */
const asSetting = z.preprocess((given) => {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}, parameterNames)

const ignorable = Object.values(listOperations)
  .filter(({ filters }) => Object.keys(filters).length > 0)
  .map(({ list }) => list)

const behaviourInput = members({
  latencyMs: whole(0, latencyMsMax).optional(),
  faults: z.array(fault).max(faultsMax, `must be at most ${faultsMax}`).optional(),
  filters: members(Object.fromEntries(ignorable.map((list) => [list, ignored]))).optional(),
  pagination: pagination.optional(),
  parameters: asSetting.optional(),
  auth: authentication.optional(),
  pageSize: whole(1, pageSizeMax).optional(),
})

/** Returns the requested behaviour, and the body for `GET` without the secret of `auth`. Fails with `invalid` and all faults. */
function readBehaviour(body: unknown): { behaviour: Behaviour; shown: object } {
  const { data, error } = behaviourInput.safeParse(body)
  if (error) throw refuseInput('The behaviour does not fit', faultsOf(error))
  const { faults = [], filters = {}, latencyMs = 0, pageSize = ownBehaviour.pageSize } = data
  const behaviour = {
    version: randomUUID(),
    latencyMs,
    faults,
    ignored: new Set(ignorable.filter((list) => filters[list] !== undefined)),
    parameters: data.parameters ?? defaultParameters,
    pagination: data.pagination ?? null,
    pageSize,
    authentication: data.auth ?? null,
  }
  return { behaviour, shown: withoutSecret({ ...Object(body) }) }
}

/** Keeps the scheme of `auth`, and the name of its header or parameter. */
function withoutSecret({ auth, ...others }: Record<string, unknown>): object {
  if (typeof auth !== 'string') return others
  const named = /^(?:header|query):[^:]*|^[a-z]+/.exec(auth)?.[0] ?? ''
  return { ...others, auth: named === auth ? auth : `${named}:…` }
}
