import { describe, expect, it } from 'vitest'

import { patchOptions } from '../../../src/feeds/feed-options.ts'
import { listOptions } from '../../../src/feeds/feed-options.ts'
import { openApiDocument } from '../../../src/http/api/openapi.ts'
import { runCommand } from '../../support/bridge/command-line.ts'

const options = listOptions()

describe('options', () => {
  it.each(options)('the example of $name can be set unchanged', ({ example }) => {
    expect(patchOptions({}, JSON.parse(example))).toEqual(JSON.parse(example))
  })

  it.each(['create', 'update'])('the help of feed %s describes every option', async (command) => {
    const { output } = await runCommand({}, 'feed', command, '--help')
    for (const { name, meaning, example } of options) {
      expect(output).toContain(`  ${name}: `)
      expect(output).toContain(meaning)
      expect(output).toContain(example)
    }
  })

  it.each(['FeedOptions', 'OwnOptions'])(
    'the schema %s of the API describes every option',
    (name) => {
      const { schemas } = Object(openApiDocument('http://x').components)
      for (const { name: option, meaning, example } of options) {
        const steps = option.split('.')
        const place = steps.reduce<unknown>(
          (at, step) => Object(at).properties[step],
          schemas[name],
        )
        const value = steps.reduce<unknown>((at, step) => Object(at)[step], JSON.parse(example))
        expect(place).toMatchObject({
          description: expect.stringMatching(/ Default: /),
          examples: [value],
        })
        expect(Object(place).description).toContain(meaning)
      }
    },
  )

  it('defaults differ by audience', () => {
    const detail = options.find(({ name }) => name === 'leaves.detail')
    expect(detail).toMatchObject({
      values: 'absent, type, full',
      defaults: { own: '"type"', others: '"absent"' },
      example: '{"leaves":{"detail":"full"}}',
    })
  })
})
