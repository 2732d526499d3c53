/* The controls for people: unlocked at once, or with the admin token. Records and behaviours are edited as JSON. */
const patienceMs = 70_000
const recordsMax = 1000
const dayMs = 86_400_000
const find = (selector) => document.querySelector(selector)
const facts = JSON.parse(find('[data-facts]').dataset.facts)

/* Requests */

let token = ''

/** Returns `{ isOk, status, data, detail, errors }`; the status is 0 if the sandbox does not respond. */
async function ask(method, path, body) {
  const headers = { Accept: 'application/json' }
  if (token !== '') headers.Authorization = `Bearer ${token}`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const sent = { method, headers, signal, body: body && JSON.stringify(body) }
    const response = await fetch(`/sandbox${path}`, sent)
    const text = await response.text()
    const { data, detail, errors = [] } = text === '' ? {} : JSON.parse(text)
    const { ok: isOk, status } = response
    return { isOk, status, data, detail: detail ?? `It answered ${status}.`, errors }
  } catch {
    const detail = `Nothing answers at ${location.origin}. Start the sandbox again (npm start), then try again.`
    return { isOk: false, status: 0, detail, errors: [] }
  }
}

function pathOf(...steps) {
  return `/companies/${steps.map((step) => encodeURIComponent(step)).join('/')}`
}

function curl(method, path, body) {
  const bears = token === '' ? '' : ' -H "Authorization: Bearer $ADMIN_TOKEN"'
  const start = `curl -X ${method}${bears} ${quoted(`${location.origin}/sandbox${path}`)}`
  if (body === undefined) return start
  return `${start} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`
}

function quoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/* Elements */

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** Writes to a live region for screen readers; `tone` is `done`, `failed` or empty. */
function say(place, text, tone = '') {
  place.textContent = text
  place.dataset.tone = tone
}

async function whileBusy(control, act) {
  if (control.hasAttribute('aria-busy')) return
  control.setAttribute('aria-busy', 'true')
  try {
    await act()
  } finally {
    control.removeAttribute('aria-busy')
  }
}

function onPress(control, act) {
  control.addEventListener('click', () => void whileBusy(control, act))
}

function onSubmit(form, act) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void whileBusy(form.querySelector('[type="submit"]'), act)
  })
}

function button(text, act, className = 'plain small') {
  const made = element('button', { type: 'button', className, textContent: text })
  onPress(made, act)
  return made
}

function fill(select, options, chosen) {
  const all = options.map((it) => [it].flat())
  select.replaceChildren(
    ...all.map(([value, text = value]) => element('option', { value, textContent: text })),
  )
  select.value = chosen
}

function showCopied(place, text) {
  place.hidden = false
  place.querySelector('code').textContent = text
}

for (const control of document.querySelectorAll('[data-copy]')) {
  const usual = control.textContent
  onPress(control, async () => {
    const code = control.closest('.copied').querySelector('code')
    try {
      await navigator.clipboard.writeText(code.textContent)
      control.textContent = 'Copied'
    } catch {
      // If the browser denies copying, select the text instead.
      getSelection().selectAllChildren(code)
      control.textContent = 'Selected'
    }
    setTimeout(() => (control.textContent = usual), 2000)
  })
}

/** Parses the text; if it is not JSON, shows a message beside it and returns undefined. */
function valueOf(text) {
  const fault = find(`#${text.id}-fault`)
  try {
    const value = JSON.parse(text.value)
    fault.textContent = ''
    return value
  } catch (error) {
    fault.textContent = `This is not JSON: ${error.message}.`
    text.focus()
    return undefined
  }
}

function showValue(text, value) {
  text.value = JSON.stringify(value, null, 2)
  showFaults(text, [])
}

function showFaults(text, errors) {
  const said = errors.map(({ pointer, detail }) => `${pointer}: ${detail}`)
  find(`#${text.id}-fault`).textContent = said.join(' ')
}

/* Kinds of records: how a list shows each, which calendar shows it, and its quick changes */

const day = (value) => (typeof value === 'string' ? value.slice(0, 10) : 'no date')
const span = (from, to) => (day(from) === day(to) ? day(from) : `${day(from)} to ${day(to)}`)
const activity = ({ isActive }) => (isActive === false ? 'inactive' : 'active')
const later = (text) =>
  Number.isFinite(Date.parse(text)) ? new Date(Date.parse(text) + dayMs).toISOString() : text
const becomes = (text, done, status) => ({
  text,
  done,
  made: (record) => ({ ...record, status }),
  isNeedless: (record) => record.status === status,
})
const due = {
  text: 'Due a day later',
  done: 'Put off by a day',
  made: (record) => ({ ...record, dueDate: later(record.dueDate) }),
}
const active = (text, done, isActive) => ({
  text,
  done,
  made: (record) => ({ ...record, isActive }),
  isNeedless: (record) => (record.isActive !== false) === isActive,
})
const onAndOff = [active('Deactivate', 'Deactivated', false), active('Activate', 'Activated', true)]

let people = []

function nameOf(id) {
  const { firstName, lastName } = people.find((it) => it.id === id) ?? {}
  return [firstName, lastName].filter(Boolean).join(' ') || String(id)
}

const kinds = {
  leaves: {
    title: ({ userId, leaveType }) => `${nameOf(userId)}: ${leaveType?.name ?? 'Leave'}`,
    note: ({ startDate, endDate, status, reason }) => [span(startDate, endDate), status, reason],
    when: ({ startDate }) => startDate,
    userIdOf: ({ userId }) => userId,
    changes: [
      becomes('Approve', 'Approved', 'APPROVED'),
      {
        text: 'Move by a day',
        done: 'Moved by a day',
        made: (it) => ({ ...it, startDate: later(it.startDate), endDate: later(it.endDate) }),
      },
      becomes('Cancel', 'Cancelled', 'CANCELLED'),
    ],
  },
  timesheets: {
    title: ({ userId }) => `${nameOf(userId)}: Timesheet`,
    note: ({ periodStart, periodEnd, status }) => [span(periodStart, periodEnd), status],
    when: ({ periodStart }) => periodStart,
    userIdOf: ({ userId }) => userId,
    changes: [
      becomes('Submit', 'Submitted', 'SUBMITTED'),
      becomes('Approve', 'Approved', 'APPROVED'),
    ],
  },
  tasks: {
    title: ({ title, id }) => title ?? id,
    note: ({ dueDate, status, assignees }) => [
      `due ${day(dueDate)}`,
      status,
      (assignees ?? []).map((it) => it.firstName ?? it.id).join(', '),
    ],
    when: ({ dueDate }) => dueDate,
    userIdOf: ({ assignees }) => assignees?.[0]?.id,
    isOf: ({ assignees }, id) => (assignees ?? []).some((it) => it.id === id),
    changes: [due, becomes('Finish', 'Finished', 'DONE')],
  },
  schedules: {
    title: ({ name, id }) => name ?? id,
    note: (it) => [it.type ?? 'FIXED', activity(it)],
    changes: onAndOff,
  },
  users: {
    title: ({ id }) => nameOf(id),
    note: (it) => [it.position, activity(it)],
    userIdOf: ({ id }) => id,
    changes: onAndOff,
  },
  invoices: {
    title: ({ invoiceNumber, id }) => invoiceNumber ?? id,
    note: ({ dueDate, status, recipient }) => [`due ${day(dueDate)}`, status, recipient?.name],
    when: ({ dueDate }) => dueDate,
    changes: [due, becomes('Mark as paid', 'Marked as paid', 'PAID')],
  },
}

const plainKind = { title: ({ name, id }) => name ?? id, note: (it) => [it.status], changes: [] }

function shownKind() {
  return kinds[kind.value] ?? plainKind
}

/* The choice of company, kind and record */

const [company, kind, person] = ['#company', '#kind', '#person'].map(find)
const listState = find('#list-state')
let records = []

async function startRecords() {
  const { isOk, data, detail } = await ask('GET', '/companies')
  if (!isOk) return say(listState, detail, 'failed')
  fill(company, data, data.includes('main') ? 'main' : data[0])
  fill(kind, [...new Set([...Object.keys(kinds), ...facts.kinds])], 'leaves')
  company.addEventListener('change', () => void chooseCompany())
  for (const choice of [kind, person]) choice.addEventListener('change', () => void showList())
  onSubmit(find('#by-id'), async () => {
    const id = find('#record-id').value.trim()
    const found = await ask('GET', pathOf(company.value, kind.value, id))
    say(listState, found.isOk ? '' : found.detail, 'failed')
    if (found.isOk) open(found.data)
  })
  onSubmit(find('#record-form'), async () => {
    const value = valueOf(recordText)
    if (value !== undefined) await put('Saved', value)
  })
  await chooseCompany()
}

/** Reloads everything, also after a reset. */
async function chooseCompany() {
  const { isOk, data, detail } = await ask('GET', `${pathOf(company.value, 'users')}?limit=1000`)
  if (!isOk) return say(listState, detail, 'failed')
  for (const it of document.querySelectorAll('[data-company]')) it.textContent = company.value
  people = data
  const known = people.some(({ id }) => id === person.value) ? person.value : undefined
  const first = company.value === 'main' ? people[0]?.id : undefined
  fill(
    person,
    [['', 'Everybody'], ...people.map(({ id }) => [id, nameOf(id)])],
    known ?? first ?? '',
  )
  await showList()
}

async function showList() {
  const { isOf, userIdOf, when = () => '' } = shownKind()
  find('#person-choice').hidden = !userIdOf || kind.value === 'users'
  const isByUser = userIdOf && !isOf && kind.value !== 'users' && person.value !== ''
  const of = isByUser ? `&userId=${encodeURIComponent(person.value)}` : ''
  const read = await ask('GET', `${pathOf(company.value, kind.value)}?limit=${recordsMax}${of}`)
  records = (read.data ?? []).filter((it) => !isOf || !person.value || isOf(it, person.value))
  const isCut = read.data?.length === recordsMax
  find('#list-note').textContent = isCut ? `The first ${recordsMax}. Open any other by its id.` : ''
  const emptiness = records.length === 0 ? `There are no ${kind.value} here.` : ''
  say(listState, read.isOk ? emptiness : read.detail, read.isOk ? '' : 'failed')
  drawList()
  // Opens an upcoming record, preferably a pending one: people most likely want to change that.
  const today = new Date().toISOString().slice(0, 10)
  const coming = records.filter((it) => (when(it) ?? '') >= today)
  open(coming.findLast(({ status }) => status === 'PENDING') ?? coming.at(-1) ?? records[0])
}

function drawList() {
  const { title, note, when = () => '' } = shownKind()
  records.sort((one, other) => String(when(other)).localeCompare(String(when(one))))
  const rows = records.map((record) => {
    const row = button('', () => open(record), '')
    const notes = note(record).filter(Boolean).join(' · ')
    row.append(element('strong', { textContent: title(record) }), ` ${notes}`)
    row.setAttribute('aria-pressed', record.id === opened?.id)
    return element('li', {}, row)
  })
  find('#list').replaceChildren(...rows)
}

/* The open record */

const recordText = find('#record-json')
const outcome = find('#outcome [role="status"]')
const [undo, calendar] = ['#undo', '#calendar'].map(find)
let opened
let takeBack
onPress(undo, () => takeBack())
onPress(calendar, openCalendar)

function open(record) {
  say(outcome, '')
  say(listState, listState.dataset.tone === 'failed' ? '' : listState.textContent)
  find('#outcome-curl').hidden = true
  undo.hidden = true
  show(record)
}

function show(record, isDeleted = false) {
  opened = record
  drawList()
  find('#list [aria-pressed="true"]')?.scrollIntoView({ block: 'nearest' })
  find('#record').hidden = false
  find('#record-form').hidden = !record || isDeleted
  find('#record-title').textContent = record ? shownKind().title(record) : 'No record is open'
  find('#record-address').textContent = [company.value, kind.value, record?.id]
    .filter(Boolean)
    .join('/')
  if (record) showValue(recordText, record)
  const focused = [...find('#actions').children].indexOf(document.activeElement)
  const actions = record && !isDeleted ? shownKind().changes.map(actionOf) : []
  if (kind.value === 'leaves' && shownUserId() !== undefined) {
    actions.push(button('Add a leave next week', () => add(leaveNextWeek(shownUserId()))))
  }
  if (record && !isDeleted) actions.push(button('Delete', remove, 'plain small danger'))
  find('#actions').replaceChildren(...actions)
  const near = focused < 0 ? undefined : (actions[focused] ?? find('#record-title'))
  if (near) (near.disabled ? find('#record-title') : near).focus()
  const name = people.find(({ id }) => id === shownUserId())?.firstName ?? shownUserId()
  calendar.hidden = company.value !== 'main' || shownUserId() === undefined
  calendar.textContent = `Open ${name}’s calendar`
}

function actionOf({ text, done, made, isNeedless = () => false }) {
  const control = button(text, async () => {
    const value = valueOf(recordText)
    if (value !== undefined) await put(done, made(value))
  })
  control.disabled = isNeedless(opened)
  return control
}

/** The person for the calendar link: the record's, otherwise the chosen one. */
function shownUserId() {
  const own = opened && shownKind().userIdOf?.(opened)
  return own ?? (person.value === '' ? undefined : person.value)
}

function send(method, id, body) {
  return ask(method, pathOf(company.value, kind.value, id), body)
}

async function put(done, value) {
  const before = opened
  const { isOk, data: now } = await send('GET', before.id)
  if (isOk && ordered(now) !== ordered(before)) {
    opened = now
    const notes = shownKind().note(now).filter(Boolean).join(', ')
    const text = `Nothing is saved: elsewhere it has become ${notes}. Press again to replace that.`
    return say(outcome, text, 'failed')
  }
  const result = await send('PUT', before.id, value)
  settle(done, result, { id: before.id, sent: value }, () => put('Undone', before))
}

async function add(value, done = 'Added') {
  const result = await send('PUT', value.id, value)
  settle(done, result, { id: value.id, sent: value }, remove)
}

async function remove() {
  const before = opened
  const result = await send('DELETE', before.id)
  settle('Deleted', result, { id: before.id }, () => add(before, 'Put back'))
}

function settle(done, { isOk, status, data, detail, errors }, { id, sent }, back) {
  undo.hidden = !isOk || done === 'Undone'
  find('#outcome-curl').hidden = !isOk
  if (!isOk) {
    say(outcome, detail, 'failed')
    return showFaults(recordText, errors)
  }
  const isDeleted = sent === undefined
  records = records.filter((it) => it.id !== id)
  if (!isDeleted) records.push(data)
  if (kind.value === 'users') people = people.map((it) => (it.id === id ? (data ?? it) : it))
  show(isDeleted ? opened : data, isDeleted)
  const { title, note } = shownKind()
  const notes = isDeleted ? [] : note(data).filter(Boolean)
  say(outcome, `${done}: ${[title(opened), ...notes].join(', ')} (${status}).`, 'done')
  showCopied(
    find('#outcome-curl'),
    curl(isDeleted ? 'DELETE' : 'PUT', pathOf(company.value, kind.value, id), sent),
  )
  takeBack = back
}

/** Serializes with sorted keys, so that comparisons ignore the order of members. */
function ordered(value) {
  return JSON.stringify(value, (_name, it) =>
    it === null || typeof it !== 'object' || Array.isArray(it)
      ? it
      : Object.fromEntries(Object.entries(it).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
}

function leaveNextWeek(userId) {
  const now = new Date()
  const days = 7 - ((now.getUTCDay() + 6) % 7)
  const monday = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days)
  return {
    id: `lv_${crypto.randomUUID().slice(0, 8)}`,
    userId,
    startDate: new Date(monday).toISOString(),
    endDate: new Date(monday + 4 * dayMs).toISOString(),
    days: 5,
    status: 'APPROVED',
    reason: 'Added in the sandbox',
    leaveType: { name: 'Annual leave', category: 'ANNUAL' },
  }
}

/**
 * Opens the tab during the click, because browsers block it later; the address follows. The calendar opens at the record's
 * day.
 */
async function openCalendar() {
  const tab = window.open('about:blank')
  const { isOk, data, status } = await ask(
    'POST',
    `${pathOf(company.value, 'users', shownUserId())}/calendar`,
  )
  if (!isOk) {
    tab?.close()
    const none = `No calendar of ${nameOf(shownUserId())} is shown by this program: npm start runs one that shows calendars of this company.`
    return say(
      outcome,
      status === 404 ? none : 'The calendar could not be opened. Try again.',
      'failed',
    )
  }
  const when = opened && shownKind().when?.(opened)
  const address = when ? `${data.page}#${day(when)}` : data.page
  if (!tab) return say(outcome, `The browser let no tab open. The calendar is at ${address}`)
  tab.opener = null
  tab.location = address
}

/* The imitated behaviour */

const behaviourText = find('#behaviour-json')
const behaviourState = find('#behaviour-state')
const everyFault = (fault) => facts.operations.map((operation) => ({ operation, ...fault }))
const presets = {
  'As it is': {},
  'Down: every operation 503': { faults: everyFault({ status: 503, rate: 1 }) },
  'Slow: 2 s': { latencyMs: 2000 },
  'Half of the requests 429': { faults: everyFault({ status: 429, rate: 0.5, retryAfter: 5 }) },
  'Leaves filter ignored': { filters: { leaves: 'ignored' } },
  'Asks for a bearer token': { auth: 'bearer:secret' },
  'Pages of 2 by Link': { pagination: 'link', pageSize: 2 },
}

async function startBehaviour() {
  find('#presets').append(
    ...Object.entries(presets).map(([text, behaviour]) => button(text, () => imitate(behaviour))),
  )
  onSubmit(find('#behaviour-form'), async () => {
    const behaviour = valueOf(behaviourText)
    if (behaviour !== undefined) await imitate(behaviour)
  })
  for (const control of document.querySelectorAll('[data-end]')) onPress(control, () => imitate({}))
  const { isOk, data, detail } = await ask('GET', '/behaviour')
  if (isOk) showBehaviour(data)
  else say(behaviourState, detail, 'failed')
}

async function imitate(behaviour) {
  const { isOk, data, detail, errors } = await ask('PUT', '/behaviour', behaviour)
  if (!isOk) {
    say(behaviourState, detail, 'failed')
    return showFaults(behaviourText, errors)
  }
  // The sandbox returns only the kind of a credential, so the one typed here stays visible.
  showBehaviour(behaviour.auth ? { ...data, auth: behaviour.auth } : data)
  const isEnded = Object.keys(data).length === 0
  say(behaviourState, isEnded ? 'Ended: it behaves as usual.' : 'Set.', 'done')
  showCopied(find('#behaviour-curl'), curl('PUT', '/behaviour', behaviour))
}

function showBehaviour(behaviour) {
  const text = JSON.stringify(behaviour)
  find('#banner').hidden = text === '{}'
  find('#banner [data-words]').textContent = text
  for (const control of find('#presets').children) {
    control.setAttribute('aria-pressed', JSON.stringify(presets[control.textContent]) === text)
  }
  showValue(behaviourText, behaviour)
  const { auth = find('#token') ? 'bearer:KEY' : undefined, pagination, parameters } = behaviour
  const lines = Object.entries({
    WORKFORCE_BASE_URL: location.origin,
    WORKFORCE_TIMEZONE: 'Europe/Berlin',
    WORKFORCE_AUTH: auth,
    WORKFORCE_PAGINATION: pagination,
    WORKFORCE_PARAMS: parameters,
  }).filter(([, value]) => value !== undefined)
  showCopied(
    find('#settings'),
    lines
      .map(
        ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      .join('\n'),
  )
}

/* The last requests, and the reset */

async function refresh() {
  const { isOk, data, detail } = await ask('GET', '/requests?limit=50')
  say(find('#requests-state'), isOk ? '' : detail, isOk ? '' : 'failed')
  if (!isOk) return
  find('#no-requests').hidden = data.length > 0
  find('#request-rows').replaceChildren(
    ...data.map(({ at, method, path, status, durationMs, companyId, operation, client }) => {
      const [time, asked] = [`${at.slice(11, 19)} UTC`, `${method} ${path}`]
      const cells = [time, asked, status ?? 'gone', durationMs, companyId, operation, client]
      return element('tr', {}, ...cells.map((value) => element('td', { textContent: value ?? '' })))
    }),
  )
}

function startReset() {
  const dialog = find('#reset-dialog')
  find('#reset-open').addEventListener('click', () => {
    const after =
      company.value === 'main'
        ? 'It becomes the sample of today; a company that you imported into it is gone'
        : 'It becomes what was imported last'
    find('#reset-goes').textContent = `Undo every change to ${company.value}. ${after}.`
    dialog.showModal()
  })
  find('#reset-cancel').addEventListener('click', () => dialog.close())
  onPress(find('#reset-confirm'), async () => {
    const { isOk, detail } = await ask('POST', `${pathOf(company.value)}/reset`)
    dialog.close()
    if (!isOk) return say(find('#reset-state'), detail, 'failed')
    await chooseCompany()
    say(find('#reset-state'), `Company ${company.value} is as it was loaded.`, 'done')
  })
}

async function unlock() {
  for (const it of document.querySelectorAll('[data-unlocked], [data-end]')) it.hidden = false
  startReset()
  onPress(find('#refresh'), refresh)
  await Promise.all([startRecords(), startBehaviour(), refresh()])
}

const lock = find('#token')
if (lock) {
  lock.hidden = false
  onSubmit(lock, async () => {
    const state = find('#token-state')
    token = find('#token-field').value.trim()
    // RFC 6750 section 2.1: the header cannot contain other characters.
    const isToken = /^[\x21-\x7e]+$/.test(token)
    if (!isToken) return say(state, 'A token has no spaces and no accents.', 'failed')
    const { isOk, status, detail } = await ask('GET', '/companies')
    if (!isOk) return say(state, status === 401 ? 'This is not the admin token.' : detail, 'failed')
    lock.hidden = true
    await unlock()
    find('#content').focus()
  })
} else await unlock()
