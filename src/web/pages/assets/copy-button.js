const toldMs = 2000

/** Shows a button that copies the code beside it. Browsers allow that on secure pages only; elsewhere it stays hidden. */
export function copyOnClick(button) {
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
