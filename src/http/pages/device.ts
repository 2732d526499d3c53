import type { Request } from 'express'

import { namesIn } from '../../domain/kinds.ts'

/** The devices for which a page has words, as the labels of their links. The first whose pattern fits counts. */
const devices = {
  iPhone: /iPhone|iPod|\biOS\b/i,
  iPad: /iPad/i,
  Android: /Android/i,
  Mac: /mac/i,
  Windows: /Windows/i,
  Linux: /Linux|X11|CrOS|Chrom(?:e|ium) OS/i,
  Computer: /^/,
} as const satisfies Readonly<Record<string, RegExp>>

export type Device = keyof typeof devices

/** The reader's device: from the platform that the browser reports, otherwise from its `User-Agent`. */
export function deviceOf({ headers }: Pick<Request, 'headers'>): Device {
  const platform = String(headers['sec-ch-ua-platform'] ?? headers['user-agent'])
  return namesOfDevices.find((name) => devices[name].test(platform)) ?? 'Computer'
}

const namesOfDevices = namesIn(devices)

/** The label, with a number behind it if links have it already: "iPhone 2". */
export function freeLabel(label: string, taken: readonly string[]): string {
  const used = new Set(taken.map((it) => it.toLowerCase()))
  let free = label
  for (let number = 2; used.has(free.toLowerCase()); number += 1) free = `${label} ${number}`
  return free
}

/** Whether `freeLabel` may have made it of that label. */
export function isNumbered(label: string, of: string): boolean {
  return label.startsWith(of) && /^(?: \d+)?$/.test(label.slice(of.length))
}
