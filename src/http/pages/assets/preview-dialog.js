import { whenText } from './preview-times.js'

/** Opens a dialog with all details of the event. */
export function openEvent(event, preview) {
  const dialog = document.querySelector('#event')
  dialog.querySelector('.when').textContent = whenText(event, preview)
  const title = dialog.querySelector('h3')
  const description = dialog.querySelector('.description')
  title.textContent = event.title
  description.textContent = event.description
  title.lang = preview.language
  description.lang = preview.language
  dialog.showModal()
}
