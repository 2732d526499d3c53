/* Names the tab, copies and shares addresses where the browser allows it; all else on the page works without scripts. */
const field = document.querySelector('#address')
const patienceMs = 15_000
const canShare = 'share' in navigator

// The page as it is served names nobody, since chat programs read its head; the reader's own tabs may.
document.title = document.querySelector('h1').textContent

for (const it of document.querySelectorAll('[data-scripted]')) it.textContent = it.dataset.scripted

for (const control of document.querySelectorAll('[data-copy]:not([data-share])')) {
  control.hidden = false
  control.addEventListener('click', () => void copyAddress(control))
}

for (const control of document.querySelectorAll('[data-share]')) {
  control.hidden = false
  if (!canShare) control.querySelector('span').textContent = control.dataset.copy
  control.addEventListener('click', () => void sharePage(control))
}

field?.addEventListener('focus', () => field.select())

// The page of a new address answers a form of the old one, which has ended: reload and bookmark are to lead to the new.
const own = document.querySelector('[data-own-page]')
// A page that was just saved says so once, not again when it is reloaded; the language stays.
if (own || location.search !== '') {
  history.replaceState(null, '', (own ?? location).pathname + languageOf(location))
}
document.querySelector('#saved')?.focus()

for (const it of document.querySelectorAll('form[method="post"]')) sendOnce(it)

const form = document.querySelector('form[data-unsaved]')
if (form) askBeforeLosing(form)

/** One press of a button is enough; where no answer comes, or the reader comes back, it can be pressed again. */
function sendOnce(sent) {
  const control = sent.querySelector('[type="submit"]')
  let patience
  const rest = () => {
    clearTimeout(patience)
    control.removeAttribute('aria-busy')
  }
  sent.addEventListener('submit', (event) => {
    const isBusy = control.hasAttribute('aria-busy')
    if (sayOffline(sent) || isBusy) event.preventDefault()
    else {
      patience = setTimeout(rest, patienceMs)
      control.setAttribute('aria-busy', 'true')
    }
  })
  addEventListener('pageshow', rest)
}

/** Without a connection the browser would put an error in the place of the page, and what was chosen would be lost. */
function sayOffline(sent) {
  const isOffline = !navigator.onLine
  const told = sent.querySelector('[data-offline]')
  if (told) told.hidden = !isOffline
  if (isOffline) sent.querySelector('#saved')?.remove()
  return isOffline
}

/** The other language is another page, on which nothing is chosen yet. */
function askBeforeLosing(choices) {
  const made = stateOf(choices)
  const wasRefused = choices.querySelector('.refused') !== null
  const isUnsaved = () => wasRefused || stateOf(choices) !== made
  for (const link of document.querySelectorAll('.language')) {
    link.addEventListener('click', (event) => {
      if (isUnsaved() && !confirm(choices.dataset.unsaved)) event.preventDefault()
    })
  }
}

function stateOf(choices) {
  return new URLSearchParams(new FormData(choices)).toString()
}

function languageOf({ search }) {
  const kept = [...new URLSearchParams(search)].filter(
    ([name]) => name === 'lang' || name === 'feed',
  )
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`
}

async function copyAddress(control) {
  const isCopied = await copy(field.value)
  say(control, isCopied ? 'copied' : 'failed')
  if (!isCopied) field.select()
}

/** To a device of the reader's own, by whatever way this one offers. */
async function sharePage(control) {
  const url = location.origin + location.pathname
  if (!canShare) return say(control, (await copy(url)) ? 'copied' : 'failed')
  try {
    await navigator.share({ url })
  } catch (error) {
    // Who closes the list of ways has changed their mind.
    if (error.name !== 'AbortError') say(control, (await copy(url)) ? 'copied' : 'failed')
  }
}

function say(control, outcome) {
  const result = control.closest('.way').querySelector('.result')
  result.textContent = result.dataset[outcome]
}

async function copy(text) {
  return copyAtOnce(text) || (await copyWithPermission(text))
}

/** The old way first: it works on plain http as well, and before a new tab takes the focus away. */
function copyAtOnce(text) {
  const before = document.activeElement
  const carrier = document.createElement('textarea')
  carrier.className = 'unseen'
  carrier.value = text
  document.body.append(carrier)
  carrier.select()
  const isCopied = document.execCommand('copy')
  carrier.remove()
  before.focus()
  return isCopied
}

async function copyWithPermission(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
