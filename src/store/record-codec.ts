import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Records as compressed JSON. */
export function encodeRecords(records: readonly unknown[]): Uint8Array {
  return zstdCompressSync(JSON.stringify(records))
}

/** What `encodeRecords` was given; the caller names the kind that stands under the key. */
export function decodeRecords<T>(bytes: Uint8Array): T[] {
  return JSON.parse(zstdDecompressSync(bytes).toString())
}
