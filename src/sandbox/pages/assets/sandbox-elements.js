/* What all parts of the page are made with. */
export const find = (selector) => document.querySelector(selector)

/** What the page was served with. */
export const facts = JSON.parse(find('[data-facts]').dataset.facts)

/** An element with these properties and children. */
export function element(tag, properties = {}, ...children) {
  const { data = {}, attributes = {}, ...others } = properties
  const made = Object.assign(document.createElement(tag), others)
  Object.assign(made.dataset, data)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** Fills a choice, and chooses; a text stands for itself. */
export function fill(select, options, chosen) {
  const pairs = options.map((it) => (typeof it === 'string' ? [it, it] : it))
  select.replaceChildren(
    ...pairs.map(([value, text]) => element('option', { value, textContent: text })),
  )
  if (chosen !== undefined) select.value = chosen
}

/** Says it where screen readers watch; `tone` is `done`, `failed` or nothing. */
export function say(place, text, tone = '') {
  place.textContent = text
  place.dataset.tone = tone
}

/** One press is enough: the control shows that it is under way until it has ended. */
export function onPress(control, act) {
  control.addEventListener('click', () => void whileBusy(control, act))
}

/** The same for a form. */
export function onSubmit(form, act) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void whileBusy(form.querySelector('[type="submit"]'), act)
  })
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

/** Shows a text beside its button that copies it. */
export function showCopied(place, text) {
  place.hidden = false
  place.querySelector('code').textContent = text
}

for (const control of document.querySelectorAll('[data-copy]')) {
  const usual = control.textContent
  onPress(control, async () => {
    const text = control.closest('.copied').querySelector('code')
    control.textContent = (await copy(text)) ? 'Copied' : 'Selected'
    setTimeout(() => (control.textContent = usual), 2000)
  })
}

/** Where the browser allows no copying, the text is selected. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(text)
    return false
  }
}
