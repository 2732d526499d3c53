/* Takes back what was changed, once that is confirmed. */
import { ask, pathOf } from './sandbox-client.js'
import { find, onPress, say } from './sandbox-elements.js'

const dialog = find('#reset-dialog')
const state = find('#reset-state')

/** `done` is told when a company has been reset. */
export function startReset(done) {
  find('#reset-open').addEventListener('click', () => {
    find('#reset-goes').textContent = whatGoes(find('#company').value)
    dialog.showModal()
  })
  find('#reset-cancel').addEventListener('click', () => dialog.close())
  onPress(find('#reset-confirm'), async () => {
    const company = find('#company').value
    const { isOk, detail } = await ask('POST', `${pathOf(company)}/reset`)
    dialog.close()
    if (!isOk) return say(state, detail, 'failed')
    await done()
    say(state, `Company ${company} is as it was loaded.`, 'done')
  })
}

function whatGoes(company) {
  const becomes =
    company === 'main'
      ? 'The company becomes the sample of today; if you imported a company into it, that is gone, too'
      : 'The company becomes what was imported last'
  return `Whatever was added, changed or deleted in ${company} is taken back. ${becomes}. What is imitated and the last requests stay as they are.`
}
