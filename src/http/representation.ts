import type { Request, Response } from 'express'

import type { ContentCoding, EncodedBody } from '../publishing/publication.ts'
import { isNotModified, type Validators } from '../web/conditional-request.ts'

/** What an address stands for now: bytes that are ready, and by what a client knows that it has them. */
export interface Representation {
  readonly validators: Validators
  readonly type: string
  readonly disposition?: string
  readonly body: EncodedBody
}

/** What of a request chooses between bytes, codings and no bytes. */
type RequestHead = Pick<Request, 'headers' | 'acceptsEncodings'>

/** Of equally welcome ones the first is taken. */
const codings = ['gzip', 'br', 'zstd', 'identity'] as const satisfies readonly ContentCoding[]

/** Answers 200 with the bytes, or 304 to a client that has them. */
export async function sendRepresentation(
  request: RequestHead,
  response: Response,
  { validators, type, disposition, body }: Representation,
): Promise<void> {
  if (isNotModified(request.headers, validators)) return sendNotModified(response, validators)
  setValidators(response, validators)
  response.setHeader('Content-Type', type)
  if (disposition !== undefined) response.setHeader('Content-Disposition', disposition)
  await sendBody(request, response, body)
}

/** A 304 has the headers that the 200 would have (RFC 9110 section 15.4.5). */
export function sendNotModified(response: Response, validators: Validators): void {
  setValidators(response, validators)
  response.status(304).end()
}

function setValidators(response: Response, { etag, lastModified }: Validators): void {
  response.setHeader('ETag', etag)
  if (lastModified === undefined) return
  response.setHeader('Last-Modified', new Date(lastModified).toUTCString())
}

/** Compressed bytes are ready or are kept from now on: to compress for each request would cost sixty times as much. */
async function sendBody(
  request: RequestHead,
  response: Response,
  body: EncodedBody,
): Promise<void> {
  const accepted = request.acceptsEncodings(...codings)
  const coding = codings.find((it) => it === accepted) ?? 'identity'
  const bytes = await body.in(coding)
  if (coding !== 'identity') response.setHeader('Content-Encoding', coding)
  response.setHeader('Content-Length', bytes.length)
  response.status(200).end(bytes)
}
