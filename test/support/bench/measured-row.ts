/** A row of the table of speed, without the command that repeats it. */
export interface MeasuredRow {
  readonly measure: string
  readonly against: string
  /** What is promised: a bound from below, or one from above. */
  readonly bound: { readonly least: number } | { readonly most: number }
  readonly measured: number
  /** The same by the time of the processor that each costs, where it is measured by the clock. */
  readonly byProcessor?: number
}

/** Hands it to the benchmark that has started this process. */
export function tellRatio(row: MeasuredRow): void {
  console.log(JSON.stringify(row))
}
