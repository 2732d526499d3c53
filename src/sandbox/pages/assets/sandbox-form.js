/* A form over a JSON value: fields for what matters, and all of it as text. The text is what counts; fields write into it. */
import { element } from './sandbox-elements.js'
import { fieldOf } from './sandbox-fields.js'
import { isWithin, valueAt, withValue } from './sandbox-pointer.js'

export class JsonForm {
  #place
  #text
  #fieldsOf
  #changed

  /** `fieldsOf` tells the fields of a value; `changed` is told of whatever somebody writes. */
  constructor(form, fieldsOf, changed = () => undefined) {
    this.#place = form.querySelector('[data-fields]')
    this.#text = form.querySelector('textarea')
    this.#fieldsOf = fieldsOf
    this.#changed = changed
    this.#text.addEventListener('change', () => this.#readText())
  }

  /** The value as it stands; undefined where the text is no JSON, which is said beside it. */
  get value() {
    try {
      return JSON.parse(this.#text.value)
    } catch (error) {
      this.showFaults([{ pointer: '', detail: `This is not JSON: ${error.message}.` }])
      return undefined
    }
  }

  show(value) {
    this.#text.value = JSON.stringify(value, null, 2)
    this.#draw(value)
    this.showFaults([])
  }

  /** Each at the field it is about, else at the text. */
  showFaults(faults) {
    const fields = [...this.#place.querySelectorAll('.field'), this.#text.closest('.field')]
    for (const field of fields) {
      const own = faults.filter((fault) => ownerOf(fields, fault) === field)
      mark(field, own)
    }
    const first = fields.find((field) => field.classList.contains('refused'))
    if (!first) return
    const folded = first.closest('details')
    if (folded) folded.open = true
    first.querySelector('input, select, textarea')?.focus()
  }

  #draw(value) {
    const set = (pointer, written) => {
      const before = this.value
      if (before === undefined) return
      const after = withValue(before, pointer, written)
      this.#text.value = JSON.stringify(after, null, 2)
      this.#changed()
    }
    const redraw = (after) => {
      this.#text.value = JSON.stringify(after, null, 2)
      this.#draw(after)
      this.#changed()
    }
    const draw = (field) => this.#drawn(field, value, { set, redraw })
    this.#place.replaceChildren(...this.#fieldsOf(value).map(draw))
  }

  #drawn(field, value, write) {
    if (field.type !== 'group') {
      return fieldOf(field, valueAt(value, field.pointer), (it) => write.set(field.pointer, it))
    }
    const inner = field.fields.map((it) => this.#drawn(it, value, write))
    const acts = (field.acts ?? []).map((act) => this.#act(act, value, write))
    const box = element('div', { className: field.looks ?? 'fields' }, ...inner, ...acts)
    return field.isFolded
      ? element('details', {}, element('summary', { textContent: field.label }), box)
      : element('fieldset', {}, element('legend', { textContent: field.label }), box)
  }

  #act({ text, label = text, change }, value, { redraw }) {
    const attributes = { 'aria-label': label }
    const control = element('button', { type: 'button', className: 'plain small', attributes })
    control.textContent = text
    control.addEventListener('click', () => redraw(change(this.value ?? value)))
    return control
  }

  #readText() {
    const { value } = this
    if (value === undefined) return
    this.#draw(value)
    this.showFaults([])
    this.#changed()
  }
}

/** The field whose place in the value is the nearest round the fault; the last field is all of the value. */
function ownerOf(fields, { pointer }) {
  const near = fields.filter((field) => isWithin(pointer, field.dataset.pointer))
  const deepest = near.toSorted((a, b) => b.dataset.pointer.length - a.dataset.pointer.length)
  return deepest[0] ?? fields.at(-1)
}

function mark(field, faults) {
  const at = field.dataset.pointer
  const texts = faults.map(({ pointer, detail }) =>
    pointer === at ? detail : `${pointer}: ${detail}`,
  )
  field.classList.toggle('refused', faults.length > 0)
  field.querySelector('.fault').textContent = texts.join(' ')
  for (const control of field.querySelectorAll('input, select, textarea')) {
    if (faults.length > 0) control.setAttribute('aria-invalid', 'true')
    else control.removeAttribute('aria-invalid')
  }
}
