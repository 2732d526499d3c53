/* Copies the address, where the browser allows it; everything else on the page works without scripts. */
const field = document.querySelector('#address')
const result = document.querySelector('[data-copied]')

for (const control of document.querySelectorAll('[data-copy]')) {
  control.hidden = false
  control.addEventListener('click', () => copyAddress())
}

field.addEventListener('focus', () => field.select())

// A page that was just saved says so once, not again when it is reloaded.
if (location.search !== '') history.replaceState(null, '', location.pathname)

async function copyAddress() {
  try {
    await navigator.clipboard.writeText(field.value)
    result.textContent = result.dataset.copied
  } catch {
    field.select()
    const isCopied = document.execCommand('copy')
    result.textContent = isCopied ? result.dataset.copied : result.dataset.failed
  }
}
