import { apiPrefix } from '../../domain/read-api.ts'

const candidatesMax = 40
/** Where programs that are moved below a path are usually found. */
const usualPrefixes = ['/api', '/rest', '/app', '/backend', '/workforce']

/** Addresses at which the Read API may be found instead, the likeliest first; `redirect` is where it sent us. */
export function baseUrlCandidates(
  baseUrl: string,
  redirect: string | undefined,
): readonly string[] {
  const { origin, pathname, protocol } = new URL(baseUrl)
  const shorter = pathsAbove(pathname)
  const paths = [
    ...shorter,
    ...[pathname, ...shorter].flatMap((path) => usualPrefixes.map((it) => trimmed(path) + it)),
  ]
  const secure = protocol === 'http:' ? [baseUrl.replace(/^http:/, 'https:')] : []
  const candidates = [
    ...redirectedBase(redirect),
    ...secure,
    ...paths.map((path) => origin + trimmed(path)),
  ]
  return [...new Set(candidates)].filter((it) => it !== baseUrl).slice(0, candidatesMax)
}

/** `/a/b` → `/a`, ``. */
function pathsAbove(path: string): readonly string[] {
  const segments = trimmed(path).split('/')
  return segments
    .slice(1)
    .map((_, index) => segments.slice(0, segments.length - 1 - index).join('/'))
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '')
}

function redirectedBase(redirect: string | undefined): readonly string[] {
  const end = redirect?.indexOf(apiPrefix) ?? -1
  return redirect === undefined || end < 0 ? [] : [redirect.slice(0, end)]
}
