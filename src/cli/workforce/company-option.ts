import { InvalidArgumentError, Option } from 'commander'

/** Which company of the Read API is meant. */
export function companyOption(): Option {
  return new Option('--company <id>', 'which company, if not main').argParser(companyId)
}

function companyId(value: string): string {
  // Addresses take one dot or two for a step.
  if (/^(?!\.{1,2}$)[\w.-]{1,64}$/.test(value)) return value
  throw new InvalidArgumentError(
    'It must be 1 to 64 letters, digits, or any of _ . -, not dots alone',
  )
}
