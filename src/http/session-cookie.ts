import type { CookieOptions, Request, Response } from 'express'

/** What the browser brings along of a sign-in, and of one that is about to be. */
type CookieName = 'cfb_session' | 'cfb_signing_in'

/** The secret that the browser brought; undefined where there is none, or there are several. */
export function readCookie(
  { headers }: Pick<Request, 'headers'>,
  name: CookieName,
  publicUrl: string,
): string | undefined {
  const start = `${fullName(name, publicUrl)}=`
  const found = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const trimmed = pair.trim()
    return trimmed.startsWith(start) ? [trimmed.slice(start.length)] : []
  })
  return found.length === 1 ? found[0] : undefined
}

/** Gives the browser a secret for so long. */
export function setCookie(
  response: Response,
  name: CookieName,
  secret: string,
  { publicUrl, maxAge }: { readonly publicUrl: string; readonly maxAge: number },
): void {
  const options: CookieOptions = {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isSecure(publicUrl),
    maxAge,
  }
  response.cookie(fullName(name, publicUrl), secret, options)
}

/** Takes away what the browser has. */
export function dropCookie(response: Response, name: CookieName, publicUrl: string): void {
  setCookie(response, name, '', { publicUrl, maxAge: 0 })
}

/** Where the address is https no other host can set one of that name. */
function fullName(name: CookieName, publicUrl: string): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
