/* What makes the console quicker to use; everything essential works without it. */
document.documentElement.classList.add('scripted')

const typingMs = 200

for (const select of document.querySelectorAll('select[data-submit]')) {
  select.addEventListener('change', () => select.form.requestSubmit())
}

for (const menu of document.querySelectorAll('details[data-menu]')) {
  const wide = matchMedia('(min-width: 64rem)')
  const follow = () => (menu.open = wide.matches)
  wide.addEventListener('change', follow)
  follow()
}

/* Search as one types: the list in `data-results` is taken from the page that the form would open. */
for (const form of document.querySelectorAll('form[data-search]')) {
  let latest = 0
  let timer
  const search = async () => {
    const turn = (latest += 1)
    const address = new URL(form.action)
    for (const [name, value] of new FormData(form)) if (value) address.searchParams.set(name, value)
    const results = document.querySelector('[data-results]')
    results.setAttribute('aria-busy', 'true')
    const response = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null)
    if (turn !== latest) return
    if (!response?.ok || response.redirected) {
      location.assign(address)
      return
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const found = page.querySelector('[data-results]')
    if (turn !== latest || !found) return
    results.replaceWith(found)
    history.replaceState(null, '', address)
    document.dispatchEvent(new CustomEvent('results'))
  }
  form.addEventListener('input', (event) => {
    clearTimeout(timer)
    timer = setTimeout(() => void search(), event.target.type === 'search' ? typingMs : 0)
  })
}

/* Ticks all rows of a table, and says how many are ticked. */
function countTicked() {
  for (const form of document.querySelectorAll('form[data-ticks]')) {
    const boxes = [...form.querySelectorAll('input[data-tick]')]
    const ticked = boxes.filter(({ checked }) => checked).length
    for (const count of form.querySelectorAll('[data-count]')) count.textContent = ticked
    for (const all of form.querySelectorAll('input[data-all]')) {
      all.checked = boxes.length > 0 && ticked === boxes.length
      all.indeterminate = ticked > 0 && ticked < boxes.length
    }
  }
}

document.addEventListener('change', ({ target }) => {
  if (target.matches('input[data-all]')) {
    for (const box of target.form.querySelectorAll('input[data-tick]')) box.checked = target.checked
  }
  countTicked()
})
document.addEventListener('results', countTicked)
countTicked()

for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!('clipboard' in navigator)) continue
  button.hidden = false
  button.addEventListener('click', () => void copyText(button))
}

async function copyText(button) {
  const { textContent } = document.getElementById(button.dataset.copy)
  await navigator.clipboard.writeText(textContent)
  const usual = button.textContent
  button.textContent = button.dataset.copied
  setTimeout(() => (button.textContent = usual), 2000)
}

/* A page of work under way looks again by itself. */
for (const progress of document.querySelectorAll('[data-refresh]')) {
  setTimeout(() => location.reload(), Number(progress.dataset.refresh))
}

/* Says that work has begun that takes long, and lets nobody begin it twice. */
for (const form of document.querySelectorAll('form[data-busy]')) {
  const told = document.getElementById(form.dataset.busy)
  const button = form.querySelector('[type=submit]')
  form.addEventListener('submit', () => {
    const text = Object.assign(document.createElement('p'), { textContent: told.dataset.text })
    told.replaceChildren(text, document.createElement('progress'))
    button.setAttribute('aria-disabled', 'true')
    setTimeout(() => (button.disabled = true))
  })
  addEventListener('pageshow', () => {
    told.replaceChildren()
    button.disabled = false
    button.removeAttribute('aria-disabled')
  })
}
