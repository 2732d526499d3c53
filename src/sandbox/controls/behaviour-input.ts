import { randomUUID } from 'node:crypto'

import { z } from 'zod'

import { defaultParameters } from '../../domain/connection.ts'
import { meantOrAll } from '../../domain/nearest.ts'
import { authentication } from '../../settings/authentication.ts'
import { pagination } from '../../settings/pagination.ts'
import { parameterNames } from '../../settings/parameter-names.ts'
import { members } from '../../settings/unknown-key.ts'
import { listOperations, operations } from '../operations.ts'
import { type Behaviour, ownBehaviour } from './behaviour.ts'
import { faultsOf, refuseInput } from './input-faults.ts'
import { nameClashes } from './name-clashes.ts'

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

const operation = z
  .string('must be the operationId of an operation')
  .transform((given, context) => {
    const known = operationIds.find((id) => id === given)
    if (known !== undefined) return known
    context.addIssue(`no operation has this operationId${meantOrAll(given, operationIds)}`)
    return z.NEVER
  })

const fault = members({
  operation,
  status: whole(400, 599),
  rate: number(0, 1).default(1),
  retryAfter: whole(0, secondsMax).optional(),
})

const ignored = z.literal('ignored', 'must be "ignored", or be left out').optional()

/** A text is written as its setting is, in JSON. */
const asSetting = z.preprocess((given) => {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}, parameterNames)

const behaviourInput = members({
  latencyMs: whole(0, latencyMsMax).optional(),
  faults: z.array(fault).max(faultsMax, `must be at most ${faultsMax}`).optional(),
  filters: members({ leaves: ignored, timesheets: ignored, schedules: ignored }).optional(),
  pagination: pagination.optional(),
  parameters: asSetting.optional(),
  auth: authentication.optional(),
  pageSize: whole(1, pageSizeMax).optional(),
})

/** What holds, and what of it is shown: as it was asked for, without the secret of `auth`. */
export interface AskedBehaviour {
  readonly behaviour: Behaviour
  readonly shown: object
}

/** The behaviour that a body asks for; `invalid` with every fault. */
export function readBehaviour(body: unknown): AskedBehaviour {
  const { data, error } = behaviourInput.safeParse(body)
  if (error) throw refuseInput('The behaviour does not fit', faultsOf(error))
  const { faults = [], filters = {}, latencyMs = 0, pageSize = ownBehaviour.pageSize } = data
  const lists = Object.values(listOperations).map(({ list }) => list)
  const behaviour: Behaviour = {
    version: randomUUID(),
    latencyMs,
    faults,
    ignored: new Set(lists.filter((list) => list !== 'tasks' && filters[list] !== undefined)),
    parameters: data.parameters ?? defaultParameters,
    pagination: data.pagination ?? null,
    pageSize,
    authentication: data.auth ?? null,
  }
  const clashes = nameClashes(behaviour)
  if (clashes.length > 0) throw refuseInput('The behaviour does not fit', clashes)
  return { behaviour, shown: withoutSecret({ ...Object(body) }) }
}

/** Of `auth` the scheme stays, and what it names. */
function withoutSecret({ auth, ...others }: Record<string, unknown>): object {
  if (typeof auth !== 'string') return others
  const named = /^(?:header|query):[^:]*|^[a-z]+/.exec(auth)?.[0] ?? ''
  return { ...others, auth: named === auth ? auth : `${named}:…` }
}
