/* Writes Apple's property lists, as far as profiles need them. */
import { escaped } from '../../dav/xml.ts'

export type PlistValue =
  | string
  | number
  | boolean
  | readonly PlistValue[]
  | { readonly [key: string]: PlistValue }

const head = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">`

export function writePlist(value: PlistValue): string {
  return `${head}\n${element(value)}\n</plist>\n`
}

function element(value: PlistValue): string {
  if (typeof value === 'string') return `<string>${escaped(value)}</string>`
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>'
  if (isList(value)) return `<array>\n${value.map(element).join('\n')}\n</array>`
  const members = Object.entries(value).map(
    ([key, member]) => `<key>${escaped(key)}</key>\n${element(member)}`,
  )
  return `<dict>\n${members.join('\n')}\n</dict>`
}

function isList(value: PlistValue): value is readonly PlistValue[] {
  return Array.isArray(value)
}
