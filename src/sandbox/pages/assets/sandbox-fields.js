/* One field of a form: its label, its control, and room for what is wrong with it. */
import { element, fill } from './sandbox-elements.js'

let count = 0

/** A field for the value at its place; `write` is told what somebody makes of it, undefined for nothing. */
export function fieldOf({ pointer, label, hint, type = 'text', ...more }, value, write) {
  count += 1
  const id = `field-${count}`
  const fault = element('small', { className: 'fault', id: `${id}-fault` })
  const field = element('div', {
    className: `field ${type}${more.isWide ? ' wide-field' : ''}`,
    data: { pointer },
  })
  const control = controls[type](value, write, { id, ...more })
  if (type === 'people') {
    control.prepend(element('legend', { textContent: label }))
    field.append(control, fault)
    return field
  }
  control.id = id
  const about =
    hint === undefined ? [] : [element('small', { textContent: hint, id: `${id}-hint` })]
  control.setAttribute('aria-describedby', [...about, fault].map((it) => it.id).join(' '))
  const named = element('label', { htmlFor: id, textContent: label })
  field.append(...(type === 'flag' ? [control, named] : [named, control]), ...about, fault)
  if (more.options && type === 'text') field.append(suggestions(control, id, more.options))
  return field
}

/** By type, the control that shows a value and writes it. */
const controls = {
  text: (value, write, { placeholder = '', isOptional = false }) =>
    input({ value: value ?? '', placeholder }, ({ value: text }) =>
      write(text === '' && isOptional ? undefined : text),
    ),
  number: (value, write, { placeholder = '', step = '1' }) =>
    input({ type: 'number', step, value: value ?? '', placeholder }, ({ value: text }) =>
      write(text === '' ? undefined : Number(text)),
    ),
  // A day is written as its midnight in UTC; what has a time of day keeps it.
  date: (value, write) =>
    isDay(value)
      ? input({ type: 'date', value: (value ?? '').slice(0, 10) }, ({ value: text }) =>
          write(text === '' ? undefined : `${text}T00:00:00.000Z`),
        )
      : input({ type: 'datetime-local', value: value.slice(0, 16) }, ({ value: text }) =>
          write(text === '' ? undefined : `${text}:00.000Z`),
        ),
  time: (value, write) =>
    input({ type: 'time', value: value ?? '' }, ({ value: text }) =>
      write(text === '' ? undefined : text),
    ),
  flag: (value, write, { on = true, off = false }) => {
    const made = element('input', { type: 'checkbox', checked: value === on })
    made.addEventListener('change', () => write(made.checked ? on : off))
    return made
  },
  choice: (value, write, { options }) => {
    const made = element('select')
    const isKnown = options.some((it) => it === value || it[0] === value)
    fill(made, isKnown || value === undefined ? options : [value ?? '', ...options], value ?? '')
    made.addEventListener('change', () => write(made.value))
    return made
  },
  people: (value, write, { options }) => {
    const chosen = new Map([value ?? []].flat().map((it) => [it.id, it]))
    const boxes = options.map((person) => {
      const box = element('input', { type: 'checkbox', checked: chosen.has(person.id) })
      box.addEventListener('change', () => {
        if (box.checked) chosen.set(person.id, person)
        else chosen.delete(person.id)
        write([...chosen.values()])
      })
      return element('label', {}, box, ` ${person.firstName ?? ''} ${person.lastName ?? person.id}`)
    })
    return element('fieldset', {}, element('div', { className: 'boxes' }, ...boxes))
  },
}

function input(properties, written) {
  const made = element('input', {
    type: 'text',
    autocomplete: 'off',
    spellcheck: false,
    ...properties,
  })
  made.addEventListener('input', () => written(made))
  return made
}

function isDay(value) {
  return typeof value !== 'string' || /T00:00(?::00(?:\.0+)?)?Z$/.test(value)
}

/** What is usual there; anything else can be written, too. */
function suggestions(control, id, options) {
  control.setAttribute('list', `${id}-list`)
  const list = element('datalist', { id: `${id}-list` })
  fill(list, options)
  return list
}
