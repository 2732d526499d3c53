import { once } from 'node:events'

import type { Request } from 'express'

import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../domain/world.ts'
import type { Operation } from '../operations.ts'
import type { Random } from '../sample/random.ts'
import { type AskedBehaviour, readBehaviour } from './behaviour-input.ts'
import { type Behaviour, type Fault, ownBehaviour } from './behaviour.ts'

/** A failure that was asked for. */
export class ImitatedFault extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(`The sandbox is set to answer ${fault.operation} so.`)
    this.fault = fault
  }
}

/** How this process imitates the Read API of somebody else, until it is told otherwise. */
export class Imitation {
  readonly #clock: Clock
  readonly #random: Random
  readonly #closing = new AbortController()
  #asked: AskedBehaviour = { behaviour: ownBehaviour, shown: {} }

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** What holds now. */
  get behaviour(): Behaviour {
    return this.#asked.behaviour
  }

  /** The same as it was asked for, without secrets. */
  get shown(): object {
    return this.#asked.shown
  }

  /** Replaces all of it; `invalid`, with every fault, changes nothing. */
  replace(body: unknown): void {
    this.#asked = readBehaviour(body)
  }

  /** Waits, and fails, as is set for that operation; ends early when the client goes or the sandbox is closed. */
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

  /** Lets nobody wait any longer. */
  close(): void {
    this.#closing.abort(ended())
  }
}

function ended(): AppError {
  return new AppError('unavailable', 'The wait has ended before its time.')
}
