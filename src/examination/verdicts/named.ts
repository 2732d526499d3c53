/** Settings name what is not there. */
export interface NamedInVain {
  readonly ok: false
  readonly gone: readonly string[]
  /** What settings name and is there. */
  readonly kept: readonly string[]
}

/** Which of the ids that settings name are not there; undefined where all are. */
export function judgeNamed(
  named: readonly string[],
  isThere: (id: string) => boolean,
): NamedInVain | undefined {
  const kept = named.filter(isThere)
  if (kept.length === named.length) return undefined
  return { ok: false, gone: named.filter((id) => !kept.includes(id)), kept }
}
