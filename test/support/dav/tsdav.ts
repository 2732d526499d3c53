/* tsdav, which programs in JavaScript use. */
import { createDAVClient, type DAVCalendar } from 'tsdav'

import type { ClientAccount, RealClient } from './real-client.ts'

type Client = Awaited<ReturnType<typeof createDAVClient>>

export function startTsdav(): RealClient {
  let account: ClientAccount
  let client: Client
  let calendar: DAVCalendar
  const connect = async (given: ClientAccount): Promise<void> => {
    account = given
    client = await createDAVClient({
      serverUrl: account.url,
      credentials: { username: account.user, password: account.password },
      authMethod: 'Basic',
      defaultAccountType: 'caldav',
    })
  }
  return {
    add: async (given) => {
      await connect(given)
      const [found] = await client.fetchCalendars()
      if (!found) throw new Error('tsdav finds no calendar.')
      calendar = { ...found, objects: await client.fetchCalendarObjects({ calendar: found }) }
    },
    sync: async () => {
      const collection = { ...calendar, objectMultiGet: client.calendarMultiGet }
      try {
        calendar = await client.smartCollectionSync({ collection, method: 'webdav' })
        return 'done'
      } catch (error) {
        if (String(error).includes('401')) return 'refused'
        throw error
      }
    },
    held: async () => (calendar.objects ?? []).map(({ data }) => String(data)),
    usePassword: (password) => connect({ ...account, password }),
    close: async () => undefined,
  }
}
