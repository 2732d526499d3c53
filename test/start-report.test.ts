import { expect, it } from 'vitest'

import { startLines } from '../src/start-report.ts'

/** What is printed where that is the public address. */
function printed(publicUrl: string): string {
  return startLines({ listensAt: 'http://0.0.0.0:8080', publicUrl }, undefined).join('\n')
}

it.each(['http://0.0.0.0:8080', 'http://[::]:8080'])('%s is no address to hand out', (url) => {
  expect(printed(url)).toContain('Set PUBLIC_URL')
})

it.each(['http://127.0.0.1:8080', 'https://0.0.0.0.example.com', 'https://calendar.example.com/a'])(
  '%s is one',
  (url) => {
    expect(printed(url)).not.toContain('PUBLIC_URL')
  },
)
