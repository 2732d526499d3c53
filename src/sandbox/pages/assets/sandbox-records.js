/* Which record of which company: three choices, a list, and whatever was chosen in it. */
import { ask, pathOf } from './sandbox-client.js'
import { element, fill, find, onSubmit, say } from './sandbox-elements.js'
import { kinds, nameOf } from './sandbox-kinds.js'
import { closeRecord, openRecord, startRecord } from './sandbox-record.js'

const peopleMax = 1000
const recordsMax = 200
const tasksMax = 1000

const [company, kind, person] = ['#company', '#kind', '#person'].map(find)
const list = find('#list')
const state = find('#list-state')

let people = []
let records = []

/** Fills the choices; they act from then on. */
export async function startRecords() {
  const { isOk, data, detail } = await ask('GET', '/companies')
  if (!isOk) return say(state, detail, 'failed')
  fill(company, data, data.includes('main') ? 'main' : data[0])
  fill(kind, ['leaves', ...Object.keys(kinds).filter((it) => it !== 'leaves')], 'leaves')
  company.addEventListener('change', () => void chooseCompany())
  kind.addEventListener('change', () => void showList())
  person.addEventListener('change', () => void showList())
  onSubmit(find('#by-id'), openById)
  startRecord(afterChange)
  await chooseCompany()
}

/** Reads everything again, as after a reset. */
export async function chooseCompany() {
  const chosen = person.value
  const { isOk, data, detail } = await ask(
    'GET',
    `${pathOf(company.value, 'users')}?limit=${peopleMax}`,
  )
  if (!isOk) return say(state, detail, 'failed')
  for (const it of document.querySelectorAll('[data-company]')) it.textContent = company.value
  people = data
  const names = people.map(({ id }) => [id, nameOf(people, id)])
  const isKnown = chosen !== '' && people.some(({ id }) => id === chosen)
  fill(person, [['', 'Everybody'], ...names], isKnown ? chosen : firstOf(company.value))
  await showList()
}

/** Of the sample's company one person; of others it is not known who has anything. */
function firstOf(id) {
  return id === 'main' ? (people[0]?.id ?? '') : ''
}

async function showList() {
  const { isOf, whose } = kinds[kind.value]
  find('#person-choice').hidden = !whose || kind.value === 'users'
  const result = await readList()
  if (!result.isOk) {
    list.replaceChildren()
    closeRecord()
    return say(state, result.detail, 'failed')
  }
  const isShown = (it) => !isOf || person.value === '' || isOf(it, person.value)
  records = result.data.filter(isShown).toSorted(byTime)
  find('#list-note').textContent = whatIsMissing(result.data)
  say(state, records.length === 0 ? emptiness() : '')
  draw()
  const next = nextToCome()
  if (next) open(next)
  else closeRecord(subject())
}

function emptiness() {
  return find('#person-choice').hidden || person.value === ''
    ? `There are no ${kind.value} here.`
    : `${nameOf(people, person.value)} has no ${kind.value}.`
}

/** Of a large company not all stands here. */
function whatIsMissing(data) {
  const parts = [
    data.length < limitOf() ? '' : `These are the first ${limitOf()} of the list.`,
    people.length < peopleMax ? '' : `Of the people the first ${peopleMax} can be chosen.`,
  ].filter(Boolean)
  return parts.length === 0 ? '' : `${parts.join(' ')} Any other record opens by its id.`
}

function readList() {
  const isByUser = kind.value === 'leaves' || kind.value === 'timesheets'
  const of = isByUser && person.value !== '' ? `&userId=${encodeURIComponent(person.value)}` : ''
  return ask('GET', `${pathOf(company.value, kind.value)}?limit=${limitOf()}${of}`)
}

function limitOf() {
  if (kind.value === 'users') return peopleMax
  return kind.value === 'tasks' ? tasksMax : recordsMax
}

function byTime(one, other) {
  const { when = () => '' } = kinds[kind.value]
  return String(when(other) ?? '').localeCompare(String(when(one) ?? ''))
}

/** What a calendar shows next is what one wants to change, above all where it waits for somebody. */
function nextToCome() {
  const { when = () => '' } = kinds[kind.value]
  const today = new Date().toISOString().slice(0, 10)
  const coming = records.filter((it) => (when(it) ?? '') >= today)
  return coming.findLast(({ status }) => status === 'PENDING') ?? coming.at(-1) ?? records[0]
}

function draw(chosen) {
  const { title, note } = kinds[kind.value]
  list.replaceChildren(
    ...records.map((record) => {
      const notes = note(record).filter(Boolean)
      const row = element(
        'button',
        {
          type: 'button',
          data: { id: record.id },
          attributes: { 'aria-pressed': record.id === chosen },
        },
        element('strong', { textContent: title(record, people) }),
        element('span', { textContent: notes.join(' · ') }),
      )
      row.addEventListener('click', () => {
        say(state, '')
        open(record)
        find('#record-title').scrollIntoView({ block: 'nearest' })
      })
      return element('li', {}, row)
    }),
  )
}

function open(record) {
  for (const row of list.querySelectorAll('button')) {
    row.setAttribute('aria-pressed', row.dataset.id === record.id)
  }
  showChosen()
  openRecord({ ...subject(), record })
}

/** Moves the list, and nothing but it. */
function showChosen() {
  const row = list.querySelector('[aria-pressed="true"]')
  if (!row) return
  const below = row.getBoundingClientRect().top - list.getBoundingClientRect().top
  list.scrollTop += below - list.clientHeight / 2
}

/** Whose records these are, of what kind. */
function subject() {
  return { company: company.value, kind: kind.value, person: person.value, people }
}

async function openById() {
  const id = find('#record-id').value.trim()
  const { isOk, data, detail } = await ask('GET', pathOf(company.value, kind.value, id))
  say(state, isOk ? '' : detail, 'failed')
  if (isOk) open(data)
}

/** Keeps the list as it is sorted, with what has become of one record; null where it is gone. */
function afterChange(id, record) {
  const others = records.filter((it) => it.id !== id)
  records = record ? [...others, record].toSorted(byTime) : others
  if (kind.value === 'users') people = people.map((it) => (it.id === id && record ? record : it))
  draw(id)
  showChosen()
}
