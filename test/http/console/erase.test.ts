/* Erasing a person in the console: what would go first, then with their name typed. */
import { expect } from 'vitest'

import { calendarUrl } from '../../support/bridge/bridge.ts'
import { enterConsole } from '../../support/bridge/console.ts'
import { it as base, pollNow } from '../../support/bridge/fixtures.ts'

const page = '/console/erase'
const mailed = {
  id: 'usr_ada',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  isActive: true,
}

const it = base
  .extend('records', ({ records }) => ({ ...records, users: [mailed, ...records.users.slice(1)] }))
  .extend('feed', ({ bridge }) => bridge.createFeed({ userIds: ['usr_ada'] }))
  .extend('admin', ({ bridge }) => enterConsole(bridge))

it.for(['usr_ada', 'ADA@example.com', 'Ada Lovelace'])(
  'Shows what would go, and removes nothing: %s',
  async (who, { admin, bridge, feed }) => {
    await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'], name: 'Both <b>' })
    const response = await admin.send(page, { act: 'check', who })
    expect(response.status).toBe(200)
    const html = await response.text()
    for (const text of ['Ada Lovelace', 'usr_ada', 'Both &lt;b&gt;', 'To erase, type']) {
      expect(html).toContain(text)
    }
    expect((await pollNow(calendarUrl(feed))).status).toBe(200)
  },
)

it('Erases once the name is typed, and says what went', async ({ admin, bridge, feed }) => {
  const form = { act: 'erase', userId: 'usr_ada' }
  for (const name of ['', 'ada lovelace', 'usr_ada']) {
    const wrong = await admin.send(page, { ...form, name })
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toMatch(/id="name"[^>]*aria-invalid="true"/)
  }
  expect((await pollNow(calendarUrl(feed))).status).toBe(200)
  const erased = await admin.send(page, { ...form, name: ' Ada  Lovelace ' })
  expect(erased.status).toBe(200)
  expect(await erased.text()).toContain('Ada Lovelace is erased')
  expect((await pollNow(calendarUrl(feed))).status).toBe(404)
  expect((await admin.open('/console/people/usr_ada')).status).toBe(404)
  const audit = (await (await bridge.api('GET', '/api/audit')).json()) as {
    data: { action: string; actor: string; userIds: string[] }[]
  }
  expect(audit.data.find(({ action }) => action === 'person_erased')).toMatchObject({
    actor: 'admin',
    userIds: [],
  })
})

it('Somebody without a name is erased by their id', async ({ admin, bridge, company }) => {
  company.records.users.push({ id: 'usr_nameless', isActive: true })
  await bridge.createFeed({ userIds: ['usr_nameless'], name: 'Work' })
  const form = { act: 'erase', userId: 'usr_nameless', name: 'usr_nameless' }
  expect((await admin.send(page, form)).status).toBe(200)
})

it('Says beside the field that nothing is kept, and whom somebody may mean', async ({
  admin,
  feed,
}) => {
  expect(feed.id).toMatch(/^feed_/)
  for (const who of ['', 'usr_nobody', 'Ada Lovelaze']) {
    const response = await admin.send(page, { act: 'check', who })
    expect(response.status).toBe(400)
    const html = await response.text()
    expect(html).toMatch(/id="who"[^>]*aria-invalid="true"/)
    expect(html.includes('value="usr_ada"')).toBe(who === 'Ada Lovelaze')
  }
  expect((await admin.send(page, { act: 'erase', userId: 'usr_nobody', name: 'x' })).status).toBe(
    400,
  )
})

it('Takes the id from the address, and asks nothing yet', async ({ admin, bridge }) => {
  const html = await admin.read(`${page}?userId=usr_ada%22%3E`)
  expect(html).toContain('value="usr_ada&quot;&gt;"')
  expect(html).not.toContain('value="erase"')
  expect(bridge.url).toMatch(/^http/)
})

it('Is for admins only', async ({ bridge, feed }) => {
  const made = await bridge.api('POST', '/api/tokens', { name: 'support', role: 'support' })
  const { token } = (await made.json()) as { token: string }
  const support = await enterConsole(bridge, token)
  expect((await support.open(page)).status).toBe(403)
  const form = { act: 'erase', userId: 'usr_ada', name: 'Ada Lovelace' }
  expect((await support.send(page, form)).status).toBe(403)
  expect(await support.read('/console/people/usr_ada')).not.toContain('/console/erase')
  expect((await pollNow(calendarUrl(feed))).status).toBe(200)
})
