import type { AppError, InputFault } from '../domain/errors.ts'

/** Members of inputs that a flag of another name gives. */
const otherFlags: ReadonlyMap<string, string> = new Map([
  ['userIds', '--user'],
  ['userId', '--user'],
  ['companyId', '--company'],
])

const candidatesHint = 'bridge feed candidates lists the people for whom feeds can be made.'

/** What is wrong, each in a line: of a table by row and column, and last that nothing came of it, or how much more there is; else by the flag that gave it. */
export function faultLines({ message, faults, moreFaults }: AppError): readonly string[] {
  if (faults.length === 0) return [message]
  const lines = faults.map((fault) =>
    isOfTable(fault) ? fault.detail : `${flagOf(fault)}: ${fault.detail}`,
  )
  const hint = faults.some(isOfPerson) ? [candidatesHint] : []
  const isSaid = moreFaults > 0 || faults.some(isOfTable)
  return [...lines, ...hint, ...(isSaid ? [message] : [])]
}

function isOfPerson({ pointer }: InputFault): boolean {
  return /\/userIds\/\d+$/.test(pointer)
}

/** Whether something was said that no command takes, as against what is not there or not in order. */
export function isWrongUsage({ faults }: AppError): boolean {
  return faults.some((fault) => !fault.pointer.startsWith('/userIds') && !isOfTable(fault))
}

function isOfTable({ pointer }: InputFault): boolean {
  return /^\/\d/.test(pointer)
}

/** `--grace-days`; of an option of feeds also which one, `--options (leaves.detail)`. */
function flagOf({ pointer }: InputFault): string {
  const [, member = '', ...rest] = pointer.split('/')
  const inKebab = member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const flag = otherFlags.get(member) ?? `--${inKebab}`
  return member === 'options' && rest.length > 0 ? `${flag} (${rest.join('.')})` : flag
}
