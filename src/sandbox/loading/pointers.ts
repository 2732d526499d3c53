/** The steps as an RFC 6901 pointer. */
export function pointerOf(...steps: readonly PropertyKey[]): string {
  return steps
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}
