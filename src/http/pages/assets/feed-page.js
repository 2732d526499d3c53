/* Copies the address, where the browser allows it; everything else on the page works without scripts. */
const field = document.querySelector('#address')

for (const control of document.querySelectorAll('[data-copy]')) {
  control.hidden = false
  control.addEventListener('click', () => void copyAddress(control))
}

field.addEventListener('focus', () => field.select())

// A page that was just saved says so once, not again when it is reloaded.
if (location.search !== '') history.replaceState(null, '', location.pathname)

async function copyAddress(control) {
  const result = control.closest('.way').querySelector('.result')
  const isCopied = copyAtOnce(control) || (await copyWithPermission())
  result.textContent = isCopied ? result.dataset.copied : result.dataset.failed
  if (!isCopied) field.select()
}

/** The old way first: it works on plain http as well, and before a new tab takes the focus away. */
function copyAtOnce(control) {
  field.select()
  const isCopied = document.execCommand('copy')
  control.focus()
  return isCopied
}

async function copyWithPermission() {
  try {
    await navigator.clipboard.writeText(field.value)
    return true
  } catch {
    return false
  }
}
