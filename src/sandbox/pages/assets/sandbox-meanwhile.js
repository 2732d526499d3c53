/* Whether a record is still what it was when it was opened: another tab, or a program, may have changed it. */
import { ask, pathOf } from './sandbox-client.js'

/** What the record has become elsewhere; undefined where it is as it was, is gone, or cannot be read. */
export async function changedMeanwhile({ company, kind, record }) {
  const { isOk, data } = await ask('GET', pathOf(company, kind, record.id))
  return isOk && ordered(data) !== ordered(record) ? data : undefined
}

/** As JSON in which the order of members makes no difference. */
function ordered(value) {
  return JSON.stringify(value, (_name, it) =>
    it === null || typeof it !== 'object' || Array.isArray(it)
      ? it
      : Object.fromEntries(Object.entries(it).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
}
