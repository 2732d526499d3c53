/* Shows the very calendar that programs subscribe to: as a list on a narrow screen, else as a month. */
import { readEvents } from './preview-events.js'
import { showList } from './preview-list.js'
import { showMonth } from './preview-month.js'
import { endOfAll } from './preview-times.js'

const wideScreen = matchMedia('(min-width: 48rem)')

const calendar = document.querySelector('#calendar')
if (calendar) {
  await show(calendar)
  // What has grown above it moves it out of sight in browsers that do not hold a page in place.
  document.querySelector('#saved:focus')?.scrollIntoView({ block: 'nearest' })
}

/** The first days, with which the page is served, stand until the whole calendar is there. */
async function show(place) {
  const words = JSON.parse(place.dataset.words)
  const firstDays = place.querySelector('[data-first-days]')
  const state = firstDays ? place.querySelector('[role="status"]') : say(place, words.loading)
  try {
    const events = await fetchEvents(place.dataset.address)
    if (events.length > 0) {
      withdraw('nothing_shown')
      await draw(place, { events, words, day: wantedDay(), ...writingOf(place.dataset) })
    }
    firstDays?.remove()
    sayWhere()
    if (events.length === 0) settle(state, words.empty)
    else state.remove()
  } catch {
    fail(place, state, words, firstDays)
  }
}

/** What was fetched before stands on. */
function fail(place, state, words, firstDays) {
  const again = button(words.retry, () => void retry(place, firstDays))
  settle(state, firstDays ? words.onlyWeek : words.failed)
  place.replaceChildren(...(firstDays ? [firstDays] : []), state, again)
}

/** From now on times stand by the clock of the device. */
function sayWhere() {
  const hint = document.querySelector('[data-here]')
  hint.textContent = hint.dataset.here
}

/** Past what the browser has kept of it: who has just saved a choice sees what it changed. Unchanged it is a 304. */
async function fetchEvents(address) {
  const response = await fetch(address, { cache: 'no-cache' })
  if (!response.ok) throw new Error(String(response.status))
  return readEvents(await response.text())
}

/** The day to begin at, where the address ends in one (`#2026-12-08`). */
function wantedDay() {
  const found = /^#(\d{4})-(\d\d)-(\d\d)$/.exec(location.hash)
  if (!found) return null
  const [year, month, day] = found.slice(1).map(Number)
  return new Date(year, month - 1, day)
}

/** How its reader writes times, and the language of the calendar where it is another than the page's. */
function writingOf({ locale, firstDay, language }) {
  const isForeign = language !== document.documentElement.lang
  return { locale, firstDay: Number(firstDay), language: isForeign ? language : '' }
}

async function draw(place, preview) {
  const views = document.createElement('div')
  views.className = 'views'
  views.setAttribute('role', 'group')
  views.setAttribute('aria-label', preview.words.views)
  const body = document.createElement('div')
  let chosen
  const choose = async (view) => {
    chosen = view
    for (const it of views.children) it.setAttribute('aria-pressed', it.dataset.view === view)
    if (view === 'list') return showList(body, preview)
    // Without the widget's files there is the list.
    await showMonth(body, preview, () => chosen === 'month').catch(() => choose('list'))
  }
  for (const view of ['month', 'list']) {
    const control = button(preview.words[view], () => void choose(view))
    control.dataset.view = view
    views.append(control)
  }
  place.append(body)
  const suit = () => choose(wideScreen.matches ? 'month' : 'list')
  wideScreen.addEventListener('change', () => void suit())
  await suit()
  body.before(views)
  body.after(reach(preview))
}

/** How far the calendar's entries go. */
function reach({ events, words, locale }) {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(endOfAll(events))
  const line = document.createElement('p')
  line.className = 'reach quiet'
  line.textContent = words.reach.replace('{date}', date)
  return line
}

/** What the server knew when it wrote the page is not said beside what shows otherwise. */
function withdraw(about) {
  const section = document.querySelector('.conditions')
  section?.querySelector(`[data-about="${about}"]`)?.closest('p').remove()
  if (section && !section.querySelector('[data-about]')) section.remove()
}

async function retry(place, firstDays) {
  document.querySelector('#preview').focus()
  place.querySelector('button').remove()
  if (!firstDays) place.replaceChildren()
  await show(place)
}

function say(place, text) {
  const state = place.querySelector('[role="status"]') ?? document.createElement('p')
  state.className = 'state'
  state.setAttribute('role', 'status')
  state.hidden = false
  state.textContent = text
  place.prepend(state)
  return state
}

/** The last word on it, in the same place, which screen readers watch. */
function settle(state, text) {
  state.hidden = false
  state.className = 'outcome'
  state.textContent = text
}

function button(text, act) {
  const control = document.createElement('button')
  control.type = 'button'
  control.className = 'plain'
  control.textContent = text
  control.addEventListener('click', act)
  return control
}
