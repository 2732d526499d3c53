/* The systemd units of deploy/. */
import { deployed } from './files.ts'

export const services = ['calendar-feed-bridge.service', 'calendar-feed-bridge-backup.service']

/** Each line of a unit that sets something, without those that are only a comment. */
export function linesOf(unit: string): readonly string[] {
  const text = deployed(`systemd/${unit}`)
  return text.split('\n').filter((line) => /^\w+=/.test(line))
}

/** Every value that a unit gives to that key. */
export function valuesOf(unit: string, key: string): readonly string[] {
  return linesOf(unit).flatMap((line) =>
    line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : [],
  )
}
