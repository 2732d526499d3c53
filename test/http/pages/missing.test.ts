/* "Something missing?": what the page of a link and a person's own page answer for a day, and what they keep to themselves. */
import { describe, expect } from 'vitest'

import { locales } from '../../../src/domain/feed.ts'
import { leaveStatuses } from '../../../src/domain/leave.ts'
import type { ToldRecord } from '../../../src/http/pages/words/en-missing.ts'
import { pageLanguages } from '../../../src/http/pages/words/words.ts'
import { calendarUrl, type FeedAnswer } from '../../support/bridge/bridge.ts'
import { it as base } from '../../support/bridge/fixtures.ts'
import { keyOf, newAddress, signInPerson } from '../../support/bridge/own-page.ts'
import { leave, task, timesheet, twoPeople } from '../../support/company/people.ts'

const day = '2026-01-13'
const shifts = { scheduleIds: ['sch_day'] }
const ada = { id: 'usr_ada' }

const it = base.extend('settings', { WORKFORCE_PROJECTS: 'prj_web', FEED_FRESH_SECONDS: '300' })

function pageOf(feed: FeedAnswer | string): string {
  return (typeof feed === 'string' ? feed : calendarUrl(feed)).replace(/\/[^/]*$/, '')
}

async function read(page: string, query = `?day=${day}`): Promise<string> {
  return (await fetch(`${page}${query}`)).text()
}

/** The answer as a person reads it, line by line. */
function answerIn(html: string): readonly string[] {
  const [, answer = ''] = html.split('<div class="answer">')
  const [text = ''] = answer.split('</section>')
  return text
    .split(/<\/(?:p|h3|h4|li)>/)
    .map((line) =>
      line
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '')
}

describe('the page of a link', () => {
  it('looks nothing up until it is asked, and then answers in the calendar’s zone', async ({
    bridge,
    clock,
  }) => {
    const page = pageOf(await bridge.createFeed({ userIds: ['usr_ada'], options: { shifts } }))
    const unasked = await read(page, '')
    expect(answerIn(unasked)).toEqual([])
    expect(unasked).toContain('name="day" required')
    expect(unasked).toMatch(/<details>\s*<summary><h2 id="missing">/)
    await clock.advance(11.5 * 3_600_000)
    expect(await read(page, '')).toContain('value="2026-01-06"')
    for (const wrong of ['x', '2026-02-30', '0000-01-01', '&day=2026-01-13']) {
      expect(answerIn(await read(page, `?day=${wrong}`))).toEqual([])
    }
    const [heading, ...answer] = answerIn(await read(page, '?day=2026-01-12'))
    expect(heading).toBe('Monday 12 January')
    expect(answer.slice(0, 4)).toEqual([
      'In this calendar',
      'Timesheet 1–15 Jan',
      'Leave lv_ada1',
      'Not in this calendar',
    ])
    expect(answer).toContain('You are on leave then.')
    const german = answerIn(await read(page, '?day=2026-01-12&lang=de'))
    expect(german).toContain('Sie sind dann abwesend.')
  })

  it('says why leave is missing, by its status', async ({ bridge, company }) => {
    const whys = {
      PENDING: 'Your manager has not approved it yet; this calendar shows approved leave only.',
      REJECTED: 'It was rejected, so you are not away.',
      CANCELLED: 'It was cancelled, so you are not away.',
      MAYBE: 'We do not know what its status means.',
    }
    const dated = Object.entries(whys).map(
      ([status, why], index) => [`2026-01-${12 + index}`, status, why] as const,
    )
    company.records.leaves['usr_ada'] = dated.map(([date, status]) =>
      leave(`lv_${date}`, date, { status }),
    )
    const options = { shifts, leaves: { statuses: ['APPROVED'] }, tasks: { show: false } }
    const page = pageOf(await bridge.createFeed({ userIds: ['usr_ada'], options }))
    for (const [date, status, why] of dated) {
      const answer = answerIn(await read(page, `?day=${date}`))
      expect(answer.slice(answer.indexOf('Not in this calendar'))).toEqual(
        expect.arrayContaining([`Leave lv_${date}`, why]),
      )
      expect(answer.join()).not.toContain(status)
    }
  })

  it('says of leave in the calendar that nobody has approved it yet', async ({
    bridge,
    company,
  }) => {
    company.records.leaves['usr_ada'] = [
      leave('lv_asked', '2026-01-20', { status: 'PENDING' }),
      leave('lv_granted', '2026-01-20'),
    ]
    const page = pageOf(await bridge.createFeed({ userIds: ['usr_ada'], options: { shifts } }))
    const english = answerIn(await read(page, '?day=2026-01-20'))
    expect(english).toEqual(
      expect.arrayContaining(['Leave lv_asked not approved yet', 'Leave lv_granted']),
    )
    const german = answerIn(await read(page, '?day=2026-01-20&lang=de'))
    expect(german).toContain('Leave lv_asked Abwesenheit · noch nicht genehmigt')
  })

  it('says what the holder has switched off, and links to where it is switched on', async ({
    bridge,
  }) => {
    const page = pageOf(await bridge.createFeed({ userIds: ['usr_ada'], options: { shifts } }))
    const body = new URLSearchParams([
      ['show', 'leaves'],
      ['show', 'timesheets'],
      ['detail', 'type'],
    ])
    await fetch(page, { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'same-origin' } })
    const unread = answerIn(await read(page, '?day=2026-01-20'))
    expect(unread).toEqual(expect.arrayContaining(['Tasks', 'Switched off for this link.']))
    expect(unread).toContain(
      'Your company’s system has no leave or timesheets for you on this day. Perhaps something has not been entered yet, or was entered for another day.',
    )
    // Read for another calendar of hers.
    await fetch(pageOf(await bridge.createFeed({ userIds: ['usr_ada'], name: 'Other' })))
    const html = await read(page, '?day=2026-01-20')
    expect(answerIn(html)).toEqual(
      expect.arrayContaining(['Task tsk_ada', 'It is switched off for this link.']),
    )
    expect(answerIn(html)).not.toContain('Tasks')
    expect(html).toContain('<a href="#shows">Choose more below.</a>')
    expect(html).toContain('id="shows"')
  })

  it('says that a day is empty, or outside of the calendar', async ({ bridge }) => {
    const page = pageOf(await bridge.createFeed({ userIds: ['usr_ada'], options: { shifts } }))
    const [, empty = ''] = answerIn(await read(page, '?day=2026-03-01'))
    expect(empty).toMatch(
      /^Your company’s system has no leave, shifts, timesheets or tasks for you on this day\./,
    )
    const [, outside = ''] = answerIn(await read(page, '?day=2035-03-04'))
    expect(outside).toMatch(/^This calendar covers .* 2025 to .* 2027\. Other days are empty\.$/)
  })

  it('says since when something is old, and when a change shows', async ({
    bridge,
    clock,
    company,
  }) => {
    const feed = await bridge.createFeed({ userIds: ['usr_ada'], options: { shifts } })
    const page = pageOf(feed)
    await fetch(calendarUrl(feed), { headers: { 'User-Agent': 'Google-Calendar-Importer' } })
    await bridge.settled()
    expect(answerIn(await read(page)).join('\n')).not.toContain('How up to date this is')
    await clock.advance(3 * 3_600_000)
    company.faults.set('/timesheets', 403)
    expect(answerIn(await read(page))).toEqual(
      expect.arrayContaining([
        'How up to date this is',
        'Timesheets',
        'As of 13:00: your company’s system has not answered since then.',
        'Google synced 3 hours ago and syncs about every 8 hours: changes appear by about 21:00.',
      ]),
    )
  })

  it('names no kind of leave that the link keeps private', async ({ bridge, company }) => {
    const leaveType = { name: 'Sick leave', category: 'SICK' }
    company.records.leaves['usr_ada'] = [
      leave('lv_x', day, { leaveType }),
      leave('lv_y', day, { leaveType, status: 'REJECTED' }),
    ]
    const options = { shifts, leaves: { privateCategories: ['SICK'] } }
    const page = pageOf(await bridge.createFeed({ userIds: ['usr_ada'], options }))
    const html = await read(page)
    expect(answerIn(html).filter((line) => line === 'Leave')).toHaveLength(2)
    expect(html).not.toContain('Sick')
  })

  it('names no leave while its owner is not certain', async ({ bridge, company }) => {
    company.ignores = 'employee of leaves'
    const page = pageOf(await bridge.createFeed({ userIds: ['usr_ada'], options: { shifts } }))
    const html = await read(page, '?day=2026-01-12')
    expect(html).not.toContain('lv_')
    expect(answerIn(html)).toContain(
      'None is shown: it is not yet certain who the leave from your company’s system belongs to.',
    )
  })
})

/** Records on and around that day that only their person may know of. */
function secrets(): ReturnType<typeof twoPeople> {
  const records = twoPeople()
  const over = { endDate: '2026-01-15T00:00:00.000Z' }
  for (const user of ['usr_ada', 'usr_bob']) {
    records.leaves[user]?.push(
      leave(`${user}_pending`, '2026-01-13', { status: 'PENDING', ...over }),
      leave(`${user}_rejected`, '2026-01-14', { status: 'REJECTED' }),
      leave(`${user}_cancelled`, '2026-01-14', { status: 'CANCELLED', reason: 'Secret' }),
    )
    records.timesheets.push(timesheet(`${user}_secret`, user, '2026-01-14', '2026-01-15'))
  }
  records.tasks['prj_web']?.push(task('tsk_secret', '2026-01-14', [ada]))
  return records
}

/** The page without random values. */
async function bytesOf(page: string, query: string): Promise<string> {
  const html = await read(page, query)
  expect(html).toContain('<div class="answer">')
  return html.replaceAll(/name="key" value="[^"]*"/g, '')
}

describe('what is not shown stays unknown', () => {
  it.for([
    ['an “Only away” link', 'away'],
    ['a calendar about others', 'others'],
  ] as const)('to who holds %s', async ([, which], { bridge, company, clock, node }) => {
    let page: string
    if (which === 'away') {
      const person = await signInPerson(node, 'usr_ada')
      const options = { leaves: { statuses: ['APPROVED'] } }
      const { id } = await bridge.createFeed({ userIds: ['usr_ada'], options })
      const form = { action: 'link', label: 'family', key: keyOf('a'), onlyAway: 'yes', feed: id }
      page = pageOf(newAddress(await person.send(bridge.url, form)) ?? '')
    } else page = pageOf(await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'] }))
    const days = ['2026-01-12', '2026-01-14', '2026-01-15']
    const seen = async (): Promise<readonly string[]> => {
      await clock.advance(301_000)
      return Promise.all(days.map((one) => bytesOf(page, `?day=${one}`)))
    }
    const before = await seen()
    Object.assign(company.records, secrets())
    expect(await seen()).toEqual(before)
    const [full = '', none = ''] = before.map((html) => answerIn(html).join('\n'))
    expect(full).toContain(which === 'away' ? '\nAway\n' : 'Ada Lovelace Away')
    expect(none).toContain(
      which === 'away'
        ? 'This calendar shows approved leave of Ada, and nothing else.'
        : 'This calendar shows approved leave of Ada and Bob, and nothing else.',
    )
    expect(before.join('')).not.toMatch(/lv_|Leave lv|ANNUAL|view=others/)
  })

  it('that a shift is missing because of leave, where HR shows no leave', async ({ bridge }) => {
    const options = { shifts, leaves: { show: false } }
    const page = pageOf(await bridge.createFeed({ userIds: ['usr_ada'], options }))
    const html = await read(page, '?day=2026-01-12')
    expect(answerIn(html)).toContain('There is no shift on this day.')
    expect(answerIn(html).join('\n')).not.toMatch(/leave/i)
    expect(html).not.toContain('view=others')
  })
})

describe('the person’s own page', () => {
  it('answers everything about their own records, of each link', async ({
    bridge,
    company,
    node,
  }) => {
    company.records.leaves['usr_ada'] = [leave('lv_x', day, { status: 'REJECTED' })]
    const person = await signInPerson(node, 'usr_ada')
    const options = { shifts, tasks: { show: false } }
    const { id } = await bridge.createFeed({ userIds: ['usr_ada'], options })
    const make = { action: 'link', feed: id, label: 'Phone', key: keyOf('b') }
    const phone = pageOf(newAddress(await person.send(bridge.url, make)) ?? '')
    const body = new URLSearchParams([
      ['show', 'leaves'],
      ['show', 'shifts'],
      ['detail', 'type'],
    ])
    await fetch(phone, { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'same-origin' } })
    const asked = `/me?feed=${id}&lang=en&day=`
    const { text, headers } = await person.open(bridge.url, `${asked}${day}`)
    expect(headers['cache-control']).toBe('no-store')
    expect(text).toContain(`<input type="hidden" name="feed" value="${id}">`)
    expect(answerIn(text)).toEqual(
      expect.arrayContaining([
        'Leave lv_x',
        'It was rejected, so you are not away.',
        'Timesheet 1–15 Jan',
        'Not on “Phone”: it is switched off there.',
        'Choose more under “Your links”.',
        'First link: No calendar app has synced yet. Add the calendar first.',
      ]),
    )
    await fetch(pageOf(await bridge.createFeed({ userIds: ['usr_ada'], name: 'Other' })))
    const tasks = answerIn((await person.open(bridge.url, `${asked}2026-01-20`)).text)
    expect(tasks).toEqual(
      expect.arrayContaining(['Task tsk_ada', 'This calendar does not show tasks.']),
    )
    expect(tasks.join()).not.toContain('bob')
  })
})

describe('every reason and every state has words', () => {
  const told: ToldRecord = {
    kinds: 'KINDS',
    status: 'STATUS',
    since: 'SINCE',
    first: 'FIRST',
    last: 'LAST',
    isPast: false,
    isOfAllLinks: false,
  }
  const all = locales.map((locale) => {
    const { reasons, states, leaveStatuses: statuses, otherStatus } = pageLanguages[locale].missing
    return new Map([
      ...Object.entries(reasons).map(([code, say]) => [code, say(told)] as const),
      ...Object.entries(states).map(([code, say]) => [`state ${code}`, say('SINCE')] as const),
      ...leaveStatuses.map((status) => [status, statuses[status]] as const),
      ['other', otherStatus(told)] as const,
    ])
  })

  it('with the same values in every language', () => {
    const [first, ...others] = all.map((words) =>
      [...words].map(([code, { why }]) => [
        code,
        why.match(/STATUS|SINCE|FIRST|LAST/g)?.toSorted(),
      ]),
    )
    expect(first?.length).toBeGreaterThan(50)
    for (const other of others) expect(other).toEqual(first)
  })

  it('in whole sentences, with nothing technical in them', () => {
    for (const words of all) {
      for (const [code, { why, todo }] of words) {
        expect([code, why]).toEqual([code, expect.stringMatching(/^[\p{Lu}].*[.]$/u)])
        if (code !== 'hidden_by_holder') expect(todo).toMatch(/^[\p{Lu}].*[.]$/u)
        expect(`${why} ${todo}`).not.toMatch(/[_{}<>]|\bids?\b|undefined|null/)
      }
    }
  })
})
