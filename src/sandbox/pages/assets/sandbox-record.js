/* The record that stands open: its form, the changes of one press, and what came of the last. */
import { changesOf, leaveNextWeek } from './sandbox-actions.js'
import { openCalendar } from './sandbox-calendar.js'
import { ask, curl, pathOf } from './sandbox-client.js'
import { element, find, onPress, onSubmit, say, showCopied } from './sandbox-elements.js'
import { JsonForm } from './sandbox-form.js'
import { kinds } from './sandbox-kinds.js'
import { changedMeanwhile } from './sandbox-meanwhile.js'

const outcome = find('#outcome [role="status"]')
const undo = find('#undo')
const calendar = find('#calendar')

let subject
let form
let takeBack
let tell

/** `changed` is told of each record that became another, and of what. */
export function startRecord(changed) {
  tell = changed
  form = new JsonForm(find('#record-form'), () => kinds[subject.kind].fields(subject.people))
  onSubmit(find('#record-form'), save)
  onPress(undo, () => takeBack())
  onPress(calendar, showCalendar)
}

export function openRecord(opened) {
  forgetOutcome()
  show(opened)
}

/** Nothing stands open; of a person's leaves one can still be added. */
export function closeRecord(left) {
  forgetOutcome()
  subject = left
  find('#record').hidden = !left
  if (left) drawEmpty()
}

function show(opened) {
  subject = opened
  const { company, kind, record, people } = subject
  find('#record').hidden = false
  find('#record-form').hidden = false
  find('#record-title').textContent = kinds[kind].title(record, people)
  find('#record-address').textContent = `${company}/${kind}/${record.id}`
  drawActions()
  nameCalendar()
  form.show(record)
}

function drawEmpty() {
  const { company, kind } = subject
  find('#record-form').hidden = true
  find('#record-title').textContent = `No ${kinds[kind].one} is open`
  find('#record-address').textContent = `${company}/${kind}`
  drawActions()
  nameCalendar()
}

function drawActions() {
  const { kind, record } = subject
  const controls = record
    ? changesOf(kind).map(({ text, done, made, isNeedless }) =>
        action(text, () => put(done, made(form.value ?? record)), isNeedless(record)),
      )
    : []
  if (kind === 'leaves' && whose() !== undefined) {
    controls.push(action('Add a leave next week', () => add(leaveNextWeek(whose()))))
  }
  if (record) controls.push(action('Delete', remove))
  const focused = [...find('#actions').children].indexOf(document.activeElement)
  find('#actions').replaceChildren(...controls)
  if (focused < 0) return
  const near = find('#actions').children[focused]
  if (near && !near.disabled) near.focus()
  else find('#record-title').focus()
}

function action(text, act, isNeedless = false) {
  const className = text === 'Delete' ? 'plain small danger' : 'plain small'
  const control = element('button', {
    type: 'button',
    className,
    textContent: text,
    disabled: isNeedless,
  })
  onPress(control, act)
  return control
}

/** Of whom a calendar shows it: of whom it is, else who is chosen. */
function whose() {
  const { kind, record, person } = subject
  const own = record && kinds[kind].whose?.(record)
  return own ?? (person === '' ? undefined : person)
}

function nameCalendar() {
  const user = subject.people.find(({ id }) => id === whose())
  calendar.hidden = subject.company !== 'main' || whose() === undefined
  find('#calendar-note').hidden = whose() === undefined
  find('#calendar-note').textContent = calendar.hidden
    ? 'Only people of company main have calendars here.'
    : 'A change is in the calendar as soon as it is loaded again.'
  calendar.textContent = `Open ${user?.firstName ?? whose()}’s calendar`
}

async function save() {
  const record = form.value
  if (record !== undefined) await put('Saved', record)
}

async function put(done, record) {
  const now = await changedMeanwhile(subject)
  if (now) return warn(now)
  const { record: before } = subject
  const result = await send('PUT', before.id, record)
  if (!result.isOk) return refuse(result)
  settle(done, { id: before.id, record: result.data, result, sent: record }, () =>
    put('Undone', before),
  )
}

async function add(record, done = 'Added') {
  const before = subject
  const result = await send('PUT', record.id, record)
  if (!result.isOk) return refuse(result)
  settle(done, { id: record.id, record: result.data, result, sent: record }, async () => {
    await remove()
    if (before.record) show(before)
  })
}

async function remove() {
  const { record } = subject
  const result = await send('DELETE', record.id)
  if (!result.isOk) return refuse(result)
  settle('Deleted', { id: record.id, record: null, result }, () => add(record, 'Put back'))
}

function send(method, id, body) {
  return ask(method, pathOf(subject.company, subject.kind, id), body)
}

/** What stands in the form stays; from now on it is meant to replace what there is. */
function warn(now) {
  const { kind } = subject
  subject = { ...subject, record: now }
  const notes = kinds[kind].note(now).filter(Boolean).join(', ')
  say(
    outcome,
    `Nothing is saved: elsewhere it has become ${notes}. Press again to replace that.`,
    'failed',
  )
  tell(now.id, now)
}

/** The refusal stands at the fields it is about. */
function refuse({ detail, errors }) {
  say(outcome, detail, 'failed')
  find('#outcome-curl').hidden = true
  undo.hidden = true
  form.showFaults(errors)
}

function settle(done, { id, record, result, sent }, back) {
  const { company, kind, people } = subject
  const shown = record ?? subject.record
  const title = kinds[kind].title(shown, people)
  show({ ...subject, record: shown })
  if (!record) withdraw()
  const notes = record ? `, ${kinds[kind].note(record).filter(Boolean).join(', ')}` : ''
  say(outcome, `${done}: ${title}${notes} (${result.status}).`, 'done')
  showCopied(
    find('#outcome-curl'),
    curl(record ? 'PUT' : 'DELETE', pathOf(company, kind, id), sent),
  )
  takeBack = back
  undo.hidden = done === 'Undone'
  tell(id, record)
}

/** What is deleted can be put back, but not changed. */
function withdraw() {
  find('#record-form').hidden = true
  for (const control of find('#actions').children) control.disabled = true
}

function forgetOutcome() {
  say(outcome, '')
  find('#outcome-curl').hidden = true
  undo.hidden = true
}

async function showCalendar() {
  const failure = await openCalendar(subject, whose())
  if (failure) say(outcome, failure.text, failure.tone)
}
