const candidatesMax = 40
/** Where programs that are moved below a path are usually found. */
const usualPrefixes = ['/api', '/rest', '/app', '/backend', '/workforce']

/** Base URLs of the same origin at which the Read API may be found instead, the likeliest first. */
export function baseUrlCandidates(baseUrl: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl)
  const shorter = pathsAbove(pathname)
  const longer = [pathname, ...shorter].flatMap((path) =>
    usualPrefixes.map((prefix) => trimmed(path) + prefix),
  )
  const candidates = [...shorter, ...longer].map((path) => origin + trimmed(path))
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
