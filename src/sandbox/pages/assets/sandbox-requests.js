/* The last requests, read again while somebody looks. */
import { ask } from './sandbox-client.js'
import { element, find, onPress, say } from './sandbox-elements.js'

const shownMax = 50
const everyMs = 3000

const rows = find('#request-rows')
const state = find('#requests-state')
const pause = find('#pause')
const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

let newest = ''

/** Shows them from then on, unless it is paused or nobody sees the page. */
export async function startRequests() {
  onPress(find('#refresh'), refresh)
  pause.addEventListener('click', () => {
    pause.setAttribute('aria-pressed', !isPaused())
    if (!isPaused()) void refresh()
  })
  document.addEventListener('visibilitychange', () => void refreshIfSeen())
  await refresh()
  await again()
}

async function again() {
  await new Promise((resolve) => setTimeout(resolve, everyMs))
  await refreshIfSeen()
  void again()
}

async function refreshIfSeen() {
  if (!document.hidden && !isPaused()) await refresh()
}

function isPaused() {
  return pause.getAttribute('aria-pressed') === 'true'
}

async function refresh() {
  const { isOk, data, detail } = await ask('GET', `/requests?limit=${shownMax}`)
  // Said once, not every few seconds.
  const text = isOk ? '' : detail
  if (state.textContent !== text) say(state, text, isOk ? '' : 'failed')
  if (isOk) draw(data)
}

function draw(requests) {
  const now = JSON.stringify(requests)
  if (now === newest) return
  newest = now
  find('#no-requests').hidden = requests.length > 0
  rows.replaceChildren(...requests.map(row))
}

function row({ at, method, path, status, durationMs, companyId, operation, client }) {
  const time = element('time', {
    dateTime: at,
    textContent: clockTime.format(new Date(at)),
    title: at,
  })
  const tone = status === null || status >= 400 ? 'failed' : ''
  return element(
    'tr',
    {},
    element('td', {}, time),
    element('td', {}, element('code', { textContent: `${method} ${path}` })),
    element('td', { data: { tone }, textContent: status ?? 'gone' }),
    element('td', { textContent: durationMs }),
    element('td', { textContent: companyId ?? '' }),
    element('td', { textContent: operation ?? '' }),
    element('td', { className: 'client', title: client ?? '', textContent: client ?? '' }),
  )
}
