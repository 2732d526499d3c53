/* Speaks with the controls. What came of a request is told, never thrown; and the same request as a command to copy. */
const patienceMs = 70_000

let token = ''

/** From now on requests bear it; it is kept nowhere but here. */
export function useToken(text) {
  token = text
}

/** `{ isOk, status, data, detail, errors }`; the status of a sandbox that does not answer is 0. */
export async function ask(method, path, body) {
  try {
    const response = await fetch(`/sandbox${path}`, {
      ...asSent(method, body),
      signal: AbortSignal.timeout(patienceMs),
    })
    return await told(response)
  } catch {
    const detail = `Nothing answers at ${location.origin}. Start the sandbox again (npm start), then try again.`
    return { isOk: false, status: 0, detail, errors: [] }
  }
}

function asSent(method, body) {
  const bears = token === '' ? {} : { Authorization: `Bearer ${token}` }
  const headers = { Accept: 'application/json', ...bears }
  if (body === undefined) return { method, headers }
  headers['Content-Type'] = 'application/json'
  return { method, headers, body: JSON.stringify(body) }
}

async function told(response) {
  const text = await response.text()
  const {
    data,
    detail = `It answered ${response.status}.`,
    errors = [],
  } = text === '' ? {} : JSON.parse(text)
  return { isOk: response.ok, status: response.status, data, detail, errors }
}

/** The path of a record, or of what it names. */
export function pathOf(...steps) {
  return `/companies/${steps.map((step) => encodeURIComponent(step)).join('/')}`
}

/** The request as a command for a POSIX shell. */
export function curl(method, path, body) {
  const bears = token === '' ? '' : ' -H "Authorization: Bearer $ADMIN_TOKEN"'
  const start = `curl -X ${method}${bears} ${quoted(`${location.origin}/sandbox${path}`)}`
  if (body === undefined) return start
  return `${start} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`
}

/** In one pair of quotes a shell reads nothing but text. */
function quoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
