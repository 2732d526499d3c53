import type { Finding } from '../../domain/examination.ts'
import { firstLists, type ReachVerdict } from '../verdicts/reach.ts'
import type { Advise } from './setting-advice.ts'

const check = 'reachable'

/** Says whether the Read API is there; `baseUrl` is where it was looked for. */
export function sayReach(verdict: ReachVerdict, baseUrl: string, advise: Advise): Finding {
  if (verdict.ok) {
    const seen = `The Read API answers at ${baseUrl}.`
    return { check, ok: true, seen, means: 'The address is right.', set: null }
  }
  if (verdict.state === 'busy') {
    const seen = `The Read API answers ${verdict.status} at ${baseUrl}.`
    const means =
      'It is overloaded or broken: calendars stay as last read; examine again when it works.'
    return { check, ok: false, seen, means, set: null }
  }
  const seen =
    verdict.state === 'silent'
      ? verdict.fault.message
      : `What answers at ${baseUrl} is no Read API: ${statusesOf(verdict.statuses)}.`
  return { check, ok: false, seen, ...wayOut(verdict.otherBaseUrl, advise) }
}

function wayOut(otherBaseUrl: string | null, advise: Advise): Pick<Finding, 'means' | 'set'> {
  if (otherBaseUrl !== null) {
    const means = `No calendar can be served; the Read API answers at ${otherBaseUrl}.`
    return { means, set: advise('baseUrl', otherBaseUrl) }
  }
  const means =
    'No calendar can be served: the address, the network or a proxy is wrong, or the Read API is down.'
  return { means, set: null }
}

function statusesOf(statuses: readonly number[]): string {
  return statuses
    .map(
      (status, index) =>
        `${firstLists[index]} answers ${status === 200 ? '200 without {"data": […]}' : status}`,
    )
    .join(', ')
}
