import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { hashEvent } from '../../src/calendar/vevent.ts'
import type { Revision } from '../../src/domain/calendar-event.ts'
import type { Ledger } from '../../src/domain/ledger.ts'
import { type RevisedLedger, Revisions } from '../../src/publishing/ledger.ts'

const dayMs = 86_400_000
const start = Date.UTC(2026, 0, 5, 12)
const empty: Ledger = { version: 0, entries: new Map() }

interface Shown extends Pick<RevisedLedger, 'changed'> {
  /** As the store keeps it. */
  readonly ledger: Ledger
  readonly revisions: ReadonlyMap<string, Revision>
}

/** Shows these; for what is named in `without`, which are the last, there is no room. */
function show(
  ledger: Ledger,
  contents: Readonly<Record<string, string>>,
  now: number,
  without: readonly string[] = [],
): Shown {
  const revisions = new Revisions(ledger, now)
  const asked = Object.entries(contents).map(
    ([uid, content]) => [uid, revisions.of(hashEvent(uid, content))] as const,
  )
  const { ledger: next, changed } = revisions.after(asked.length - without.length)
  return {
    ledger: { ...next, entries: new Map(next.entries) },
    changed,
    revisions: new Map(asked),
  }
}

describe('the change time', () => {
  it('is the second in which this feed first showed the event in this form', () => {
    const { revisions } = show(empty, { a: 'one' }, start + 999)
    expect(revisions.get('a')).toMatchObject({ sequence: 0, changedAt: start })
  })

  it('never decreases, even if the clock of a node is behind', () => {
    const first = show(empty, { a: 'one' }, start)
    const second = show(first.ledger, { a: 'two' }, start - 60_000)
    expect(second.revisions.get('a')).toMatchObject({ sequence: 1, changedAt: start })
  })
})

describe('the revision', () => {
  it('does not change with the same content', () => {
    const first = show(empty, { a: 'one', b: 'one' }, start)
    const second = show(first.ledger, { a: 'one', b: 'one' }, start + dayMs)
    expect(second.changed).toBe(false)
    expect(second.revisions).toEqual(first.revisions)
  })

  it('is SEQUENCE + 1 and the current time for exactly the event with other content', () => {
    const first = show(empty, { a: 'one', b: 'one' }, start)
    const second = show(first.ledger, { a: 'two', b: 'one' }, start + dayMs)
    expect(second.changed).toBe(true)
    expect(second.revisions.get('a')).toMatchObject({ sequence: 1, changedAt: start + dayMs })
    expect(second.revisions.get('b')).toEqual(first.revisions.get('b'))
  })

  it('continues counting for an event that disappears and returns', () => {
    const shown = show(empty, { a: 'one' }, start)
    const gone = show(shown.ledger, {}, start + dayMs)
    expect(gone.changed).toBe(true)
    const back = show(gone.ledger, { a: 'two' }, start + 2 * dayMs)
    expect(back.revisions.get('a')?.sequence).toBe(1)
  })

  it('an event without room is gone until there is room', () => {
    const shown = show(empty, { a: 'one', b: 'one' }, start)
    const cut = show(shown.ledger, { a: 'one', b: 'two' }, start + dayMs, ['b'])
    expect([cut.changed, [...cut.ledger.entries.values()].map(({ goneAt }) => goneAt)]).toEqual([
      true,
      [null, start + dayMs],
    ])
    const still = show(cut.ledger, { a: 'one', b: 'three' }, start + 2 * dayMs, ['b'])
    expect(still.changed).toBe(false)
    const back = show(still.ledger, { a: 'one', b: 'three' }, start + 3 * dayMs)
    expect(back.revisions.get('b')).toMatchObject({ sequence: 1, changedAt: start + 3 * dayMs })
  })

  it('an event never shown for lack of room is not in the ledger', () => {
    const cut = show(empty, { a: 'one', b: 'one' }, start, ['b'])
    expect(cut.ledger.entries.size).toBe(1)
  })

  it('is forgotten 400 days after the event was last seen, not earlier', () => {
    const shown = show(empty, { a: 'one' }, start)
    const gone = show(shown.ledger, {}, start)
    const kept = show(gone.ledger, {}, start + 400 * dayMs)
    expect([kept.changed, kept.ledger.entries.size]).toEqual([false, 1])
    expect(show(gone.ledger, {}, start + 401 * dayMs).ledger.entries.size).toBe(0)
  })

  it('rises exactly when the content differs from the last one shown, over any history', () => {
    const uid = fc.constantFrom('a', 'b', 'c')
    const calendar = fc.dictionary(uid, fc.constantFrom('one', 'two', 'three'))
    fc.assert(
      fc.property(fc.array(calendar, { maxLength: 12 }), (history) => {
        let ledger = empty
        const before = new Map<string, { content: string; sequence: number }>()
        for (const [day, contents] of history.entries()) {
          const revised = show(ledger, contents, start + day * dayMs)
          for (const [name, content] of Object.entries(contents)) {
            const earlier = before.get(name)
            const rise = earlier && earlier.content !== content ? 1 : 0
            const sequence = (earlier?.sequence ?? 0) + rise
            expect(revised.revisions.get(name)?.sequence).toBe(sequence)
            before.set(name, { content, sequence })
          }
          ledger = revised.ledger
        }
      }),
    )
  })
})
