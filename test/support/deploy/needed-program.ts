import { accessSync, constants } from 'node:fs'
import path from 'node:path'

const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin']

/** The path of a program that only long tests need; fails with the Debian package that has it. */
export function neededProgram(name: string, packageName: string): string {
  const found = folders.map((folder) => path.join(folder, name)).find(isProgram)
  if (found === undefined) {
    throw new Error(`This test needs ${name}: install the Debian package ${packageName}.`)
  }
  return found
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
