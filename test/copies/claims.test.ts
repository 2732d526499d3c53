/* What the claims to an answer's leaves say, and what several readings of it come to: for any claims and any readings. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { agreed, type Claims, claimsAmong, isUnnoted } from '../../src/copies/proof/ownership.ts'
import { type LeaveClaim, ownerLapsesAfterMs, claimsAfter, isFree } from '../../src/domain/leave.ts'

const now = Date.UTC(2026, 0, 5, 8)
const person = 'usr_ada'
const others = ['usr_bob', 'usr_cleo', 'usr_dan', 'usr_eve', 'usr_fay', 'usr_gil']
const leaveIds = Array.from({ length: 8 }, (_, index) => `lv_${index}`)

const absentSince = fc.constantFrom(
  null,
  null,
  now,
  now - ownerLapsesAfterMs + 1,
  now - ownerLapsesAfterMs,
)

/** The claims to one leave, of which one at most is its owner's. */
function claimsTo(leaveId: string): fc.Arbitrary<readonly LeaveClaim[]> {
  const users = fc.subarray([person, ...others], { maxLength: 4 })
  const claim = fc.record({ absentSince, isGone: fc.boolean() })
  return fc
    .tuple(users, fc.array(claim, { minLength: 4, maxLength: 4 }), fc.nat({ max: 4 }))
    .map(([claimants, claims, owner]) =>
      claimants.map((userId, index) => ({
        leaveId,
        userId,
        isOwner: index === owner,
        since: 0,
        ...claims[index]!,
      })),
    )
}

const allClaims = fc.tuple(...leaveIds.map(claimsTo)).map((claims) => claims.flat())
const ids = fc.subarray(leaveIds).map((some) => new Set(some))
const readings = fc.array(ids, { minLength: 1, maxLength: 3 })

function amongOf(claims: readonly LeaveClaim[]): Claims {
  return claimsAmong(claims, person, leaveIds, now)
}

function to(claims: readonly LeaveClaim[], leaveId: string): readonly LeaveClaim[] {
  return claims.filter((claim) => claim.leaveId === leaveId)
}

describe('claims', () => {
  it('A leave that a reading would give to the person is fresh or already theirs', () => {
    fc.assert(
      fc.property(allClaims, (claims) => {
        const { own, fresh } = amongOf(claims)
        for (const leaveId of leaveIds) {
          const reading = { leaveId, userId: person, isPresent: true, now, isGone: false }
          const after = claimsAfter(to(claims, leaveId), { ...reading, mayOwn: true })
          if (after.some((claim) => claim.userId === person && claim.isOwner)) {
            expect(own.has(leaveId) || fresh.has(leaveId)).toBe(true)
          }
          const known = claimsAfter(to(claims, leaveId), { ...reading, mayOwn: false })
          const isTheirs = known.some((claim) => claim.userId === person && claim.isOwner)
          expect(isTheirs).toBe(own.has(leaveId))
        }
      }),
    )
  })

  it('No leave is decided without asking for its owner', () => {
    fc.assert(
      fc.property(allClaims, (claims) => {
        const { own, rivals, undecided, fresh } = amongOf(claims)
        expect(rivals.size).toBeLessThanOrEqual(3)
        for (const leaveId of fresh.difference(undecided)) {
          const known = to(claims, leaveId)
          const owner = known.find(({ isOwner }) => isOwner)
          const mayMove = known.every((claim) => claim.userId === person || isFree(claim, now))
          if (owner && mayMove && !own.has(leaveId)) expect(rivals).toContain(owner.userId)
        }
      }),
    )
  })

  it('A leave without an owner must be noted until it has one', () => {
    fc.assert(
      fc.property(claimsTo('lv_0'), (known) => {
        const isTheirs = known.some((one) => one.userId === person && one.absentSince === null)
        const isNoted = isTheirs || known.some(({ isOwner }) => isOwner)
        expect(isUnnoted(person, known)).toBe(!isNoted && known.length < 3)
      }),
    )
  })

  it('A leave of another person is reported unless it is booked for many', () => {
    fc.assert(
      fc.property(allClaims, (claims) => {
        const isMixed = leaveIds.some((leaveId) => {
          const known = to(claims, leaveId)
          return (
            known.length < 3 && known.some(({ isOwner, userId }) => isOwner && userId !== person)
          )
        })
        expect(amongOf(claims).isMixed).toBe(isMixed)
      }),
    )
  })
})

describe('readings', () => {
  it('Agree on the person’s own leaves and on those in every reading', () => {
    fc.assert(
      fc.property(ids, ids, ids, readings, (first, own, undecided, more) => {
        const { present, seen } = agreed(first, { own, undecided }, more)
        for (const leaveId of leaveIds) {
          const inAll = [first, ...more].every((reading) => reading.has(leaveId))
          const isTheirs = first.has(leaveId) && own.has(leaveId)
          expect(present.has(leaveId)).toBe(isTheirs || (inAll && !undecided.has(leaveId)))
          const inAny = [first, ...more].some((reading) => reading.has(leaveId))
          expect(seen.has(leaveId)).toBe(inAny)
        }
      }),
    )
  })
})
