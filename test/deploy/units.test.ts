import { readdirSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'

import { describe, expect, inject, it } from 'vitest'

import { runCommand } from '../support/bridge/command-line.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'
import { linesOf, services, valuesOf } from '../support/deploy/units.ts'

const [service = '', backup = ''] = services

describe('deploy/systemd', () => {
  it('both services are confined in the same way, and run as the same account', () => {
    const confining =
      /^(?:User|WorkingDirectory|UMask|ReadWrite|Private|Protect|Restrict|Remove|Lock|NoNew|Capability|SystemCall)/
    const confined = (unit: string): readonly string[] =>
      linesOf(unit).filter((line) => confining.test(line))
    expect(confined(service).length).toBeGreaterThan(20)
    expect(confined(backup)).toEqual(confined(service))
  })

  it('the nightly command keeps its copies in the folder that the unit makes', async () => {
    const [command = ''] = valuesOf(backup, 'ExecStart')
    const [program, ...words] = command.split(' ')
    expect([program, ...words.slice(0, 2)].join(' ')).toBe(
      valuesOf(service, 'ExecStart')[0]?.replace(/ serve$/, ' backup'),
    )
    expect(valuesOf(backup, 'StateDirectory')).toHaveLength(1)
    const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'state-'))
    const environment = { DATABASE_URL: migratedSqliteDatabase() }
    const filled = words.slice(1).map((word) => word.replace('${STATE_DIRECTORY}', folder))
    expect(await runCommand(environment, ...filled)).toMatchObject({ code: 0 })
    expect(readdirSync(folder)).toHaveLength(1)
  })
})
