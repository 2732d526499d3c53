/*
 * The calendar as a list: one week from today, or from the requested day if that is later. The button adds one more week,
 * then 30 days at a time.
 */
import { openEvent } from './preview-dialog.js'
import { dayText, isSameYear, timeText } from './preview-times.js'

/** A team's calendar may have thousands of entries in one week. */
const entriesMax = 200
/** Whole days with so many entries leave room for the rest of the page on a phone; the server sends the same. */
const entriesFirst = 8

export function showList(body, preview) {
  const { words } = preview
  const today = startOfDay(new Date())
  const entries = entriesFrom(preview.events, today)
  const list = element('div', 'list')
  const more = element('button', 'plain more', words.more)
  more.type = 'button'
  body.replaceChildren(list, more)
  let end = daysAfter(preview.day > today ? preview.day : today, 7)
  let shown = 0
  let step = 7
  const addDays = () => {
    const until = entries.filter(({ day }) => day < end).length
    const isFirst = shown === 0 && !preview.day
    const count = isFirst ? firstCount(entries, until) : Math.min(until, shown + entriesMax)
    const added = dayGroups(entries.slice(shown, count), preview, today)
    list.append(...added)
    shown = count
    more.hidden = shown === entries.length
    return added[0]
  }
  if (!addDays()) {
    list.append(element('p', 'outcome', entries.length > 0 ? words.emptyWeek : words.emptyAhead))
  }
  if (preview.day) headingFrom(list, preview.day)?.scrollIntoView({ block: 'center' })
  more.addEventListener('click', () => {
    // Skips periods without entries.
    while (entries[shown].day >= end) end = daysAfter(end, step)
    step = 30
    addDays().querySelector('h3').focus()
  })
}

/** Counts the entries of the first whole days, or of one day with more than fit. */
function firstCount(entries, until) {
  if (until <= entriesFirst) return until
  const next = entries[entriesFirst].day.getTime()
  const whole = entries.findIndex(({ day }) => day.getTime() === next)
  return whole > 0 ? whole : entriesFirst
}

function headingFrom(list, day) {
  return [...list.querySelectorAll('h3')].find(({ dataset }) => Number(dataset.time) >= day)
}

/** Returns the events that are not over, once each: under their first day, or under today if they began earlier. */
function entriesFrom(events, today) {
  const entries = events
    .filter(({ end }) => end > today)
    .map((event) => ({ event, day: event.start < today ? today : startOfDay(event.start) }))
  // In place: some browsers that employees still use lack toSorted.
  entries.sort(
    (one, other) =>
      one.day - other.day ||
      Number(other.event.allDay) - Number(one.event.allDay) ||
      one.event.start - other.event.start,
  )
  return entries
}

function dayGroups(entries, preview, today) {
  const groups = new Map()
  for (const { day, event } of entries) {
    const group = groups.get(day.getTime()) ?? dayGroup(day, preview, today)
    groups.set(day.getTime(), group)
    group.lastElementChild.append(item(event, preview, today))
  }
  return [...groups.values()]
}

function dayGroup(day, preview, today) {
  const group = element('div', 'day')
  const heading = element('h3', '', headingText(day, preview, today))
  heading.tabIndex = -1
  heading.dataset.time = day.getTime()
  group.append(heading, element('ul'))
  return group
}

function headingText(day, { words, locale }, today) {
  const text = dayText(day, locale, !isSameYear(day, today))
  return day.getTime() === today.getTime() ? `${words.today}, ${text}` : text
}

function item(event, preview, today) {
  const entry = element('li')
  entry.dataset.uid = event.uid
  entry.dataset.kind = event.kind
  const title = element(event.description === '' ? 'span' : 'button', 'title', event.title)
  title.lang = preview.language
  if (event.description !== '') {
    title.type = 'button'
    title.setAttribute('aria-haspopup', 'dialog')
    title.addEventListener('click', () => openEvent(event, preview))
  }
  entry.append(element('span', 'time', timeText(event, preview, today)), title)
  return entry
}

function startOfDay(instant) {
  return new Date(instant.getFullYear(), instant.getMonth(), instant.getDate())
}

/** Counts calendar days, since a day may have 23 or 25 hours. */
function daysAfter(day, count) {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + count)
}

function element(name, className = '', text = '') {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}
