/* A link as an account: which page offers it, with which steps, and the profiles for Apple's devices. */
import { parse } from 'plist'
import { describe, expect, it as plainIt } from 'vitest'

import { locales } from '../../../src/domain/feed.ts'
import { pageLanguages } from '../../../src/http/pages/words/words.ts'
import { calendarUrl, type FeedAnswer } from '../../support/bridge/bridge.ts'
import { enterConsole } from '../../support/bridge/console.ts'
import { it as base } from '../../support/bridge/fixtures.ts'
import { keyOf, signInPerson } from '../../support/bridge/own-page.ts'
import { phone, useFeedPage, widthOf } from '../../support/web/feed-page.ts'
import { violations } from '../../support/web/visit.ts'

const publicUrl = 'https://calendar.example.com/hr'
const agents = {
  iPhone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
  android: 'Mozilla/5.0 (Linux; Android 16; Pixel 9)',
  windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
  linux: 'Mozilla/5.0 (X11; Linux x86_64)',
} as const

const it = base
  .extend('settings', { PUBLIC_URL: publicUrl })
  .extend('feed', ({ bridge }) => bridge.createFeed({ userIds: ['usr_ada'], name: 'Ada & <Co>' }))
  .extend('ask', ({ bridge }) => (place: string, options: RequestInit = {}) => {
    return fetch(`${bridge.listensAt}${place}`, { redirect: 'manual', ...options })
  })

function tokenOf(feed: Pick<FeedAnswer, 'links'>): string {
  return /cfb_[\w-]{43}/.exec(calendarUrl({ id: '', ...feed }))?.[0] ?? ''
}

plainIt.for(locales)(
  'each app has at most five steps, one of them with the interval, %s',
  (locale) => {
    const { apps } = pageLanguages[locale].account
    for (const [app, { steps }] of Object.entries(apps)) {
      const installing = app === 'android' || app === 'outlook' ? 1 : 0
      expect(steps.length + installing).toBeLessThanOrEqual(5)
      expect(steps.join(' ')).toMatch(/\b(?:5|15) Min/i)
    }
  },
)

describe('the page', () => {
  it.for([
    ['iPhone', ['iPhone and iPad'], '/account.mobileconfig"'],
    ['mac', ['Mac', 'iPhone and iPad', 'Thunderbird'], '/account.mobileconfig"'],
    ['android', ['Android'], 'intent://calendar.example.com/hr/dav/#Intent;scheme=caldavs;'],
    ['windows', ['Classic Outlook for Windows', 'Thunderbird'], 'caldavsynchronizer.org'],
    ['linux', ['Thunderbird'], '“Location”'],
  ] as const)('shows the steps of its device: %s', async ([agent, apps, way], { feed, ask }) => {
    const token = tokenOf(feed)
    const page = await ask(`/feeds/${token}`, { headers: { 'User-Agent': agents[agent] } })
    const section = (await page.text()).split('class="fold account"')[1]?.split('</section>')[0]
    expect(
      [...section!.matchAll(/<h3>(?:<svg.*?<\/svg>\s*)?([^<]+)/gs)].map(([, name]) => name),
    ).toEqual([...apps, 'Account details'])
    expect(section).toContain(way)
    for (const value of [`${publicUrl}/dav/`, 'calendar', token]) {
      expect(section).toContain(`value="${value}"`)
    }
  })
})

describe('over plain http to another machine', () => {
  it.override('settings', { PUBLIC_URL: 'http://calendar.example.com' })

  it('no account is offered, and the page says what it needs', async ({
    bridge,
    feed,
    ask,
    node,
  }) => {
    const place = `/feeds/${tokenOf(feed)}`
    const page = await (await ask(place)).text()
    expect(page).toContain('IT must set PUBLIC_URL to an address that begins with https://.')
    expect(page).not.toMatch(/\/dav\/|account\.mobileconfig/)
    const account = await ask(`${place}/account.mobileconfig`)
    expect([account.status, account.headers.get('Location')]).toEqual([303, place])
    expect((await ask(`${place}/subscription.mobileconfig`)).status).toBe(200)
    const ada = await signInPerson(node, 'usr_ada')
    expect((await ada.open(bridge.listensAt)).text).not.toContain('value="account"')
  })
})

type Payload = Record<string, string | number | boolean>
type Profile = Payload & { readonly PayloadContent: readonly Payload[] }

/** The profile with its payload. */
async function readProfile(response: Response): Promise<readonly [Profile, Payload]> {
  const profile = parse(await response.text()) as unknown as Profile
  expect(profile.PayloadContent).toHaveLength(1)
  return [profile, profile.PayloadContent[0]!]
}

function identities(payloads: readonly Payload[]): readonly unknown[] {
  return payloads.flatMap(({ PayloadIdentifier, PayloadUUID }) => [PayloadIdentifier, PayloadUUID])
}

describe('a profile', () => {
  it('adds the account with all that a device asks for', async ({ feed, ask }) => {
    const token = tokenOf(feed)
    const answer = await ask(`/feeds/${token}/account.mobileconfig?lang=de`)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/x-apple-aspen-config',
      'content-disposition': 'attachment; filename="Ada - -Co.mobileconfig"',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    })
    const [profile, account] = await readProfile(answer)
    expect(profile).toMatchObject({
      PayloadType: 'Configuration',
      PayloadVersion: 1,
      PayloadDisplayName: 'Ada & <Co>',
      PayloadRemovalDisallowed: false,
    })
    expect(profile['PayloadDescription']).toContain('Fügt „Ada & <Co>“ als Kalenderkonto hinzu')
    expect(account).toMatchObject({
      PayloadType: 'com.apple.caldav.account',
      CalDAVAccountDescription: 'Ada & <Co>',
      CalDAVHostName: 'calendar.example.com',
      CalDAVPort: 443,
      CalDAVUseSSL: true,
      CalDAVPrincipalURL: '/hr/dav/',
      CalDAVUsername: 'calendar',
      CalDAVPassword: token,
    })
    for (const uuid of [profile['PayloadUUID'], account['PayloadUUID']]) {
      expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    }
  })

  it('subscribes to the calendar’s own address', async ({ feed, ask }) => {
    const [, subscription] = await readProfile(
      await ask(`/feeds/${tokenOf(feed)}/subscription.mobileconfig`),
    )
    expect(subscription).toMatchObject({
      PayloadType: 'com.apple.subscribedcalendar.account',
      SubCalAccountDescription: 'Ada & <Co>',
      SubCalAccountHostName: calendarUrl(feed),
      SubCalAccountUseSSL: true,
    })
  })

  it('replaces that of the link before its rotation, and no other', async ({
    bridge,
    feed,
    ask,
  }) => {
    const read = async (token: string, kind = 'account') => {
      const [profile, payload] = await readProfile(
        await ask(`/feeds/${token}/${kind}.mobileconfig`),
      )
      return { known: identities([profile, payload]), password: payload['CalDAVPassword'] }
    }
    const before = await read(tokenOf(feed))
    const made = async (place: string, body: object): Promise<string> => {
      const answer = await bridge.api('POST', `/api/feeds/${feed.id}/${place}`, body)
      return tokenOf({ links: [(await answer.json()) as FeedAnswer['links'][number]] })
    }
    const rotated = await made('rotations', { label: 'default', graceDays: 7 })
    expect(await read(rotated)).toEqual({ known: before.known, password: rotated })
    const others = [
      ...(await read(rotated, 'subscription')).known,
      ...(await read(await made('links', { label: 'iPhone' }))).known,
    ]
    const all = [...before.known, ...others]
    expect(new Set(all).size).toBe(all.length)
  })

  it('answers as the page does: unknown, ended, another method, HEAD', async ({
    bridge,
    feed,
    ask,
  }) => {
    const place = `/feeds/${tokenOf(feed)}`
    const head = await ask(`${place}/account.mobileconfig`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const posted = await ask(`${place}/account.mobileconfig`, { method: 'POST' })
    expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
    const same = async (link: string): Promise<number> => {
      const [page, profile] = await Promise.all(
        [link, `${link}/account.mobileconfig`].map((address) => ask(address)),
      )
      expect(await profile!.text()).toBe(await page!.text())
      expect(profile!.status).toBe(page!.status)
      return profile!.status
    }
    expect(await same(`/feeds/cfb_${'x'.repeat(43)}`)).toBe(404)
    await bridge.api('DELETE', `/api/feeds/${feed.id}`)
    expect(await same(place)).toBe(410)
  })
})

describe('a new link as an account', () => {
  it.override('settings', { PUBLIC_URL: '' })

  it('on /me leads to the steps, here or on another device', async ({ bridge, feed, node }) => {
    const ada = await signInPerson(node, 'usr_ada')
    const make = async (label: string): Promise<string> => {
      const fields = { action: 'link', feed: feed.id, key: keyOf('k'), label, as: 'account' }
      const headers = {
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': 'application/x-www-form-urlencoded',
        'User-Agent': agents.iPhone,
      }
      return (await ada.send(bridge.url, fields, headers)).text
    }
    const here = await make('iPhone')
    const [shown = '', folded = ''] = here.split('<details class="card further')
    expect(shown).toContain('Press “Download profile”')
    expect(folded).toContain('href="webcal:')
    const there = await make('work phone')
    expect(there).toMatch(/data-share data-address="[^"]*\/feeds\/cfb_[\w-]{43}#account"/)
  })

  it('in the console shows what a program asks for, and the page at the steps', async ({
    bridge,
    feed,
  }) => {
    const admin = await enterConsole(bridge)
    const fields = { act: 'link', feed: feed.id, label: 'iPhone', account: 'yes' }
    const made = await (await admin.send('/console/people/usr_ada', fields)).text()
    expect(made).toMatch(/id="page-address">http:[^<]*\/feeds\/cfb_[\w-]{43}#account</)
    expect(made).toMatch(/id="account-password">cfb_[\w-]{43}</)
    expect(made).toContain(`id="account-server">${bridge.url}/dav/<`)
  })
})

describe('in a browser', () => {
  const feedPage = useFeedPage()

  plainIt(
    'an address with #account opens the steps, and the copied values open the account',
    async () => {
      const { page: url } = await feedPage.pageOf()
      const { page, messages, close } = await feedPage.open(`${url}?lang=de#account`, {
        ...phone,
        permissions: ['clipboard-read'],
      })
      const section = page.locator('.fold.account')
      await section.getByText('Zugangsdaten').waitFor()
      const copied: string[] = []
      for (const name of ['Server', 'Benutzername', 'Passwort']) {
        await section.getByRole('button', { name: `Kopieren (${name})` }).click()
        await section.getByRole('status').getByText(`${name} kopiert.`).waitFor()
        copied.push(await page.evaluate<string>('navigator.clipboard.readText()'))
      }
      const [server = '', user, password] = copied
      const credential = Buffer.from(`${user}:${password}`).toString('base64')
      const headers = { Authorization: `Basic ${credential}`, Depth: '0' }
      expect((await fetch(server, { method: 'PROPFIND', headers })).status).toBe(207)
      expect(await violations(page)).toEqual([])
      expect(await widthOf(page)).toBe(phone.viewport.width)
      expect(messages).toEqual([])
      await close()
    },
  )
})
