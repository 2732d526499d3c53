/* Shows the same calendar that programs subscribe to: as a list on a narrow screen, otherwise as a month. */
import { readEvents } from './preview-events.js'
import { showList } from './preview-list.js'
import { showMonth } from './preview-month.js'
import { endOfAll } from './preview-times.js'

const wideScreen = matchMedia('(min-width: 48rem)')
/** Shows other events in the view and month that the reader has chosen. */
let redraw

const calendar = document.querySelector('#calendar')
if (calendar) {
  document.addEventListener('autosaved', () => void renew(calendar))
  await show(calendar)
  // The new content can push the message out of sight in browsers without scroll anchoring.
  document.querySelector('#saved:focus')?.scrollIntoView({ block: 'nearest' })
}

/** The first days, which the server rendered, stay until the whole calendar is loaded. */
async function show(place) {
  const words = JSON.parse(place.dataset.words)
  const firstDays = place.querySelector('[data-first-days]')
  const state = firstDays ? place.querySelector('[role="status"]') : say(place, words.loading)
  try {
    const events = await eventsOf(place.dataset)
    if (events.length > 0) {
      if (place.dataset.address) withdraw('nothing_shown')
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

/** Reloads the calendar in the same view and month; the former one stays until then. */
async function renew(place) {
  try {
    const events = await eventsOf(place.dataset)
    if (redraw && events.length > 0) {
      await redraw(events)
      return
    }
  } catch {
    // `show` tries once more, and says so if that fails.
  }
  redraw = undefined
  place.replaceChildren()
  await show(place)
}

/** Keeps the first days that the server rendered. */
function fail(place, state, words, firstDays) {
  const again = button(words.retry, () => void retry(place, firstDays))
  settle(state, firstDays ? words.onlyWeek : words.failed)
  place.replaceChildren(...(firstDays ? [firstDays] : []), state, again)
}

/** From now on, times follow the clock of the device. */
function sayWhere() {
  const hint = document.querySelector('[data-here]')
  hint.textContent = hint.dataset.here
}

/** What others see is in the page itself. */
async function eventsOf({ calendar: text, address }) {
  return text === undefined ? fetchEvents(address) : readEvents(text)
}

/** Revalidates the browser's cache, so that a reader who just saved sees the change. Unchanged, the response is a 304. */
async function fetchEvents(address) {
  const response = await fetch(address, { cache: 'no-cache' })
  if (!response.ok) throw new Error(String(response.status))
  return readEvents(await response.text())
}

/** The day to start at, if the address ends in one (`#2026-12-08`). */
function wantedDay() {
  const found = /^#(\d{4})-(\d\d)-(\d\d)$/.exec(location.hash)
  if (!found) return null
  const [year, month, day] = found.slice(1).map(Number)
  return new Date(year, month - 1, day)
}

/** How the reader writes times, and the calendar's language if it differs from the page's. */
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
    // Falls back to the list without the widget's files.
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
  const reach = document.createElement('p')
  reach.className = 'reach quiet'
  reach.textContent = reachText(preview)
  body.after(reach)
  redraw = async (events) => {
    preview.events = events
    reach.textContent = reachText(preview)
    await choose(chosen)
  }
}

/** Names the date of the last entry. */
function reachText({ events, words, locale }) {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(endOfAll(events))
  return words.reach.replace('{date}', date)
}

/** Removes a message of the server that the loaded calendar contradicts. */
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

/** Shows the final state in the same element, which screen readers watch. */
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
