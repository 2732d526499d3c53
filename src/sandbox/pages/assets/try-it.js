/* Tries one operation on the page: shows the curl command, sends the request and shows the response. */
import { colourJson } from './shown-json.js'

const headersWorthSeeing = ['Content-Type', 'ETag', 'Link', 'Retry-After', 'Allow']
const nextPage = /<([^>]+)>;\s*rel="next"/

/** Sends the form by script and shows the response below it; `keyOf` returns the key, empty if there is none. */
export function tryIt(form, keyOf) {
  const place = form.closest('.try')
  const curl = place.querySelector('.copied code')
  const said = place.querySelector('.said')
  const result = place.querySelector('.result')
  const asCurl = () => (curl.textContent = curlOf(addressOf(form), keyOf()))

  let asked = 0
  const ask = async (address, headers = {}) => {
    asked += 1
    const turn = asked
    form.setAttribute('aria-busy', 'true')
    said.textContent = 'Asking …'
    const answer = await answerOf(address, { ...headers, ...credential(keyOf()) })
    if (turn !== asked) return
    form.removeAttribute('aria-busy')
    said.replaceChildren(...status(answer))
    result.replaceChildren(...shown(answer), ...furtherSteps(answer, ask))
    result.hidden = false
  }

  form.addEventListener('input', asCurl)
  document.querySelector('#key')?.addEventListener('input', asCurl)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void ask(addressOf(form))
  })
}

/** Omits empty fields. */
function addressOf(form) {
  const { id, ...others } = Object.fromEntries(new FormData(form))
  const path = form.getAttribute('action').replace('{id}', encodeURIComponent(id))
  const query = new URLSearchParams(Object.entries(others).filter(([, value]) => value !== ''))
  return query.size > 0 ? `${path}?${query}` : path
}

function curlOf(address, key) {
  const asked =
    key === '' && !document.querySelector('#key') ? '' : '-H "Authorization: Bearer $KEY" '
  return `curl ${asked}"${location.origin}${address}"`
}

function credential(key) {
  return key === '' ? {} : { Authorization: `Bearer ${key}` }
}

async function answerOf(address, headers) {
  try {
    const response = await fetch(address, { headers, cache: 'no-store' })
    return { address, response, text: await response.text() }
  } catch (error) {
    return { address, failure: error.message }
  }
}

function status({ address, response, failure }) {
  const mark = made('strong', response ? `${response.status} ${response.statusText}` : 'No answer')
  mark.className = response?.status < 400 ? 'fine' : 'wrong'
  return [mark, ' ', made('code', failure ?? `GET ${address}`)]
}

function shown({ response, text }) {
  if (!response) return []
  const list = made('dl', '')
  for (const name of headersWorthSeeing) {
    const value = response.headers.get(name)
    if (value === null) continue
    const row = made('div', '')
    row.append(made('dt', name), made('dd', value))
    list.append(row)
  }
  return text === '' ? [list] : [list, body(text)]
}

function body(text) {
  const block = made('pre', '')
  block.tabIndex = 0
  block.setAttribute('aria-label', 'The answer')
  const code = made('code', '')
  colourJson(code, indented(text))
  block.append(code)
  return block
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function furtherSteps({ address, response }, ask) {
  const next = nextPage.exec(response?.headers.get('link') ?? '')?.[1]
  const tag = response?.headers.get('etag')
  const steps = made('p', '')
  steps.className = 'actions'
  if (next) steps.append(step('Next page', () => ask(next)))
  if (tag)
    steps.append(step('Ask again with If-None-Match', () => ask(address, { 'If-None-Match': tag })))
  return next || tag ? [steps] : []
}

function step(label, act) {
  const button = made('button', label)
  button.type = 'button'
  button.className = 'plain'
  button.addEventListener('click', () => void act())
  return button
}

function made(name, text) {
  const element = document.createElement(name)
  element.textContent = text
  return element
}
