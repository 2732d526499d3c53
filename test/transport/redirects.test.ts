/* Which redirects lead to what was asked for. */
import { expect, it } from 'vitest'

import { followRedirects } from '../../src/transport/exchange.ts'
import type { HttpAnswer } from '../../src/transport/http.ts'

const api = '/api/public/v1'

/** The address that answers in the end. */
async function arrival(asked: string, location: string): Promise<string> {
  const from = new URL(asked, 'https://api.example/')
  const ask = async ({ href }: URL): Promise<HttpAnswer> =>
    href === from.href
      ? { status: 301, headers: { location }, body: Buffer.from('') }
      : { status: 200, headers: {}, body: Buffer.from('{"data":[]}') }
  const { url } = await followRedirects(from, ask)
  return url.href === from.href ? 'not followed' : url.pathname + url.search
}

it.each([
  ['/leaves?userId=a', `${api}/leaves/?userId=a`],
  ['/users/ada%40example.com', `${api}/users/ada@example.com/`],
  ['/projects/prj%3A7/tasks', `${api}/projects/prj:7/tasks/`],
  ['/projects/p%2Fq/tasks', `${api}/projects/p%2fq/tasks`],
  ['/leaves?userId=a%20b&status=c', `${api}/leaves?status=c&userId=a+b`],
  ['/users/50%', `${api}/users/50%25/`],
])('%s is redirected to %s', async (asked, location) => {
  expect(await arrival(api + asked, location)).toBe(location)
})

it.each([
  ['/schedules', `${api}/schedules?isActive=false`],
  ['/schedules', '/login'],
  ['/projects/prj_1/tasks', `${api}/leaves`],
  ['/projects/prj_1/tasks', `${api}/projects/prj_2/tasks`],
  ['/projects/p%2Fq/tasks', `${api}/projects/p/q/tasks`],
  ['/leaves?userId=a', `${api}/leaves`],
  ['/leaves?userId=a', `${api}/leaves?userId=b`],
  ['/leaves?userId=a', `${api}/leaves?userId=a&userId=b`],
  ['/leaves?userId=a', `${api}/leaves?userId=a&status=REJECTED`],
  ['/leaves?userId=a', `/other-company${api}/leaves?userId=a`],
  ['/leaves?userId=a', '/api/public/v2/leaves?userId=a'],
  ['/users/usr_1', `${api}/users/USR_1`],
  ['/users/usr_1', `http://api.example${api}/users/usr_1`],
])('%s is not redirected to %s', async (asked, location) => {
  expect(await arrival(api + asked, location)).toBe('not followed')
})
