import { readFileSync } from 'node:fs'
import path from 'node:path'

import { expect, it } from 'vitest'

import { startLines } from '../src/process/serve.ts'

const none = { demo: undefined, tokenFile: undefined }

/** What is printed where that is the public address. */
function printed(publicUrl: string): string {
  return startLines({ listensAt: 'http://0.0.0.0:8080', publicUrl }, none).join('\n')
}

it.each(['http://0.0.0.0:8080', 'http://[::]:8080'])('%s is not an address to hand out', (url) => {
  expect(printed(url)).toContain('Set PUBLIC_URL')
})

it.each(['http://127.0.0.1:8080', 'https://0.0.0.0.example.com', 'https://calendar.example.com/a'])(
  '%s is an address to hand out',
  (url) => {
    expect(printed(url)).not.toContain('PUBLIC_URL')
  },
)

it.each([
  ['data/admin-token', 'Admin token abc (kept in data/admin-token)'],
  [undefined, 'Admin token: your ADMIN_TOKEN'],
])('the start lines name console, API and token, kept in %s', (tokenFile, token) => {
  const app = { listensAt: 'http://127.0.0.1:8080', publicUrl: 'https://calendar.example.com/a' }
  const lines = startLines(app, { ...none, tokenFile, adminToken: 'abc' })
  expect(lines).toContain('Console https://calendar.example.com/a/console')
  expect(lines).toContain(token)
  expect(lines).toContain('To manage calendars with programs: https://calendar.example.com/a/docs.')
})

it('the addresses of the embedded Read API are among the start lines', () => {
  const app = { listensAt: 'http://127.0.0.1:8080', publicUrl: 'http://127.0.0.1:8080' }
  expect(startLines(app, { ...none, sandboxUrl: 'http://127.0.0.1:41234' })).toContain(
    'The sandbox: try its operations at http://127.0.0.1:41234/docs, and change its records at http://127.0.0.1:41234/sandbox.',
  )
})

it('README shows what npm start prints', () => {
  const at = 'http://127.0.0.1:8080'
  const page = `${at}/feeds/cfb_…`
  const lines = startLines(
    { listensAt: at, publicUrl: at },
    {
      demo: { calendar: `${page}/adas-work-calendar.ics`, page },
      tokenFile: 'data/admin-token',
      adminToken: '…',
      sandboxUrl: 'http://127.0.0.1:41234',
    },
  )
  const readme = readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8')
  expect(readme).toContain(`\`\`\`\n${lines.join('\n')}`)
})
