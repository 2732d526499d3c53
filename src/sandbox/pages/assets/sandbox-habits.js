/* Behaviours: those of one press, what each is in words, and the settings that suit it. */
import { facts } from './sandbox-elements.js'

const everyFault = (fault) =>
  facts.operations.map((operation) => ({ operation, rate: 1, ...fault }))

/** By what the button says. */
export const presets = {
  'As it is': {},
  'Down: every operation 503': { faults: everyFault({ status: 503 }) },
  'Slow: 2 s': { latencyMs: 2000 },
  'Half of the requests 429': { faults: everyFault({ status: 429, rate: 0.5, retryAfter: 5 }) },
  'Leaves filter ignored': { filters: { leaves: 'ignored' } },
  'Asks for a bearer token': { auth: 'bearer:secret' },
  'Pages of 2 by Link': { pagination: 'link', pageSize: 2 },
}

/** By member of a behaviour. */
const saying = {
  latencyMs: (ms) => (ms > 0 ? `it waits ${ms} ms before each answer` : ''),
  faults: (faults) => (faults.length > 0 ? faultsInWords(faults) : ''),
  filters: (filters) => {
    const lists = Object.keys(filters)
    return lists.length > 0 ? `filters of ${lists.join(' and ')} are ignored` : ''
  },
  parameters: () => 'parameters have other names',
  pagination: (paging) => `lists are paged by ${styleOf(paging)}`,
  pageSize: (size) => `a page has ${size} ${size === 1 ? 'record' : 'records'}`,
  auth: (auth) =>
    auth === 'none' ? '' : `it asks for a credential (${String(auth).split(':')[0]})`,
}

/** In one sentence; an empty text where it imitates nothing. */
export function inWords(behaviour) {
  const parts = Object.entries(behaviour)
    .map(([name, value]) => saying[name]?.(value) ?? '')
    .filter(Boolean)
  const text = parts.join('; ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function faultsInWords(faults) {
  const { status, rate } = faults[0]
  const isAlike = faults.every((it) => it.status === status && it.rate === rate)
  const isEvery = facts.operations.every((id) => faults.some(({ operation }) => operation === id))
  if (isAlike && isEvery) return `every operation answers ${status}${often(rate)}`
  return faults.map((it) => `${it.operation} answers ${it.status}${often(it.rate)}`).join(', ')
}

function often(share = 1) {
  return share < 1 ? ` to ${Math.round(share * 100)} % of requests` : ''
}

function styleOf(pagination) {
  return typeof pagination === 'string' ? pagination.split(':')[0] : 'another style for each list'
}

/** The lines of a bridge's `.env` with which it speaks to a Read API that behaves so. */
export function settingsFor({ auth, pagination, parameters }, asksForKeys) {
  const lines = [
    ['WORKFORCE_BASE_URL', location.origin],
    ['WORKFORCE_TIMEZONE', 'Europe/Berlin'],
    ['WORKFORCE_AUTH', auth ?? (asksForKeys ? 'bearer:KEY' : undefined)],
    ['WORKFORCE_PAGINATION', pagination],
    ['WORKFORCE_PARAMS', parameters],
  ]
  const set = lines.filter(([, value]) => value !== undefined)
  return set.map(([name, value]) => `${name}=${textOf(value)}`).join('\n')
}

function textOf(value) {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
