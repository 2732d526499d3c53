/* Somebody's calendar, in a tab of its own. */
import { ask, pathOf } from './sandbox-client.js'
import { dayOf, nameOf } from './sandbox-kinds.js'

/**
 * The tab is opened while the press counts as one, and led on when its address is known. It begins at the day of the
 * record, which may be months from today. `{ text, tone }` where no tab shows it.
 */
export async function openCalendar(subject, userId) {
  const tab = open('about:blank')
  const path = `${pathOf(subject.company, 'users', userId)}/calendar`
  const { isOk, data, status } = await ask('POST', path)
  if (!isOk) {
    tab?.close()
    return { text: whyNot(status, nameOf(subject.people, userId)), tone: 'failed' }
  }
  const day = dayOf(subject)
  const address = day === undefined ? data.page : `${data.page}#${day}`
  if (!tab) return { text: `The browser let no tab open: the calendar is at ${address}` }
  tab.opener = null
  tab.location = address
  return undefined
}

function whyNot(status, name) {
  return status === 404
    ? `No calendar of ${name} is shown by this program: npm start runs one that shows calendars of this company.`
    : 'The calendar could not be opened: try again, or look at what the program says.'
}
