/* Decodes large lists in a separate thread, so that they block nothing else and cannot crash the program. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import PQueue from 'p-queue'

import { codeOf } from '../domain/errors.ts'
import { requestFault } from '../transport/http.ts'
import {
  type Came,
  openList,
  type ReadableList,
  type RecordIn,
  readerOf,
  Refused,
} from './records.ts'

/** Larger bodies are decoded in the thread. */
const smallBytes = 262_144
/** Heap limit of the thread; a list that needs more ends the thread. */
const heapMegabytes = 384
/** The thread ends after this idle time to free its memory. */
const idleMs = 30_000

/** A list to decode, or a request for the next records of the last one. */
export type DecodingRequest = { readonly body: Uint8Array; readonly kind: ReadableList } | 'more'

export type DecodingReply =
  | { readonly refused: string }
  | {
      readonly records: readonly Came<unknown>[]
      readonly isLast: boolean
      readonly containers: number
    }

export interface DecodedList<T> {
  readonly records: readonly Came<T>[]
  /** Number of objects and arrays in the response. */
  readonly containers: number
}

/** Decodes small lists at once, and large ones one after the other in a thread that lives only while needed. */
export class Decoder {
  readonly #turns = new PQueue({ concurrency: 1 })
  readonly #closing = new AbortController()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  /**
   * Returns the records of a list. Fails with `upstream_invalid` if the body is no list or too large, or with the signal's
   * reason.
   */
  async readList<K extends ReadableList>(
    body: Uint8Array,
    { kind, url, signal }: { readonly kind: K; readonly url: URL; readonly signal: AbortSignal },
  ): Promise<DecodedList<RecordIn<K>>> {
    return refusing(url, async () => {
      if (body.length <= smallBytes) {
        const list = openList(body, readerOf(kind))
        return { records: list.decode(0, list.length), containers: list.containers }
      }
      const either = AbortSignal.any([signal, this.#closing.signal])
      return this.#turns.add(() => this.#readLarge<RecordIn<K>>({ body, kind }, either), { signal })
    })
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The program is ending.'))
    await this.#end()
  }

  async #readLarge<T>(request: DecodingRequest, signal: AbortSignal): Promise<DecodedList<T>> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    try {
      const records: Came<T>[] = []
      for (let asked = request; ; asked = 'more') {
        worker.postMessage(asked, [])
        const [reply]: (DecodingReply & { readonly records: readonly Came<T>[] })[] = await once(
          worker,
          'message',
          { signal },
        )
        if (!reply || 'refused' in reply) throw new Refused(reply?.refused)
        for (const record of reply.records) records.push(record)
        if (reply.isLast) return { records, containers: reply.containers }
      }
    } catch (error) {
      if (error instanceof Refused) throw error
      // The thread has died, or still works on a list that is no longer wanted.
      await this.#end()
      signal.throwIfAborted()
      if (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new Refused('more than there is memory for')
      }
      throw error
    } finally {
      worker.unref()
      this.#idle = setTimeout(() => void this.#end(), idleMs).unref()
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('decoding-thread.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 16 },
    })
    // `once` already reports the error to the waiting caller.
    return worker.on('error', () => undefined)
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}

/** Turns `Refused` into `upstream_invalid` for the request. */
export async function refusing<T>(url: URL, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw requestFault('upstream_invalid', url, `answered ${error.message}`)
  }
}
