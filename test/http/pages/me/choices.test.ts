/* What a person chooses for one of their links on their own page. */
import { describe, expect } from 'vitest'

import { it as base, pollNow } from '../../../support/bridge/fixtures.ts'
import {
  type Fields,
  fromOurPage,
  keyOf,
  newAddress,
  type PageReply,
  signInPerson,
} from '../../../support/bridge/own-page.ts'
import { openContext, sharedChromium } from '../../../support/web/chromium.ts'
import { violations } from '../../../support/web/visit.ts'

const it = base.extend('ada', async ({ bridge, node }) => {
  const { id: feed } = await bridge.createFeed({ userIds: ['usr_ada'] })
  const visitor = await signInPerson(node, 'usr_ada')
  const send = (fields: Fields): Promise<PageReply> => visitor.send(bridge.url, fields)
  const make = async (label: string, more: Fields = {}): Promise<string> => {
    const key = keyOf(label.slice(0, 1))
    return newAddress(await send({ action: 'link', feed, label, key, ...more }))!
  }
  const choose = (label: string, fields: string, at = feed): Promise<PageReply> => {
    const form = new URLSearchParams({ action: 'choices', feed: at, label }).toString()
    const headers = fromOurPage
    return visitor.open(bridge.url, '/me', { method: 'POST', headers, body: `${form}&${fields}` })
  }
  return { feed, visitor, send, make, choose }
})

/** Titles without their numbers, each once. */
async function kindsOf(address: string): Promise<readonly string[]> {
  const { titles } = await pollNow(address)
  return [...new Set(titles.map((title) => title.split(/[ :]/)[0] ?? ''))].toSorted()
}

describe('choices for one link', () => {
  it('are saved without scripts, for that link alone, and say so there', async ({
    ada,
    bridge,
    node,
  }) => {
    const [phone, laptop] = [await ada.make('phone'), await ada.make('laptop')]
    const before = await kindsOf(laptop)
    const context = await openContext(await sharedChromium(), { javaScriptEnabled: false })
    const [, value = ''] = ada.visitor.cookie.split('=')
    await context.addCookies([{ name: 'cfb_session', value, url: bridge.url }])
    const page = await context.newPage()
    await page.goto(`${bridge.url}/me`)
    await page.getByText('What it shows (phone)').click()
    const form = page.locator('form:has([name=action][value=choices]):has([value=phone])')
    await form.getByRole('switch', { name: 'Shifts' }).uncheck()
    await form.getByRole('button', { name: 'Save' }).click()
    const saved = form.getByText('Saved.', { exact: false })
    expect(await saved.isVisible()).toBe(true)
    expect(await form.getByRole('switch', { name: 'Shifts' }).isChecked()).toBe(false)
    await context.close()
    expect(before).toContain('Day')
    expect(await kindsOf(phone)).toEqual(before.filter((kind) => kind !== 'Day'))
    expect(await kindsOf(laptop)).toEqual(before)
    const entries = await node.access.audit.listEntries({ userId: 'usr_ada', limit: 100 })
    expect(entries.map(({ actor, action, label }) => `${actor} ${action} ${label}`)).toContain(
      'person:usr_ada choices_changed phone',
    )
  })

  it('that leave nothing are not kept, and the page says so', async ({ ada }) => {
    const phone = await ada.make('phone')
    const before = await kindsOf(phone)
    const { status, text } = await ada.choose('phone', 'detail=absent')
    expect([status, text.includes('Not saved: the calendar would be empty.')]).toEqual([400, true])
    expect(await kindsOf(phone)).toEqual(before)
  })

  it('cannot show more than HR allows, nor more than “Away” where a link is made for that', async ({
    ada,
    bridge,
  }) => {
    const [phone, family] = [await ada.make('phone'), await ada.make('family', { onlyAway: 'yes' })]
    const before = [(await pollNow(phone)).text, (await pollNow(family)).text]
    for (const [label, fields] of [
      ['phone', 'show=leaves&detail=full'],
      ['family', 'show=leaves&detail=type'],
      ['family', 'show=leaves&show=shifts'],
    ] as const) {
      expect((await ada.choose(label, fields)).status).toBe(403)
    }
    expect((await ada.choose('phone', 'show=leaves&other=1')).status).toBe(400)
    await bridge.api('PATCH', `/api/feeds/${ada.feed}`, { options: { selfService: false } })
    expect((await ada.choose('phone', 'show=leaves')).status).toBe(403)
    expect([(await pollNow(phone)).text, (await pollNow(family)).text]).toEqual(before)
  })

  it('are refused for a link about to end, one that is unknown and one of somebody else', async ({
    ada,
    bridge,
    node,
  }) => {
    await ada.make('phone')
    const rotation = { label: 'phone', graceDays: 7 }
    await bridge.api('POST', `/api/feeds/${ada.feed}/rotations`, rotation)
    const links = await node.store.links.listLinks([ada.feed])
    const { label } = links.find(({ endsAt }) => endsAt !== null)!
    expect((await ada.choose(label, 'show=leaves')).status).toBe(403)
    expect((await ada.choose('none', 'show=leaves')).status).toBe(404)
    const other = await bridge.createFeed({ userIds: ['usr_bob'] })
    expect((await ada.choose('default', 'show=leaves', other.id)).status).toBe(404)
    const { text } = await ada.visitor.open(bridge.url)
    expect(text).not.toContain(`name="label" value="${label}"`)
  })

  it('are saved by scripts as one clicks, on a page that is accessible when all is open', async ({
    ada,
    bridge,
  }) => {
    const phone = await ada.make('phone')
    await ada.make('family', { onlyAway: 'yes' })
    const context = await openContext(await sharedChromium(), {
      viewport: { width: 390, height: 844 },
      userAgent: 'Mozilla/5.0 (Linux; Android 10; K) Mobile',
      colorScheme: 'dark',
    })
    const [, value = ''] = ada.visitor.cookie.split('=')
    await context.addCookies([{ name: 'cfb_session', value, url: bridge.url }])
    const page = await context.newPage()
    await page.goto(`${bridge.url}/me`)
    await page.locator('#calendar .state').waitFor({ state: 'detached' })
    expect(await page.evaluate<number>('document.body.scrollHeight')).toBeLessThan(2000)
    await page.evaluate('for (const it of document.querySelectorAll("details")) it.open = true')
    expect(await violations(page)).toEqual([])
    const form = page.locator('form:has([name=action][value=choices]):has([value=phone])')
    await form.getByRole('switch', { name: 'Shifts' }).uncheck()
    await form.getByText('Saved.', { exact: false }).waitFor()
    expect(await kindsOf(phone)).not.toContain('Day')
    await context.close()
  })
})
