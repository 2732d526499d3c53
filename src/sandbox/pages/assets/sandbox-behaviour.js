/* What the sandbox imitates: set by a press or a form, told by a banner, ended. */
import { ask, curl } from './sandbox-client.js'
import { element, find, onPress, onSubmit, say, showCopied } from './sandbox-elements.js'
import { JsonForm } from './sandbox-form.js'
import { habitFields } from './sandbox-habit-fields.js'
import { inWords, presets, settingsFor } from './sandbox-habits.js'

const path = '/behaviour'
const banner = find('#banner')
const state = find('#behaviour-state')
const asksForKeys = find('#token') !== null
const hiddenSecret = /:…$/

/** Of a credential the sandbox tells only the kind: what was typed here is remembered here. */
let typedAuth
let form

/** Shows what holds; the controls act from then on. */
export async function startBehaviour() {
  form = new JsonForm(find('#behaviour-form'), habitFields, () => showSettings(form.value ?? {}))
  for (const [text, behaviour] of Object.entries(presets)) {
    const control = element('button', {
      type: 'button',
      className: 'plain small',
      textContent: text,
    })
    onPress(control, () => put(behaviour))
    find('#presets').append(control)
  }
  onSubmit(find('#behaviour-form'), set)
  for (const control of document.querySelectorAll('[data-end]')) onPress(control, () => put({}))
  const { isOk, data, detail } = await ask('GET', path)
  if (isOk) show(data)
  else say(state, detail, 'failed')
}

async function set() {
  const behaviour = form.value
  if (behaviour === undefined) return
  if (hiddenSecret.test(behaviour.auth ?? '')) {
    const detail = 'Type the credential again, or take it out: of what holds only the kind is told.'
    form.showFaults([{ pointer: '/auth', detail }])
  } else await put(behaviour)
}

async function put(behaviour) {
  const { isOk, data, detail, errors } = await ask('PUT', path, behaviour)
  if (!isOk) {
    say(state, detail, 'failed')
    form.showFaults(errors)
    return
  }
  typedAuth = behaviour.auth
  show(data)
  say(
    state,
    inWords(behaviour) === '' ? 'Ended: it behaves as it is.' : `Set. ${inWords(behaviour)}`,
    'done',
  )
  showCopied(find('#behaviour-curl'), curl('PUT', path, behaviour))
  state.scrollIntoView({ block: 'nearest' })
}

function show(told) {
  const isKnown = told.auth !== undefined && typedAuth?.split(':')[0] === told.auth.split(':')[0]
  const behaviour = isKnown ? { ...told, auth: typedAuth } : told
  const words = inWords(behaviour)
  banner.hidden = words === ''
  if (words !== '') {
    banner.querySelector('[data-words]').textContent =
      `${words} Calendars that are read from here feel it, too.`
  }
  for (const control of find('#presets').children) {
    const preset = presets[control.textContent]
    control.setAttribute('aria-pressed', JSON.stringify(preset) === JSON.stringify(behaviour))
  }
  form.show(behaviour)
  showSettings(behaviour)
}

function showSettings(behaviour) {
  showCopied(find('#settings'), settingsFor(behaviour, asksForKeys))
}
