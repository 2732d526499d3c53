import type { z } from 'zod'

import type { ConnectionSettings } from '../domain/connection.ts'
import type { Answer } from '../domain/read-api.ts'
import { withinDeadline } from '../transport/deadline.ts'
import type { Requester } from '../transport/requester.ts'
import { decodeRecords, type Identified, readList, readRecord } from './answers.ts'
import { collectRecords, type Page } from './pagination.ts'

export interface Reader {
  /** All pages of the list at that address, decoded record by record. */
  list<T extends Identified>(asked: AskedList<T>, signal?: AbortSignal): Promise<Answer<T>>
  /** The record of that id at that address. */
  record<T extends Identified>(asked: AskedRecord<T>, signal?: AbortSignal): Promise<T>
}

interface AskedList<T> {
  readonly resource: string
  readonly codec: z.ZodType<T>
  readonly url: URL
}

interface AskedRecord<T> {
  readonly codec: z.ZodType<T>
  readonly url: URL
  readonly id: string
}

/** One operation, with waiting, pages and retries, takes at most so many times the time-out of one request. */
const TIMEOUTS_PER_OPERATION = 10
/** All pages of a list together may be so many times as large as one answer. */
const ANSWERS_PER_LIST = 4

/** Reads lists and records through the requester. */
export function createReader(settings: ConnectionSettings, requester: Requester): Reader {
  const deadlineMs = TIMEOUTS_PER_OPERATION * settings.timeoutMs
  const bytesMax = ANSWERS_PER_LIST * settings.bodyBytesMax

  async function list<T extends Identified>(
    { resource, codec, url }: AskedList<T>,
    signal?: AbortSignal,
  ): Promise<Answer<T>> {
    const records = await withinDeadline({ url, ms: deadlineMs, signal }, (either) => {
      const getPage = (page: URL): Promise<Page> => readPage(page, either)
      return collectRecords(url, settings.pagination, { getPage, bytesMax })
    })
    return decodeRecords(resource, codec, records)
  }

  async function readPage(url: URL, signal: AbortSignal): Promise<Page> {
    const { body, link } = await requester.get(url, signal)
    return { records: readList(body, url), link, bytes: body.length }
  }

  async function record<T extends Identified>(
    { codec, url, id }: AskedRecord<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { body } = await withinDeadline({ url, ms: deadlineMs, signal }, (either) =>
      requester.get(url, either),
    )
    return readRecord(body, codec, { url, id })
  }

  return { list, record }
}
