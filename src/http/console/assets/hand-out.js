/* Renews the preview when an option changes, and sends each form once. */
const patienceMs = 5000
const form = document.querySelector('form[data-preview]')
let latest = 0

form?.querySelector('[data-options]').addEventListener('change', () => void renew())

/** The page that the form would show has the preview; the former one stays until then. */
async function renew() {
  const turn = (latest += 1)
  const fields = new URLSearchParams(new FormData(form))
  fields.set('act', 'preview')
  fields.set('only', 'preview')
  const place = document.querySelector('[data-previewed]')
  place.setAttribute('aria-busy', 'true')
  const answer = await fetch(form.action, {
    method: 'POST',
    headers: { Accept: 'text/html' },
    body: fields,
  }).catch(() => null)
  const text = answer?.ok ? await answer.text() : null
  if (turn !== latest) return
  const found =
    text === null
      ? null
      : new DOMParser().parseFromString(text, 'text/html').querySelector('[data-previewed]')
  if (found) {
    form.querySelector('summary [data-says]').textContent = found.dataset.says
    show(place, found)
  }
  place.removeAttribute('aria-busy')
}

/** The calendar stays in its view and month, if there is one before and after. */
function show(place, found) {
  const [before, after] = [place, found].map((it) => it.querySelector('#calendar'))
  if (!before || !after) {
    place.replaceWith(found)
    return
  }
  Object.assign(before.dataset, { ...after.dataset })
  for (const notice of place.querySelectorAll('.notice')) notice.remove()
  place.prepend(...found.querySelectorAll('.notice'))
  document.dispatchEvent(new Event('autosaved'))
}

for (const it of document.querySelectorAll('form[data-once]')) {
  let isSent = false
  it.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault()
    isSent = true
    // A table is downloaded and leaves the page as it is.
    setTimeout(() => (isSent = false), patienceMs)
  })
  addEventListener('pageshow', () => (isSent = false))
}
