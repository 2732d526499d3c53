/* A formatter of Intl costs 28 KB that no collection gives back in time: a poll makes none. */
import { describe, expect } from 'vitest'

import { it as base, pollNow } from '../support/bridge/fixtures.ts'

const it = base
  .extend('records', ({ records }) => ({
    ...records,
    users: Array.from({ length: 30 }, (_, index) => ({ id: `usr_${index}` })),
  }))
  /** How many formatters this process, in which the bridge runs too, has made since the first look. */
  .extend('formatters', ({ bridge: _ }, { onCleanup }) => {
    const { DateTimeFormat } = Intl
    let made = 0
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
      construct: (target, values, self) => {
        made += 1
        return Reflect.construct(target, values, self) as object
      },
      apply: (target, self, values: Parameters<typeof DateTimeFormat>) => {
        made += 1
        return Reflect.apply(target, self, values)
      },
    })
    onCleanup(() => {
      Intl.DateTimeFormat = DateTimeFormat
    })
    return { made: () => made }
  })

describe('formatters of Intl', () => {
  it('are created for a time zone that is new to the process', async ({ feedOf, formatters }) => {
    const before = formatters.made()
    // The names of zones count in any case; no other file of this process writes one so.
    const troll = await feedOf('usr_0', { timezone: 'aNTARCTICA/tROLL' })
    expect((await pollNow(troll)).status).toBe(200)
    expect(formatters.made()).toBeGreaterThan(before)
  })

  it('are not created by 100 warm polls of a feed', async ({ feedOf, formatters }) => {
    const url = await feedOf('usr_0')
    await pollNow(url)
    const before = formatters.made()
    for (let poll = 0; poll < 100; poll += 1) expect((await pollNow(url)).status).toBe(200)
    expect(formatters.made()).toBe(before)
  })

  it('are not created by 30 cold polls of feeds in one time zone', async ({
    records,
    feedOf,
    formatters,
  }) => {
    const urls = await Promise.all(records.users.map(({ id }) => feedOf(id)))
    const [first = '', ...others] = urls
    await pollNow(first)
    const before = formatters.made()
    for (const url of others) expect((await pollNow(url)).status).toBe(200)
    expect(formatters.made()).toBe(before)
  })
})
