/* What the proxies' files say of logs, since addresses are secrets. The long tests run real proxies with them. */
import { describe, expect, it } from 'vitest'

import { deployed } from '../support/deploy/files.ts'

const secret = 'cfb_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde'

/** By what a request asks for: what the log says of it. */
const places: Readonly<Record<string, string>> = {
  '/': '/',
  '/healthz': '/healthz',
  [`/feeds/${secret}/ada.ics`]: '/feeds/***',
  [`/feeds/${secret}`]: '/feeds/***',
  [`/feeds/%63fb_${secret.slice(4)}/a.ics`]: '/feeds/***',
  [`/calendar/feeds/${secret}/ada.ics`]: '/calendar/feeds/***',
  '/api/feeds?userId=usr_ada': '/api/feeds/***',
  '/console/people/usr_ada': '/console/***',
  [`/sign-in/callback?code=${secret}`]: '/sign-in/***',
  [`/feed%73/${secret}`]: '/feed/***',
  [`/${secret}`]: '/cfb/***',
  [`https://calendar.example.com/feeds/${secret}/ada.ics`]: '/***',
}

/* nginx writes the request line, and with it the secret, into its error log whenever the bridge does not answer; a request that
   it cannot read meets no location, and the server of its port that is the default. */
describe('deploy/nginx', () => {
  const recipe = deployed('nginx/calendar-feed-bridge.conf')
  const servers = recipe.split(/^server \{$/m).slice(1)

  it('redirects http and serves https', () => {
    expect(servers.map((server) => /listen (\d+)/.exec(server)?.[1])).toEqual(['443', '80'])
  })

  it('keeps addresses out of every log', () => {
    for (const server of servers) {
      const [own = '', ...locations] = server.split(/^ *location /m)
      expect(own).toMatch(/^ *access_log \S+ calendar;$/m)
      expect(own).toMatch(/^ *error_log \/dev\/null;$/m)
      const listens = own.match(/^ *listen .*$/gm) ?? []
      expect(listens).toHaveLength(2)
      for (const line of listens) expect(line).toMatch(/ default_server;$/)
      expect(locations.join('')).not.toMatch(/_log\b/)
    }
    const [, format = ''] = /^log_format calendar ([^;]*);/m.exec(recipe) ?? []
    expect(new Set(format.match(/\$\w+/g))).toEqual(
      new Set([
        '$remote_addr',
        '$time_iso8601',
        '$request_method',
        '$calendar_place',
        '$server_protocol',
        '$status',
        '$body_bytes_sent',
        '$request_time',
        '$upstream_addr',
        '$upstream_status',
      ]),
    )
  })

  it.each(Object.entries(places))('logs %s as %s', (asked, logged) => {
    const [, map = ''] = /^map \$request_uri \$calendar_place \{([^]*?)^\}/m.exec(recipe) ?? []
    const rules = [...map.matchAll(/"~(\S+)" +(\S+);/g)]
    expect(rules).toHaveLength(2)
    const [rule, found] = rules
      .map(([, pattern = '', value = '']) => [value, new RegExp(pattern).exec(asked)] as const)
      .find(([, match]) => match) ?? ['/***', null]
    const place = found?.groups?.['place'] ?? ''
    expect(rule.replace('$request_uri', asked).replace('$place', place)).toBe(logged)
  })
})

describe('deploy/caddy', () => {
  const recipe = deployed('caddy/Caddyfile')

  it('every line of its log is without addresses and headers', () => {
    expect(recipe).toMatch(/^\tlog default \{\n\t\tformat filter \{$/m)
    expect(recipe).toMatch(/^\t\t\t\trequest>headers delete$/m)
    expect(recipe).toMatch(/^\t\t\t\tresp_headers delete$/m)
    expect(recipe.match(/^\s*log\b.*$/gm)).toEqual(['\tlog default {', '\tlog'])
  })

  it.each(Object.entries(places))('logs %s as %s', (asked, logged) => {
    const [, pattern = '', value = ''] = /request>uri regexp "(.*)" "(.*)"/.exec(recipe) ?? []
    // Go takes a group that did not match for nothing, as JavaScript does.
    expect(asked.replace(new RegExp(pattern), value)).toBe(logged)
  })
})
