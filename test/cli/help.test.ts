import { expect, it } from 'vitest'

import { runCommand } from '../support/bridge/command-line.ts'

it('export reports its result as JSON only for a file', async () => {
  const { code, output, errors } = await runCommand({}, 'export', '--user', 'usr_x', '--json')
  expect([code, output, errors]).toEqual([2, '', '--json needs --output FILE.\n'])
})

it('Help shows an example of each command', async () => {
  const commands = [
    ['serve'],
    ['explain'],
    ['export'],
    ['doctor'],
    ['erase'],
    ...['create', 'candidates', 'list', 'show', 'update', 'link', 'remind', 'rotate', 'revoke'].map(
      (word) => ['feed', word],
    ),
    ...['serve', 'import', 'sample'].map((word) => ['workforce', word]),
  ]
  for (const command of commands) {
    const { code, output } = await runCommand({}, ...command, '--help')
    expect(code).toBe(0)
    expect(output).toMatch(new RegExp(`Examples?:\n.*bridge ${command.join(' ')}`))
    expect(output).toMatch(/--(json|output)/)
  }
  expect((await runCommand({}, 'nonsense')).code).toBe(2)
})

it.each([
  ['feed', 'rotate', '--help'],
  ['feed', 'help', 'rotate'],
])('%s %s %s shows the help of that command', async (...words) => {
  const { code, output, errors } = await runCommand({}, ...words)
  expect([code, errors]).toEqual([0, ''])
  expect(output).toMatch(/^Usage: bridge feed rotate /)
})

it.each([
  [['nonsense'], "Unknown command 'nonsense'; see `bridge --help`."],
  [['feed', 'lst', 'x'], "Unknown command 'lst'; did you mean `list`?"],
  [['feed', 'list', '--port', '1'], "Unknown option '--port'; see `bridge feed list --help`."],
  [['serve', '--port', '1'], "Unknown option '--port'; see `bridge serve --help`."],
  [['feed', 'create', 'usr_ada'], 'see `bridge feed create --help`.'],
])('%j is wrong usage, reported in one sentence', async (words, sentence) => {
  const { code, output, errors } = await runCommand({}, ...words)
  expect([code, output]).toEqual([2, ''])
  expect(errors).toContain(sentence)
  expect(errors.split('\n')).toHaveLength(2)
})

it('The versions are also available as JSON', async () => {
  const { code, output } = await runCommand({}, '--json', '--version')
  expect([code, Object.keys(JSON.parse(output) as object)]).toEqual([
    0,
    ['version', 'node', 'sqlite', 'timeZones'],
  ])
})
