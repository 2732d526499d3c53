/* Reads a mail by the rules alone (RFC 5322, RFC 2045 to 2047), without the library that has written it. */

export interface ReadMail {
  /** Each field as it stands, unfolded, by its name in lower case; a field that stands twice has two. */
  readonly fields: ReadonlyMap<string, readonly string[]>
  /** In their order, also those within another. */
  readonly parts: readonly MailPart[]
}

interface MailPart {
  readonly fields: ReadMail['fields']
  readonly type: string
  readonly bytes: Buffer
  readonly text: string
}

/** Fails for a header that is none. */
export function readMail(raw: string): ReadMail {
  return { fields: split(raw).fields, parts: partsOf(raw) }
}

/** The field of that name, which stands once; its encoded words read. */
export function fieldOf({ fields }: ReadMail, name: string): string {
  const found = fields.get(name) ?? []
  if (found.length !== 1) throw new Error(`${name} stands ${found.length} times.`)
  return decodedWords(found[0]!)
}

function split(raw: string): { fields: Map<string, string[]>; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const header = raw.slice(0, end).replaceAll(/\r\n(?=[ \t])/g, '')
  const fields = new Map<string, string[]>()
  for (const line of header.split('\r\n')) {
    const [, name, value] = /^([!-9;-~]+):[ \t]?([\t -~\x80-\xff]*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`No field: ${line}`)
    const key = name.toLowerCase()
    fields.set(key, [...(fields.get(key) ?? []), value])
  }
  return { fields, body: raw.slice(end + 4) }
}

function partsOf(raw: string): readonly MailPart[] {
  const { fields, body } = split(raw)
  const type = fields.get('content-type')?.[0] ?? ''
  const boundary = /^multipart\/.*boundary="([^"]+)"/.exec(type)?.[1]
  if (boundary !== undefined) {
    const [, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`)
    return parts.slice(0, -1).flatMap((part) => partsOf(part.replace(/^\r\n/, '')))
  }
  const bytes = decoded(body, fields.get('content-transfer-encoding')?.[0] ?? '7bit')
  const text = bytes.toString().replaceAll('\r\n', '\n')
  return [{ fields, type: type.split(';')[0]!, bytes, text }]
}

function decoded(body: string, coding: string): Buffer {
  if (coding === 'base64') return Buffer.from(body, 'base64')
  if (coding !== 'quoted-printable') return Buffer.from(body, 'latin1')
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

function decodedWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/(?:=\?utf-8\?[bq]\?[^?]*\?=)+/gi, (words) => {
      const bytes = [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(
        ([, coding = '', word = '']) =>
          coding.toLowerCase() === 'b'
            ? Buffer.from(word, 'base64')
            : Buffer.from(
                word
                  .replaceAll('_', ' ')
                  .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
                    String.fromCharCode(parseInt(hex, 16)),
                  ),
                'latin1',
              ),
      )
      return Buffer.concat(bytes).toString()
    })
}
