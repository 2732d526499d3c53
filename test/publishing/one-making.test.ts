/* A calendar is made once per change, in each of its forms, for all who ask. */
import { describe, expect } from 'vitest'

import { openLink } from '../../src/publishing/open-link.ts'
import { type CalendarForm, unchanged } from '../../src/publishing/publication.ts'
import type { CalendarState } from '../../src/publishing/serviceability.ts'
import { it as base } from '../support/bridge/fixtures.ts'

/** `it` with the state of Ada's link as it is now, on another node. */
const it = base.extend('adas', async ({ feedOf, node }) => {
  const url = await feedOf('usr_ada')
  const token = new URL(url).pathname.split('/')[2] ?? ''
  return {
    url,
    publisher: node.publisher,
    state: async (): Promise<CalendarState> =>
      node.publisher.assess(await openLink(node.links, token)),
  }
})

const forms: readonly CalendarForm[] = ['ics', 'json']

describe.each(forms)('.%s', (form) => {
  it('is made once for all simultaneous requests, and kept', async ({ adas }) => {
    const state = await adas.state()
    const asked = Array.from({ length: 8 }, () => adas.publisher.publish(state, form))
    const [first, ...others] = await Promise.all(asked)
    for (const { body } of others) expect(body).toBe(first?.body)
    const { body } = await adas.publisher.publish(await adas.state(), form)
    expect(body).toBe(first?.body)
  })

  it('is known to be unchanged before it is made', async ({ adas }) => {
    await adas.publisher.publish(await adas.state(), 'ics')
    const known = unchanged(await adas.state(), form)
    expect(known?.etag).toMatch(/^W\/"[\w-]{27}"$/)
    const { headers } = await fetch(adas.url.replace(/ics$/, form))
    expect(headers.get('ETag')).toBe(known?.etag)
  })
})

it('each form counts as served, with the revisions of the other', async ({ adas, clock }) => {
  const json = await adas.publisher.publish(await adas.state(), 'json')
  const { link } = await adas.state()
  expect(link.publication).not.toBeNull()
  await clock.advance(3_600_000)
  const ics = await adas.publisher.publish(await adas.state(), 'ics')
  const text = (await ics.body.in('identity')).toString()
  const { events } = JSON.parse((await json.body.in('identity')).toString()) as {
    readonly events: readonly { readonly lastModified: string; readonly sequence: number }[]
  }
  const stamps = events.map(({ lastModified }) => lastModified.replaceAll(/[-:]|\.\d+/g, ''))
  expect([...text.matchAll(/^LAST-MODIFIED:(\S+)/gm)].map(([, stamp]) => stamp)).toEqual(stamps)
  expect(ics.validators.lastModified).toBe(link.publication?.lastModified)
})
