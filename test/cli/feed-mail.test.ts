/* Pages that are mailed as they are made: by a real mail server, to whoever the directory or the Read API names. */
import { describe, expect } from 'vitest'

import { it, runCommand, runUntil } from '../support/bridge/command-line.ts'
import { mailing, rowsOf } from '../support/bridge/mailing-line.ts'
import { type MailHabits, type MailServer, refusal } from '../support/web/mail-server.ts'
import { fieldOf, readMail } from '../support/web/read-mail.ts'

const refusesSome: MailHabits = {
  onRcptTo: ({ address }, _session, answer) =>
    answer(address.startsWith('person1@') ? refusal(550, 'No such user') : null),
}

/** The page that the only mail names, in text and HTML alike. */
function pageIn(server: MailServer): string {
  const pages = readMail(server.mails.at(-1)?.raw ?? '').parts.flatMap(
    ({ text }) => text.match(/http[^\s"<]+\/feeds\/cfb_[\w-]{43}/g) ?? [],
  )
  expect(new Set(pages).size).toBe(1)
  return pages[0] ?? ''
}

describe('feed create --mail', () => {
  it('Mails the page and prints it', async ({ line }) => {
    const { tag, server, run } = await mailing(line)
    const { code, output, errors } = await run(
      'feed',
      'create',
      '--user',
      `${tag}_0`,
      '--name',
      'Mail me',
      '--locale',
      'de',
      '--mail',
    )
    expect([code, errors]).toEqual([0, 'Mailed to First0 Last.\n'])
    const mail = readMail(server.mails[0]?.raw ?? '')
    expect(server.mails.map(({ to }) => to)).toEqual([['person0@example.com']])
    expect(fieldOf(mail, 'subject')).toBe('Ihr Arbeitskalender')
    expect(mail.parts[0]?.text).toContain('Guten Tag, First0,')
    expect(output).toContain(pageIn(server))
    expect(server.mails[0]?.raw).not.toContain('.ics')
  })

  it.for([
    ['1', 'First1 Last (ID) was not mailed: The mail server refused it: 550 No such user.\n'],
    ['none', 'No Mail (ID) was not mailed: No mail address of ID is known.\n'],
    ['odd', 'Odd Mail (ID) was not mailed: The Read API has no valid mail address for ID.\n'],
  ] as const)('Says who was not mailed and why: %s', async ([who, said], { line }) => {
    const { tag, server, run } = await mailing(line, refusesSome)
    const made = await run(
      'feed',
      'create',
      '--user',
      `${tag}_${who}`,
      '--name',
      'Refused',
      '--mail',
    )
    const sentence = said.replaceAll('ID', `${tag}_${who}`)
    expect([made.code, made.errors, made.logged]).toEqual([1, sentence, undefined])
    expect(made.output).toMatch(/feeds\/cfb_/)
    expect(server.mails).toEqual([])
  })

  it('A calendar for others is not mailed', async ({ line }) => {
    const { tag, run } = await mailing(line)
    const made = await run('feed', 'create', '--user', `${tag}_0`, '--user', `${tag}_1`, '--mail')
    expect([made.code, made.output.includes('cfb_')]).toEqual([1, true])
    expect(made.errors).toContain('only the person of an own one is mailed')
  })

  it.for([
    ['feed', 'create', '--user', 'usr_ada', '--name', 'None', '--mail'],
    ['feed', 'create', '--from', 'FILE', '--mail'],
  ])('A missing SMTP_URL is wrong usage, and nothing is made: %s', async (words, { line }) => {
    const file = await line.file('none.csv', 'userId,name\nusr_ada,None\n')
    const { code, output, errors } = await line.run(
      ...words.map((word) => (word === 'FILE' ? file : word)),
    )
    expect([code, output]).toEqual([2, ''])
    expect(errors).toContain('--mail needs SMTP_URL')
    const { data } = await line.json('feed', 'list', '--user', 'usr_ada')
    expect((data as readonly { name: string }[]).map(({ name }) => name)).not.toContain('None')
  })
})

describe('--mail with addresses that only this machine can open', () => {
  const elsewhere = { SMTP_URL: 'smtps://mail.invalid', MAIL_FROM: 'calendars@example.com' }

  it.for(['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:8080', 'http://0.0.0.0:8080'])(
    'Is wrong usage, and nothing is made: %s',
    async (address, { line }) => {
      const file = await line.file('here.csv', 'userId,name\nusr_ada,Here\n')
      const environment = { ...line.environment, ...elsewhere, PUBLIC_URL: address }
      for (const whom of [
        ['--user', 'usr_ada', '--name', 'Here'],
        ['--from', file],
      ]) {
        const made = await runCommand(environment, 'feed', 'create', ...whom, '--mail')
        expect([made.code, made.output]).toEqual([2, ''])
        expect(made.errors).toContain(
          `--mail needs a PUBLIC_URL that other machines can open; ${address}`,
        )
      }
      const { data } = await line.json('feed', 'list', '--user', 'usr_ada')
      expect((data as readonly { name: string }[]).map(({ name }) => name)).not.toContain('Here')
    },
  )
})

describe('feed rotate and link --mail', () => {
  it('The new page is mailed', async ({ line }) => {
    const { tag, server, run } = await mailing(line)
    const made = await run('feed', 'create', '--user', `${tag}_0`, '--name', 'Anew', '--json')
    const { id } = JSON.parse(made.output) as { id: string }
    const rotated = await run('feed', 'rotate', id, '--grace-days', '7', '--mail')
    expect([rotated.code, rotated.output.includes(pageIn(server))]).toEqual([0, true])
    expect(server.mails[0]?.raw).toContain('The old address works until')
    const link = await run('feed', 'link', id, '--label', 'phone', '--mail')
    expect([link.code, link.output.includes(pageIn(server)), server.mails.length]).toEqual([
      0,
      true,
      2,
    ])
  })
})

describe('feed rotate and link --mail for a person who cannot be mailed', () => {
  it.for(['rotate', 'link'] as const)('%s changes nothing', async (command, { line }) => {
    const { tag, run } = await mailing(line)
    const made = await run('feed', 'create', '--user', `${tag}_none`, '--json')
    const { id } = JSON.parse(made.output) as { id: string }
    const show = async (): Promise<unknown> =>
      JSON.parse((await run('feed', 'show', id, '--json')).output)
    const before = await show()
    const { code, output, errors } = await run('feed', command, id, '--label', 'default', '--mail')
    expect([code, output]).toEqual([1, ''])
    expect(errors).toContain(`No Mail (${tag}_none) was not mailed: No mail address`)
    expect(await show()).toEqual(before)
  })
})

describe('feed create --from --mail', () => {
  it('Mails every row that got an address, and no other row', async ({ line }) => {
    const { tag, server, run } = await mailing(line, refusesSome)
    const file = await line.file(
      'mail.csv',
      `userId,name\n${tag}_0,Table\n${tag}_1,Table\n${tag}_none,Table\n`,
    )
    const made = await run('feed', 'create', '--from', file, '--mail')
    const [first, second, summary] = made.errors.split('\n')
    expect([made.code, summary]).toEqual([
      1,
      '3 rows: 3 created. 1 mailed, 2 not mailed. Run a table of those rows with --rotate-existing --mail to mail a new address. You can safely run the same command again: it skips what exists and creates the rest. Write to another file.',
    ])
    expect([first, second].toSorted()).toEqual([
      `First1 Last (${tag}_1) was not mailed: The mail server refused it: 550 No such user.`,
      `No Mail (${tag}_none) was not mailed: No mail address of ${tag}_none is known.`,
    ])
    const byUser = new Map(rowsOf(made).map((row) => [row['userId'], row]))
    expect([...byUser.values()].every(({ page }) => page?.includes('/feeds/cfb_'))).toBe(true)
    expect(byUser.get(`${tag}_0`)?.['status']).toBe('mailed')
    expect(byUser.get(`${tag}_0`)?.['page']).toBe(pageIn(server))
    expect(byUser.get(`${tag}_1`)?.['status']).toBe(
      'mail refused: The mail server refused it: 550 No such user.',
    )
    expect(byUser.get(`${tag}_none`)?.['status']).toContain('mail refused: No mail address')
    const again = await run('feed', 'create', '--from', file, '--mail')
    const statuses = rowsOf(again).map(({ status, feedId = '' }) => status?.replace(feedId, 'ID'))
    const unmailed =
      'skipped: not known to have been mailed; feed rotate ID --mail mails a new address'
    expect([again.code, server.mails.length, statuses]).toEqual([
      0,
      1,
      ['skipped', unmailed, unmailed],
    ])
    expect(again.errors).toContain('2 of those skipped may never have got a mail.')
    const rotated = await run(
      'feed',
      'create',
      '--from',
      file,
      '--rotate-existing',
      '--mail',
      '--json',
    )
    const { data } = JSON.parse(rotated.output) as { data: { mail: string; userIds: string[] }[] }
    expect(data.map(({ mail }) => mail.split(':')[0]).toSorted()).toEqual([
      'mail refused',
      'mail refused',
      'mailed',
    ])
    expect(fieldOf(readMail(server.mails[1]?.raw ?? ''), 'subject')).toContain('new address')
  })

  it('An address that differs from the workforce system is a fault of its row, and nothing is made', async ({
    line,
  }) => {
    const { tag, server, run } = await mailing(line)
    const table = (first: string, second: string, third: string): Promise<string> =>
      line.file(
        'corrected.csv',
        `userId,E-mail,name,Email\n${tag}_0,x@y,Corrected,${first}\n${tag}_1,x@y,Corrected,${second}\n${tag}_none,x@y,Corrected,${third}\n`,
      )
    const wrong = await table('ada@new.example', ' Person1@EXAMPLE.com ', 'none@example.com')
    const refused = await run('feed', 'create', '--from', wrong, '--mail')
    expect([refused.code, refused.output, server.mails]).toEqual([1, '', []])
    expect(refused.errors).toContain(
      `Row 2 (${tag}_0), email "ada@new.example": The workforce system has person0@example.com: correct it there, or leave this cell empty.`,
    )
    expect(refused.errors).toContain(
      `Row 4 (${tag}_none), email "none@example.com": The workforce system has no address of this person`,
    )
    expect(refused.errors).not.toContain('Row 3')
    const right = await table('', 'PERSON1@example.com', '')
    const made = await run('feed', 'create', '--from', right, '--mail')
    expect(rowsOf(made).filter(({ status }) => status === 'mailed')).toHaveLength(2)
  })

  it('120 people are mailed and reminded over at most five connections', async ({ line }) => {
    const { tag, server, run } = await mailing(line, {}, 120)
    const rows = Array.from({ length: 120 }, (_, index) => `${tag}_${index},Many`)
    const file = await line.file('many.csv', ['userId,name', ...rows, ''].join('\n'))
    const made = await run('feed', 'create', '--from', file, '--mail')
    expect([made.code, made.errors.split('\n').at(-2)]).toEqual([
      0,
      '120 rows: 120 created. 120 mailed.',
    ])
    const pages = new Map(rowsOf(made).map(({ email, page }) => [email, page]))
    for (const { to, raw } of server.mails) {
      const [text] = readMail(raw).parts
      expect(text?.text).toContain(`\n${pages.get(to[0])}\n`)
    }
    expect([server.mails.length, server.connections.most]).toEqual([120, 5])
    const table = await line.file('made.csv', made.output)
    const reminded = await run('feed', 'remind', '--from', table)
    expect([reminded.code, server.mails.length, server.connections.most]).toEqual([0, 240, 5])
    expect(reminded.errors).toContain('Checked 60 of 120\n')
    expect(reminded.errors).toContain('120 feeds: 120 mailed.\n')
  })

  it('A stopped run makes few feeds and prints all; a second run names them and mails the rest', async ({
    line,
  }) => {
    const never = new Promise<void>(() => undefined)
    let isHanging = true
    const { tag, environment, server, run } = await mailing(
      line,
      { judge: ({ to }) => (isHanging && to[0] !== 'person0@example.com' ? never : undefined) },
      20,
    )
    const rows = Array.from({ length: 20 }, (_, index) => `${tag}_${index},Ended`)
    const file = await line.file('ended.csv', ['userId,name', ...rows, ''].join('\n'))
    const words = ['feed', 'create', '--from', file, '--mail']
    const ended = await runUntil({ at: /mailed/ }, environment, ...words)
    expect(ended.code).toBe(1)
    const printed = rowsOf(ended)
    const { data } = await line.json('feed', 'list')
    const feeds = data as readonly { id: string; userIds: readonly string[] }[]
    const made = feeds.filter(({ userIds: [id] }) => id?.startsWith(`${tag}_`))
    expect(printed.map(({ feedId }) => feedId).toSorted()).toEqual(
      made.map(({ id }) => id).toSorted(),
    )
    expect(printed.every(({ page }) => page?.includes('cfb_'))).toBe(true)
    expect(printed.length).toBeLessThanOrEqual(11)
    const refused = printed.filter(({ status }) =>
      status?.startsWith('mail refused: Stopped before'),
    )
    expect(refused).toHaveLength(printed.length - 1)
    isHanging = false
    const again = await run(...words)
    const named = rowsOf(again).filter(({ status }) => status?.includes('not known to have been'))
    const ids = (some: readonly Readonly<Record<string, string>>[]) =>
      some.map(({ userId }) => userId).toSorted()
    expect([again.code, ids(named)]).toEqual([0, ids(refused)])
    expect(server.mails).toHaveLength(1 + 20 - printed.length)
    expect(new Set(server.mails.map(({ to: [to] }) => to)).size).toBe(server.mails.length)
  })

  it('Stops when the mail server keeps failing, and mails the rest on the next run', async ({
    line,
  }) => {
    let takes = false
    const { tag, server, run } = await mailing(
      line,
      { onMailFrom: (_from, _session, done) => done(takes ? null : refusal(550, 'Not from you')) },
      40,
    )
    const rows = Array.from({ length: 40 }, (_, index) => `${tag}_${index},Down`)
    const file = await line.file('down.csv', ['userId,name', ...rows, ''].join('\n'))
    const words = ['feed', 'create', '--from', file, '--mail']
    const failed = await run(...words)
    const of = (begin: string) => rowsOf(failed).filter(({ status }) => status?.startsWith(begin))
    const refused = of('mail refused: The mail server refused it: 550 Not from you.')
    const undone = of('failed: not created and not mailed, since the mail server failed 1')
    expect([failed.code, refused.length + undone.length]).toEqual([1, 40])
    expect(refused.length).toBeLessThan(25)
    expect(undone.every(({ feedId, page }) => feedId === '' && page === '')).toBe(true)
    takes = true
    const again = await run(...words)
    expect([again.code, server.mails.length]).toEqual([0, undone.length])
  })

  it('Continues after any number of consecutive people who cannot be mailed', async ({ line }) => {
    const { tag, server, run } = await mailing(
      line,
      {
        onRcptTo: ({ address }, _session, done) =>
          done(address === 'person29@example.com' ? null : refusal(550, 'No such user')),
      },
      30,
    )
    const rows = Array.from({ length: 30 }, (_, index) => `${tag}_${index},Nobody`)
    const file = await line.file('nobody.csv', ['userId,name', ...rows, ''].join('\n'))
    const made = await run('feed', 'create', '--from', file, '--mail')
    expect([made.code, server.mails.length, rowsOf(made).length]).toEqual([1, 1, 30])
    expect(made.errors).toContain('30 created. 1 mailed, 29 not mailed.')
  })
})
