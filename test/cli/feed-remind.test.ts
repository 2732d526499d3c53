/* Reminders: a new link by mail to people who have not subscribed, by a real mail server. */
import { DatabaseSync } from 'node:sqlite'

import { describe, expect } from 'vitest'

import { startBridge } from '../support/bridge/bridge.ts'
import { it, runCommand, type TestCommandLine } from '../support/bridge/command-line.ts'
import { mailing, type MailingLine, rowsOf } from '../support/bridge/mailing-line.ts'
import { refusal } from '../support/web/mail-server.ts'
import { fieldOf, readMail } from '../support/web/read-mail.ts'

const dayMs = 86_400_000

interface MadeFeed {
  readonly id: string
  readonly links: readonly {
    readonly label: string
    readonly endsAt: string | null
    readonly url: string
  }[]
}

async function make({ run }: MailingLine, ...words: readonly string[]): Promise<MadeFeed> {
  return JSON.parse((await run('feed', 'create', ...words, '--json')).output) as MadeFeed
}

async function linksOf({ run }: MailingLine, id: string): Promise<MadeFeed['links']> {
  return (JSON.parse((await run('feed', 'show', id, '--json')).output) as MadeFeed).links
}

/** All that was done so far was done so many days earlier. */
function agePassed({ environment }: TestCommandLine, days: number): void {
  const database = new DatabaseSync((environment['DATABASE_URL'] ?? '').replace('file:', ''))
  database.prepare('update audit set at = at - ?').run(days * dayMs)
  database.prepare('update lost_links set asked_at = asked_at - ?').run(days * dayMs)
  database.prepare('update links set created_at = created_at - ?').run(days * dayMs)
  database.close()
}

/** A calendar program asks for each of the feeds. */
async function subscribe(line: MailingLine, ...feeds: readonly MadeFeed[]): Promise<void> {
  const bridge = await startBridge({ environment: line.environment })
  for (const { links } of feeds) {
    const { pathname } = new URL(links[0]?.url ?? '')
    const polled = await fetch(new URL(pathname, bridge.listensAt), {
      headers: { 'User-Agent': 'iOS/18.5 (22F76) dataaccessd/1.0' },
    })
    expect(polled.status).toBe(200)
  }
  await bridge.close()
}

describe('feed remind --never-polled', () => {
  it('Mails a new link once a day and ends nothing; waiting links do not pile up', async ({
    line,
  }) => {
    const mail = await mailing(line)
    const { tag, server, run } = mail
    const quiet = await make(mail, '--user', `${tag}_0`, '--name', 'Quiet', '--locale', 'de')
    const polled = await make(mail, '--user', `${tag}_1`, '--name', 'Polled')
    await subscribe(mail, polled)
    const first = await run('feed', 'remind', '--never-polled')
    expect([first.code, first.errors]).toEqual([0, '1 feed: 1 mailed.\n'])
    expect(rowsOf(first)).toMatchObject([
      {
        userId: `${tag}_0`,
        displayName: 'First0 Last',
        feedId: quiet.id,
        label: 'mail',
        status: 'mailed',
        url: '',
        page: '',
      },
    ])
    const [received] = server.mails
    expect([received?.to, fieldOf(readMail(received?.raw ?? ''), 'subject')]).toEqual([
      ['person0@example.com'],
      'Ihr Arbeitskalender wartet auf Sie',
    ])
    const [page = ''] =
      /http\S+cfb_[\w-]{43}/.exec(readMail(received?.raw ?? '').parts[0]?.text ?? '') ?? []
    const bridge = await startBridge({ environment: mail.environment })
    expect((await fetch(new URL(new URL(page).pathname, bridge.listensAt))).status).toBe(200)
    await bridge.close()
    const again = await run('feed', 'remind', '--never-polled', '--json')
    expect([again.code, JSON.parse(again.output)]).toMatchObject([
      0,
      {
        data: [
          { feedId: quiet.id, status: 'skipped: was mailed a link within a day, or may have been' },
        ],
      },
    ])
    for (let day = 0; day < 4; day += 1) {
      agePassed(line, 1)
      expect((await run('feed', 'remind', '--never-polled')).code).toBe(0)
    }
    expect(server.mails).toHaveLength(5)
    const links = await linksOf(mail, quiet.id)
    const open = links.filter(({ endsAt }) => endsAt === null || Date.parse(endsAt) > Date.now())
    expect(links.map(({ label }) => label)).toContain('default')
    expect(open.filter(({ endsAt }) => endsAt === null).map(({ label }) => label)).toEqual([
      'default',
      'mail',
    ])
    expect(open).toHaveLength(4)
    const audit = await run('audit', '--feed', quiet.id, '--json')
    const entries = JSON.parse(audit.output) as {
      data: { actor: string; action: string; label: string }[]
    }
    expect(entries.data.filter(({ action }) => action === 'mail_sent')).toHaveLength(5)
    expect(new Set(entries.data.map(({ actor }) => actor))).toEqual(new Set(['command-line']))
  })

  it('Two runs at once mail each person only once', async ({ line }) => {
    const mail = await mailing(line, {}, 5)
    const { tag, server, run } = mail
    for (let who = 0; who < 5; who += 1) {
      await make(mail, '--user', `${tag}_${who}`, '--name', 'Once')
    }
    const both = await Promise.all([
      run('feed', 'remind', '--never-polled'),
      run('feed', 'remind', '--never-polled'),
    ])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const mailed = server.mails.map(({ to }) => to[0]).toSorted()
    expect(mailed).toEqual([0, 1, 2, 3, 4].map((who) => `person${who}@example.com`))
  })

  it('Names each person who was not mailed, and fails if a mail was refused', async ({ line }) => {
    const mail = await mailing(line, {
      onRcptTo: ({ address }, _session, answer) =>
        answer(address.startsWith('person1@') ? refusal(550, 'No such user') : null),
    })
    const { tag, run } = mail
    for (const who of ['0', '1', 'none'])
      await make(mail, '--user', `${tag}_${who}`, '--name', 'Who')
    const said = await run('feed', 'remind', '--never-polled')
    expect(said.code).toBe(1)
    const byUser = new Map(rowsOf(said).map(({ userId, status }) => [userId, status]))
    expect(byUser.get(`${tag}_0`)).toBe('mailed')
    expect(byUser.get(`${tag}_1`)).toBe(
      'mail refused: The mail server refused it: 550 No such user.',
    )
    expect(byUser.get(`${tag}_none`)).toContain('mail refused: No mail address')
    expect(said.errors).toContain(
      `First1 Last (${tag}_1) was not mailed: The mail server refused it`,
    )
    expect(said.errors).toMatch(/^\d+ feeds: .*\. You can safely run the same command again/m)
    for (const count of ['1 mailed', '2 mail refused']) expect(said.errors).toContain(count)
  })
})

describe('feed remind --from', () => {
  it('A person who has subscribed or cannot be reminded gets a line that says so', async ({
    line,
  }) => {
    const mail = await mailing(line, {}, 5)
    const { tag, server, run } = mail
    const alone = (who: number): Promise<MadeFeed> =>
      make(mail, '--user', `${tag}_${who}`, '--name', 'Alone')
    const [polled, ended, left, quiet] = [
      await alone(0),
      await alone(1),
      await alone(2),
      await alone(3),
    ]
    const shared = await make(mail, '--user', `${tag}_0`, '--user', `${tag}_1`)
    const orphan = await make(mail, '--user', `${tag}_4`, '--name', 'Orphan')
    await subscribe(mail, polled)
    await run('feed', 'revoke', ended.id)
    line.company.records.users = line.company.records.users.map((user) =>
      user.id === `${tag}_2` ? { ...user, isActive: false } : user,
    )
    const database = new DatabaseSync((line.environment['DATABASE_URL'] ?? '').replace('file:', ''))
    database.prepare("update feeds set company_id = 'gone' where id = ?").run(orphan.id)
    database.close()
    const ids = [polled, ended, left, shared, orphan, quiet].map(({ id }) => `,${id}`)
    const file = await line.file(
      'remind.csv',
      ['userId,feedId', ...ids, `${tag}_3,`, ''].join('\n'),
    )
    const said = await run('feed', 'remind', '--from', file, '--json')
    const { data } = JSON.parse(said.output) as { data: { feedId: string; status: string }[] }
    const status = ({ id }: MadeFeed): string | undefined =>
      data.find(({ feedId }) => feedId === id)?.status
    expect([said.code, data.length]).toEqual([0, 6])
    expect(status(polled)).toBe('skipped: has subscribed already')
    expect(status(ended)).toBe('skipped: has ended')
    expect(status(left)).toBe('skipped: the person has left')
    expect(status(shared)).toBe('skipped: a calendar for others: nobody’s own')
    expect(status(orphan)).toBe('skipped: no company "gone" is set up')
    expect(status(quiet)).toBe('mailed')
    expect(server.mails.map(({ to }) => to)).toEqual([['person3@example.com']])
    expect((await linksOf(mail, polled.id)).map(({ label }) => label)).toEqual(['default'])
  })

  it('A row that names no feed refuses the whole table, and no mail is sent', async ({ line }) => {
    const mail = await mailing(line)
    const { tag, server, run } = mail
    const { id } = await make(mail, '--user', `${tag}_0`, '--name', 'Named')
    const file = await line.file('typo.csv', `feedId\n${id}\nfeed_typo\n`)
    const said = await run('feed', 'remind', '--from', file)
    expect([said.code, said.output, server.mails]).toEqual([1, '', []])
    expect(said.errors).toContain('There is no feed "feed_typo".')
  })
})

describe('wrong usage of feed remind', () => {
  it.for([
    [[], {}, '--never-polled or --from FILE.csv'],
    [
      ['--never-polled', '--from', 'x.csv'],
      {},
      "'--from <file.csv>' cannot be used with option '--never-polled'",
    ],
    [['--never-polled'], {}, 'Feed remind needs SMTP_URL'],
    [
      ['--never-polled'],
      { SMTP_URL: 'smtps://mail.invalid', MAIL_FROM: 'calendars@example.com' },
      'Feed remind needs a PUBLIC_URL that other machines can open',
    ],
  ] as const)('%j with %j', async ([words, settings, sentence], { line }) => {
    const said = await runCommand({ ...line.environment, ...settings }, 'feed', 'remind', ...words)
    expect([said.code, said.output]).toEqual([2, ''])
    expect(said.errors).toContain(sentence)
  })
})
