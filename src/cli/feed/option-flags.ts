import { Option } from 'commander'

import { leaveDetails } from '../../domain/leave.ts'
import { minutesOrNone } from '../option-values.ts'

/** Options of a feed that have flags of their own. */
export interface OptionFlags {
  readonly leaveDetail?: string
  readonly reminder?: number | 'none'
  readonly options?: Readonly<Record<string, unknown>>
}

/** What the flags mean as options; what stands in them stands over what is written as JSON. */
export function optionsOf({ options, leaveDetail, reminder }: OptionFlags): object | undefined {
  const flags = {
    ...(leaveDetail !== undefined && {
      leaves: { ...Object(options?.['leaves']), detail: leaveDetail },
    }),
    ...(reminder !== undefined && { reminderMinutes: reminder === 'none' ? null : reminder }),
  }
  return options === undefined && Object.keys(flags).length === 0
    ? undefined
    : { ...options, ...flags }
}

/** `--leave-detail` and `--reminder`. */
export function optionFlags(): readonly Option[] {
  return [
    new Option('--leave-detail <detail>', 'how much it says of a leave').choices(leaveDetails),
    new Option(
      '--reminder <minutes>',
      'reminds so long before what has a time begins, or none',
    ).argParser(minutesOrNone),
  ]
}
