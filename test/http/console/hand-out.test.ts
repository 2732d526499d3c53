/* Handing out calendars in the console: whom somebody names, what the calendars show, and how they arrive. */
import jsQR from 'jsqr'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { type ConsoleSession, enterConsole } from '../../support/bridge/console.ts'
import { type MailServer, startMailServer } from '../../support/web/mail-server.ts'

interface FeedInList {
  readonly id: string
  readonly userIds: readonly string[]
  readonly name: string
  readonly locale: string
  readonly ownOptions: object
  readonly links: readonly { readonly label: string }[]
}

const address = '/console/hand-out'
const pageOf = /http:\/\/[^\s"<,;]+\/feeds\/cfb_[\w-]{43}(?=["<\s,;])/g
/** As the page is without JavaScript: with everything that it shows by default. */
const settings = {
  options: '1',
  show: ['leaves', 'shifts', 'timesheets', 'tasks'],
  selfService: 'on',
}

let bridge: TestBridge
let mails: MailServer
let staff: ConsoleSession

beforeAll(async () => {
  mails = await startMailServer({
    onRcptTo: ({ address: to }, _session, answer) =>
      answer(to.startsWith('cleo') ? new Error('No such mailbox') : null),
  })
  bridge = await startBridge({ environment: { ...mails.environment } })
  staff = await enterConsole(bridge)
  // Only now is Bob's mail address known.
  await bridge.createFeed({ userIds: ['usr_bob'] })
})

afterAll(async () => {
  await bridge.close()
  await mails.close()
})

async function feedsOf(...userIds: readonly string[]): Promise<readonly FeedInList[]> {
  const found = await Promise.all(
    userIds.map(async (userId) => {
      const answer = await bridge.api('GET', `/api/feeds?userId=${userId}&state=open`)
      return ((await answer.json()) as { data: readonly FeedInList[] }).data
    }),
  )
  return found.flat()
}

async function endAll(): Promise<void> {
  for (const { id } of await feedsOf('usr_ada', 'usr_bob', 'usr_cleo', 'usr_mia')) {
    await bridge.api('DELETE', `/api/feeds/${id}`)
  }
}

async function send(fields: Parameters<ConsoleSession['send']>[1]): Promise<Response> {
  return staff.send(address, fields)
}

async function optionsPage(people: string): Promise<string> {
  const answer = await send({ act: 'check', people })
  expect(answer.status).toBe(200)
  return answer.text()
}

function keyIn(page: string): string {
  return /name="key" value="([\w-]{43})"/.exec(page)?.[1] ?? ''
}

/** The second step filled in and sent. */
async function make(
  people: string,
  fields: Record<string, string | readonly string[]>,
): Promise<Response> {
  const key = keyIn(await optionsPage(people))
  return send({ act: 'make', people, key, ...settings, ...fields })
}

function csvUpload(text: string): FormData {
  const form = new FormData()
  form.set('act', 'check')
  form.set('people', '')
  form.set('file', new Blob([text], { type: 'text/csv' }), 'people.csv')
  return form
}

describe('Who gets a calendar', () => {
  it('Finds people by id, mail address and full name, each once', async () => {
    const page = await optionsPage('usr_ada\n\nADA  brandt\nBrandt, Ada\nbob@sample.example')
    expect(page).toContain('2 people get a calendar')
    expect(page).toContain('Ada Brandt')
    expect(page).toContain('bob@sample.example')
  })

  it('Shows a misspelt name beside its line with the one that was meant, keeps all and makes nothing', async () => {
    await endAll()
    const people = 'usr_bob\nAda Brant\nCleo'
    const answer = await send({
      act: 'make',
      people,
      key: 'k'.repeat(43),
      delivery: 'csv',
      ...settings,
    })
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain(`\n${people}</textarea>`)
    expect(page).toMatch(/Line 2<\/span> <strong>Ada Brant[^]*Did you mean Ada Brandt\?/)
    expect(page).toMatch(/Line 3<\/span> <strong>Cleo<[^]*Did you mean Cleo Martin\?/)
    expect(page).toMatch(/2 lines need a change/)
    expect(await feedsOf('usr_ada', 'usr_bob', 'usr_cleo')).toEqual([])
    const take = /name="take" value="(2 [^"]*)"/.exec(page)?.[1] ?? ''
    const corrected = await (await send({ act: '', take, people: 'usr_bob\nAda Brant' })).text()
    expect(corrected).toContain('2 people get a calendar')
  })

  it('Names those who have left, and takes the ids that another page chose', async () => {
    const chosen = await staff.read(`${address}?people=usr_ada&people=usr_bob`)
    expect(chosen).toContain('\nusr_ada\nusr_bob</textarea>')
    const page = await (await send({ act: 'check', people: 'usr_nobody' })).text()
    expect(page).toMatch(/Line 1<\/span> <strong>usr_nobody[^]*Nobody of that name/)
  })

  it('Refuses more than a thousand people in a sentence', async () => {
    const people = Array.from({ length: 1001 }, (_, index) => `usr_${index}`).join('\n')
    const page = await (await send({ act: 'check', people })).text()
    expect(page).toContain('These are 1,001 people. Up to 1,000 at once are possible')
  })

  it('Reads a table as German Excel writes it, and tells faults by row', async () => {
    await endAll()
    const good =
      '\uFEFFuserId;name;email\r\nusr_ada;"Ada; ""kurz""";ADA@sample.example\r\nusr_bob;;\r\n'
    const page = await (await send(csvUpload(good))).text()
    expect(page).toContain('2 people get a calendar')
    const table = /name="table" value="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? ''
    const made = await send({
      ...settings,
      act: 'make',
      people: '',
      table,
      key: keyIn(page),
      delivery: 'csv',
    })
    expect(made.headers.get('Content-Type')).toContain('text/csv')
    expect((await feedsOf('usr_ada')).map(({ name }) => name)).toEqual(['Ada; "kurz"'])

    const wrong =
      'userId;email;timezone\r\nusr_cleo;somebody@example.com;\r\n;;\r\nusr_mia;;Nowhere\r\n'
    const answer = await send(csvUpload(wrong))
    expect(answer.status).toBe(400)
    const faults = await answer.text()
    expect(faults).toMatch(/Row 2<\/span> <strong>usr_cleo[^]*another mail address/)
    expect(faults).toMatch(/Row 4<\/span> <strong>usr_mia[^]*column timezone/)
    expect(faults).toContain('usr_cleo;somebody@example.com')
    expect(await feedsOf('usr_cleo', 'usr_mia')).toEqual([])
  })
})

describe('A list of people without the column userId', () => {
  it('Finds them by mail address, by id or by name, and takes no name for the calendar’s', async () => {
    await endAll()
    const lists = [
      'Name;E-Mail\r\nBrandt, Ada;ada@sample.example\r\nBob Fischer;bob@sample.example\r\n',
      'Vorname,Nachname\r\nAda,Brandt\r\nBob,Fischer\r\n',
      await staff.read('/console/people.csv?search=sample.example'),
    ]
    for (const list of lists) {
      const page = await (await send(csvUpload(list))).text()
      expect(page).toMatch(/\d people get a calendar/)
      expect(page).toContain('such as “Ada&#39;s work calendar”')
    }
  })

  it('Suggests who was meant in a row, and says once that nobody is named', async () => {
    const page = await (await send(csvUpload('Mitarbeiter;Name\n1;Ada Brant\n'))).text()
    expect(page).toMatch(/Row 2<\/span> <strong>Ada Brant[^]*Did you mean Ada Brandt\?/)
    const take = /name="take" value="(2 [^"]*)"/.exec(page)?.[1] ?? ''
    const table = 'Mitarbeiter;Name\n1;Ada Brant\n'
    const corrected = await (await send({ act: '', take, people: '', table })).text()
    expect(corrected).toContain('1 person gets a calendar')
    const nobody = await (await send(csvUpload('Team;Ort\nVertrieb;Ulm\n'))).text()
    expect(nobody).toContain('No column of the table names people.')
  })
})

describe('In German', () => {
  it('Names the columns that do not count', async () => {
    const headers = { Cookie: staff.cookie, Origin: bridge.url, 'Accept-Language': 'de' }
    const body = csvUpload('userId;Team;Ort\nusr_ada;Vertrieb;Ulm\n')
    const answer = await fetch(bridge.url + address, { method: 'POST', headers, body })
    expect(await answer.text()).toContain('Diese Spalten der Tabelle zählen nicht: Team, Ort.')
  })
})

describe('What the calendars show', () => {
  it('Previews the calendar of the first person with the chosen options, and notes the look', async () => {
    const answer = await send({
      ...settings,
      act: 'preview',
      only: 'preview',
      people: 'usr_ada\nusr_bob',
      show: ['leaves', 'shifts'],
      locale: 'de',
    })
    const page = await answer.text()
    expect(page).toContain('data-language="de"')
    expect(page).toContain('data-says="Leave, shifts · Deutsch · not the company defaults"')
    expect(page).toContain('UID:shift-')
    expect(page).not.toContain('UID:task-')
    const log = await bridge.api('GET', '/api/audit?userId=usr_ada')
    const { data } = (await log.json()) as { data: readonly { action: string; label: string }[] }
    expect(data.filter(({ action }) => action === 'calendar_viewed')).toEqual([
      expect.objectContaining({ label: 'Preview when handing out' }),
    ])
  })

  it('Folds the options while they are the company defaults', async () => {
    const folded = await optionsPage('usr_ada')
    expect(folded).toMatch(/<details class="settled">/)
    expect(folded).toContain('Leave, shifts, timesheets, tasks · English · company defaults')
    const changed = await send({ ...settings, act: 'check', people: 'usr_ada', label: 'phone' })
    expect(await changed.text()).toMatch(/<details class="settled" open>/)
  })

  it('Sets only what differs from the defaults', async () => {
    await endAll()
    await make('usr_ada', {
      delivery: 'csv',
      show: ['leaves', 'shifts'],
      detail: 'absent',
      locale: 'de',
      label: 'phone',
    })
    const [feed] = await feedsOf('usr_ada')
    expect(feed).toMatchObject({
      locale: 'de',
      ownOptions: {
        leaves: { detail: 'absent' },
        timesheets: { show: false },
        tasks: { show: false },
      },
      links: [{ label: 'phone' }],
    })
  })

  it('Keeps what was typed when nothing is to be shown', async () => {
    const answer = await make('usr_ada', { delivery: 'csv', show: [], name: 'Shifts & more' })
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain('Choose at least one thing to show.')
    expect(page).toContain('value="Shifts &amp; more"')
    expect(page).toMatch(/<details class="settled" open>/)
  })
})

describe('How they arrive', () => {
  it('Sends a table with the addresses once; the second reply says so', async () => {
    await endAll()
    const key = keyIn(await optionsPage('usr_ada\nBob Fischer'))
    const fields = { ...settings, act: 'make', people: 'usr_ada\nusr_bob', key, delivery: 'csv' }
    const [one, other] = await Promise.all([send(fields), send(fields)])
    const texts = [await one.text(), await other.text()]
    const [said = '', table = ''] = texts.toSorted((a) => (a.startsWith('<!doctype') ? -1 : 1))
    expect(table.match(/\/feeds\/cfb_[\w-]{43}\/[\w-]+\.ics/g)).toHaveLength(2)
    expect(said).toContain('Already handed out')
    expect(said).not.toContain('cfb_')
    expect(await feedsOf('usr_ada', 'usr_bob')).toHaveLength(2)
  })

  it('Leaves existing calendars as they are, or gives them a new link', async () => {
    await endAll()
    await make('usr_ada', { delivery: 'csv' })
    expect(await optionsPage('usr_ada')).toContain('1 person has this calendar already')
    expect(await (await make('usr_ada', { delivery: 'csv' })).text()).toContain('Nothing was made')
    const renewed = await make('usr_ada', { delivery: 'csv', existing: 'renew', graceDays: '7' })
    expect(await renewed.text()).toContain('new link')
    const [feed, ...others] = await feedsOf('usr_ada')
    expect(others).toEqual([])
    expect(feed?.links).toHaveLength(2)
  })

  it('Prints a sheet for each person, with a code that opens the page', async () => {
    await endAll()
    const page = await (await make('usr_ada\nusr_bob', { delivery: 'sheets', locale: 'de' })).text()
    const addresses = page.match(pageOf) ?? []
    expect(addresses).toHaveLength(2)
    expect(
      [...page.matchAll(/<svg[^]*?<\/svg>/g)]
        .map(([svg]) => decoded(svg))
        .filter((text) => text !== undefined),
    ).toEqual(addresses)
    expect(page).toContain('Scannen Sie den Code')
    const opened = await fetch(addresses[0] ?? '')
    expect(opened.status).toBe(200)
  })

  it('Mails each person, and says line by line who was not mailed', async () => {
    await endAll()
    const page = await (await make('usr_ada\nusr_cleo', { delivery: 'mail' })).text()
    await mails.receivedFor('ada@sample.example')
    expect(page).toMatch(/Ada Brandt[^]*>mailed</)
    expect(page).toMatch(/Cleo[^]*>not mailed: the mail server refused it</)
    expect(page).not.toContain('cfb_')
    expect(await feedsOf('usr_ada', 'usr_cleo')).toHaveLength(2)
    expect(page).toContain('Give 1 person a new link')
    const again = await (
      await send({ act: 'check', people: 'usr_cleo', existing: 'renew', delivery: 'sheets' })
    ).text()
    expect(again).toMatch(/value="renew" checked/)
  })
})

/** What a scanner reads in a code that is drawn as runs of dark squares. */
function decoded(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const [, path] = /stroke="#000000" d="([^"]*)"/.exec(svg) ?? []
  if (path === undefined) return undefined
  const scale = 4
  const width = size * scale
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  let [x, y] = [0, 0]
  for (const [, command, numbers = ''] of path.matchAll(/([Mmh])([\d. -]+)/g)) {
    const [first = 0, second = 0] = (numbers.match(/-?[\d.]+/g) ?? []).map(Number)
    if (command === 'M') [x, y] = [first, second]
    if (command === 'm') [x, y] = [x + first, y + second]
    if (command !== 'h') continue
    for (let row = 0; row < scale; row += 1) {
      const start = ((Math.floor(y) * scale + row) * width + x * scale) * 4
      for (let at = start; at < start + first * scale * 4; at += 1) {
        if (at % 4 !== 3) pixels[at] = 0
      }
    }
    x += first
  }
  return jsQR.default(pixels, width, width)?.data
}
