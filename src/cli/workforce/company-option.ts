import { InvalidArgumentError, Option } from 'commander'

/** Which company of the Read API is meant. */
export function companyOption(): Option {
  return new Option('--company <id>', 'which company, if not main').argParser(companyId)
}

function companyId(value: string): string {
  if (/^[\w.-]{1,64}$/.test(value)) return value
  throw new InvalidArgumentError('It must be 1 to 64 letters, digits, or any of _ . -')
}
