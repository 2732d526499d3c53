/* The console as a browser without JavaScript uses it: a session, pages, and forms of its own origin. */
import { adminToken, type TestBridge } from './bridge.ts'

export interface ConsoleSession {
  /** Of the session, as a browser sends it back. */
  readonly cookie: string
  /** Opens a page; redirects are not followed. */
  open(address: string): Promise<Response>
  /** The page's HTML; throws unless it answers 200. */
  read(address: string): Promise<string>
  /** Sends a form from one of our pages; redirects are not followed. */
  send(address: string, fields: FormFields | FormData): Promise<Response>
}

type FormFields = Readonly<Record<string, string | readonly string[]>>

/** Signs in to the console with that token. */
export async function enterConsole(
  { url }: Pick<TestBridge, 'url'>,
  token: string = adminToken,
): Promise<ConsoleSession> {
  const headers = { Origin: new URL(url).origin }
  const signedIn = await fetch(`${url}/console/sign-in`, {
    method: 'POST',
    headers,
    body: encoded({ token }),
    redirect: 'manual',
  })
  if (signedIn.status !== 303) throw new Error(`Signing in answered ${signedIn.status}.`)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((it) => it.split(';')[0])
    .join('; ')
  const open = (address: string): Promise<Response> =>
    fetch(url + address, { headers: { Cookie: cookie }, redirect: 'manual' })
  return {
    cookie,
    open,
    read: async (address) => {
      const page = await open(address)
      if (page.status !== 200) throw new Error(`${address} answered ${page.status}.`)
      return page.text()
    },
    send: (address, fields) =>
      fetch(url + address, {
        method: 'POST',
        headers: { ...headers, Cookie: cookie },
        body: fields instanceof FormData ? fields : encoded(fields),
        redirect: 'manual',
      }),
  }
}

function encoded(fields: FormFields): URLSearchParams {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const each of typeof value === 'string' ? [value] : value) body.append(name, each)
  }
  return body
}
