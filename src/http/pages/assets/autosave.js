/*
 * Saves a `form[data-autosave]` as one clicks, one request at a time; without scripts its button saves. What it says
 * meanwhile stands in `data-saving`, `data-saved` and `data-failed`, and appears in its `[data-state]`. A refusal brings the former choices back, with
 * the reason that the answer has in `[data-reason]`. A choice that changes the whole page (`data-reload`) is sent as usual.
 */
for (const form of document.querySelectorAll('form[data-autosave]')) autosave(form)

function autosave(form) {
  let saved = choicesOf(form)
  let isSending = false
  form.querySelector('[type="submit"]').hidden = true
  form.addEventListener('change', ({ target }) => {
    form.querySelector('.notice:not([data-offline])')?.remove()
    if (target.dataset.reload !== undefined) form.requestSubmit()
    else if (!isSending) void saveAll()
  })

  /** Several quick clicks become one request: the choices count as they are when the one before is answered. */
  async function saveAll() {
    isSending = true
    let refusal = null
    const before = saved
    while (refusal === null && choicesOf(form) !== saved) {
      tell(form, form.dataset.saving)
      const choices = choicesOf(form)
      refusal = await post(form)
      if (refusal === null) saved = choices
      else choose(form, saved)
      if (form.elements.from) form.elements.from.value = saved
    }
    isSending = false
    tell(form, refusal ?? form.dataset.saved, refusal !== null)
    if (saved !== before) form.dispatchEvent(new Event('autosaved', { bubbles: true }))
  }
}

/** The form's choices as it sends them, without what only identifies the form. */
function choicesOf(form) {
  const data = new FormData(form)
  for (const { name } of form.querySelectorAll('[type="hidden"]')) data.delete(name)
  return new URLSearchParams(data).toString()
}

function choose(form, choices) {
  const values = new URLSearchParams(choices)
  for (const control of form.elements) {
    if (control.localName === 'select') control.value = values.get(control.name)
    else if (control.type === 'checkbox' || control.type === 'radio') {
      control.checked = values.getAll(control.name).includes(control.value)
    }
  }
}

/** Returns why the choices were not saved, or null; parts of the page that follow from them are renewed. */
async function post(form) {
  try {
    const body = new URLSearchParams(new FormData(form))
    // A field may be named `action`, too.
    const address = form.getAttribute('action')
    const answer = await fetch(address, {
      method: 'POST',
      headers: { Accept: 'text/html' },
      body,
    })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (!answer.ok) return page.querySelector('[data-reason]')?.textContent ?? form.dataset.failed
    for (const part of document.querySelectorAll('[data-fresh]')) {
      const fresh = page.getElementById(part.id)
      if (fresh) part.replaceWith(fresh)
    }
    return null
  } catch {
    return form.dataset.failed
  }
}

function tell(form, text, isRefusal = false) {
  const state = form.querySelector('[data-state]')
  state.classList.toggle('refused', isRefusal)
  state.textContent = text
}
