/*
 * Names the tab, and copies and shares addresses where the browser allows it. Everything else on the page works without
 * scripts.
 */
const field = document.querySelector('#address')
const patienceMs = 15_000
const canShare = 'share' in navigator

// The served page names no person, since chat programs read its head; the reader's own tabs may.
document.title = document.querySelector('h1').textContent

for (const it of document.querySelectorAll('[data-scripted]')) it.textContent = it.dataset.scripted
for (const it of document.querySelectorAll('[data-unscripted]')) it.remove()

for (const control of document.querySelectorAll('[data-copy]:not([data-share])')) {
  control.hidden = false
  control.addEventListener('click', () => void copyAddress(control))
}

for (const control of document.querySelectorAll('[data-share]')) {
  control.hidden = false
  if (!canShare) {
    control.querySelector('.icon').remove()
    control.querySelector('span').textContent = control.dataset.copy
  }
  control.addEventListener('click', () => void sharePage(control))
}

for (const it of document.querySelectorAll('#address, .value input')) {
  it.addEventListener('focus', () => it.select())
}

// The page of a new address is the response to a form of the old, ended one. Reloads and bookmarks must use the new one.
const own = document.querySelector('[data-own-page]')
// Says "saved" once, not again on reload; language and question stay in the address.
if (own || location.search !== '') {
  const place = location.hash === '#saved' ? '' : location.hash
  history.replaceState(null, '', (own ?? location).pathname + askedOf(location) + place)
}
document.querySelector('#saved')?.focus()

for (const it of document.querySelectorAll('form[method="post"]')) sendOnce(it)

// A phone shows one thing at a time; a wide screen has room for all. Where a form was refused or saved, it stays open.
const wideScreen = matchMedia('(min-width: 64rem)')
const fold = () => {
  for (const it of document.querySelectorAll('[data-fold]:not([data-kept])')) {
    it.open = wideScreen.matches
  }
}
fold()
if (location.hash === '#account') openAccount()
wideScreen.addEventListener('change', fold)

/** For an address with `#account`. */
function openAccount() {
  const place = document.querySelector('#account')
  place?.closest('details')?.setAttribute('open', '')
  place?.scrollIntoView()
}

/** Ignores further presses of the button for 15 seconds, or until the reader returns to the page. */
function sendOnce(sent) {
  let control = sent.querySelector('[type="submit"]')
  let patience
  const rest = () => {
    clearTimeout(patience)
    control.removeAttribute('aria-busy')
  }
  sent.addEventListener('submit', (event) => {
    const isBusy = control.hasAttribute('aria-busy')
    if (sayOffline(sent) || isBusy) event.preventDefault()
    else {
      control = event.submitter ?? control
      patience = setTimeout(rest, patienceMs)
      control.setAttribute('aria-busy', 'true')
    }
  })
  addEventListener('pageshow', rest)
}

/** Offline, the browser would replace the page with an error and lose the reader's choices. */
function sayOffline(sent) {
  const isOffline = !navigator.onLine
  const told = sent.querySelector('[data-offline]')
  if (told) told.hidden = !isOffline
  if (isOffline) sent.querySelector('#saved')?.remove()
  return isOffline
}

function askedOf({ search }) {
  const names = new Set(['lang', 'feed', 'view', 'day'])
  const kept = [...new URLSearchParams(search)].filter(([name]) => names.has(name))
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`
}

/** Copies the field that the control names, or else the calendar's address. */
async function copyAddress(control) {
  const from = control.dataset.copy ? document.getElementById(control.dataset.copy) : field
  const isCopied = await copy(from.value)
  say(control, isCopied ? 'copied' : 'failed')
  if (!isCopied) from.select()
}

/** Shares with the reader's own device; without a share sheet, copies the address. */
async function sharePage(control) {
  const url = control.dataset.address ?? location.origin + location.pathname
  if (!canShare) return say(control, (await copy(url)) ? 'copied' : 'failed')
  try {
    await navigator.share({ url })
  } catch (error) {
    // The reader closed the share sheet on purpose.
    if (error.name !== 'AbortError') say(control, (await copy(url)) ? 'copied' : 'failed')
  }
}

function say(control, outcome) {
  const result = control.closest('.way, .values').querySelector('.result')
  result.textContent = control.dataset[outcome] ?? result.dataset[outcome]
}

async function copy(text) {
  return copyAtOnce(text) || (await copyWithPermission(text))
}

/** The old API first: it also works on plain http, and before a new tab takes the focus. */
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
