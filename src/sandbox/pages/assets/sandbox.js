/* The controls for people: unlocked at once, or when the admin token is given. */
import { startBehaviour } from './sandbox-behaviour.js'
import { ask, useToken } from './sandbox-client.js'
import { find, onSubmit, say } from './sandbox-elements.js'
import { chooseCompany, startRecords } from './sandbox-records.js'
import { startRequests } from './sandbox-requests.js'
import { startReset } from './sandbox-reset.js'

const lock = find('#token')
if (lock) askForToken()
else await unlock()

function askForToken() {
  const state = find('#token-state')
  lock.hidden = false
  onSubmit(lock, async () => {
    const token = find('#token-field').value.trim()
    // RFC 6750 section 2.1: nothing else can stand in the header.
    if (!/^[\x21-\x7e]+$/.test(token))
      return say(state, 'A token has no spaces and no accents.', 'failed')
    useToken(token)
    const { isOk, status, detail } = await ask('GET', '/companies')
    if (!isOk) return say(state, status === 401 ? 'This is not the admin token.' : detail, 'failed')
    lock.hidden = true
    await unlock()
    find('#content').focus()
  })
}

async function unlock() {
  for (const it of document.querySelectorAll('[data-unlocked], [data-end]')) it.hidden = false
  startReset(chooseCompany)
  await Promise.all([startRecords(), startBehaviour(), startRequests()])
}
