/* Shows what needs scripts: coloured JSON, copy buttons, and forms that try operations. */
import { copyOnClick } from './copy-button.js'
import { colourJson } from './shown-json.js'
import { tryIt } from './try-it.js'

const key = document.querySelector('#key')

for (const it of document.querySelectorAll('[data-scripted]')) {
  it.hidden = false
  for (const field of it.querySelectorAll('[disabled]')) field.disabled = false
}
for (const it of document.querySelectorAll('[data-unscripted]')) it.hidden = true
for (const it of document.querySelectorAll('code.json')) colourJson(it, it.textContent)
for (const it of document.querySelectorAll('[data-copy]')) copyOnClick(it)
for (const it of document.querySelectorAll('form[data-try]'))
  tryIt(it, () => key?.value.trim() ?? '')
key?.form.addEventListener('submit', (event) => event.preventDefault())
