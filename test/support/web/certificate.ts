import { createHash, generateKeyPairSync, sign } from 'node:crypto'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

// DER identifiers (X.690) of the few types that a certificate needs.
const BOOLEAN = 0x01
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_IDENTIFIER = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const SEQUENCE = 0x30
const SET = 0x31

const DAY_MS = 86_400_000

/** A self-signed certificate (RFC 5280) of today for 127.0.0.1 and localhost, that may be its own authority. */
export function createCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signedPart = toBeSigned(publicKey.export({ type: 'spki', format: 'der' }))
  const signature = sign('sha256', signedPart, privateKey)
  const certificate = der(
    SEQUENCE,
    signedPart,
    ecdsaWithSha256(),
    der(BIT_STRING, Buffer.from([0]), signature),
  )
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: pem(certificate),
  }
}

function toBeSigned(publicKey: Buffer): Buffer {
  return der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1, ...createHash('sha1').update(publicKey).digest().subarray(0, 8)])),
    ecdsaWithSha256(),
    name(),
    der(SEQUENCE, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name(),
    publicKey,
    der(0xa3, der(SEQUENCE, isAuthority(), subjectNames())),
  )
}

function isAuthority(): Buffer {
  const yes = der(BOOLEAN, Buffer.from([0xff]))
  return der(SEQUENCE, identifier('551d13'), yes, der(OCTET_STRING, der(SEQUENCE, yes)))
}

function subjectNames(): Buffer {
  const names = der(
    SEQUENCE,
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  )
  return der(SEQUENCE, identifier('551d11'), der(OCTET_STRING, names))
}

function name(): Buffer {
  const commonName = der(SEQUENCE, identifier('550403'), der(UTF8_STRING, Buffer.from('test')))
  return der(SEQUENCE, der(SET, commonName))
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/\D/g, '')
  return der(UTC_TIME, Buffer.from(`${digits.slice(2, 14)}Z`))
}

function ecdsaWithSha256(): Buffer {
  return der(SEQUENCE, identifier('2a8648ce3d040302'))
}

function identifier(hex: string): Buffer {
  return der(OBJECT_IDENTIFIER, Buffer.from(hex, 'hex'))
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content)]), content])
}

/** In as few bytes as it takes (DER, X.690). */
function lengthOf({ length }: Buffer): readonly number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

function pem(bytes: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`
}
