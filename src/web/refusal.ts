import { type ServerResponse, STATUS_CODES } from 'node:http'

/** As on every page of a program, whatever it says: it loads nothing, is shown in no frame and kept by nobody. */
const headers: Readonly<Record<string, string>> = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
  Connection: 'close',
}

/** Refuses with that status in a sentence, and ends the connection. */
export function refuse(response: ServerResponse, status: number): void {
  const body = sentence(status)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}

/** The same as it goes over the wire, where there is no response to write it. */
export function refusalText(status: number): string {
  const body = sentence(status)
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...fields,
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

function sentence(status: number): string {
  return `The request cannot be answered: ${STATUS_CODES[status]}.\n`
}
