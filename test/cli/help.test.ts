import { expect, it } from 'vitest'

import { runCommand } from '../support/command-line.ts'

it('help shows an example of each command', async () => {
  const commands = [
    ['serve'],
    ['export'],
    ['doctor'],
    ['erase'],
    ...['create', 'candidates', 'list', 'show', 'update', 'link', 'rotate', 'revoke'].map(
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

it('the versions are also there as JSON', async () => {
  const { code, output } = await runCommand({}, '--json', '--version')
  expect([code, Object.keys(JSON.parse(output) as object)]).toEqual([
    0,
    ['version', 'node', 'sqlite', 'timeZones'],
  ])
})
