/* Shows what needs scripts: coloured JSON, copy buttons, and forms that try operations. */
import { colourJson } from './shown-json.js'
import { tryIt } from './try-it.js'

const toldMs = 2000
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

/** Browsers allow copying on secure pages only; elsewhere the button stays hidden. */
function copyOnClick(button) {
  if (!('clipboard' in navigator)) return
  button.hidden = false
  const label = button.querySelector('span')
  const usual = label.textContent
  button.addEventListener('click', async () => {
    const { textContent } = button.parentElement.querySelector('code')
    const told = await navigator.clipboard.writeText(textContent).then(
      () => 'Copied',
      () => 'Select and copy by hand',
    )
    label.textContent = told
    setTimeout(() => (label.textContent = usual), toldMs)
  })
}
