import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import type { Instant } from '../../domain/world.ts'
import { hashSecret, makeSecret } from '../secrets.ts'

/** For so long a sign-in may take at the provider. */
export const signingInMs = 600_000

/**
 * One way to the provider and back. All of it follows from the state and the secret that the browser keeps meanwhile, so
 * nothing is stored, several tabs may be under way at once, and each node knows those of all.
 */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  /** RFC 7636 section 4.1. */
  readonly verifier: string
  /** Whether it is the second one, because the first met a key that was not known. */
  readonly isAgain: boolean
}

/** The secret that the browser keeps while it signs in: the one it has, or a new one. */
export function browserSecret(brought: string | undefined): string {
  const isOne = brought !== undefined && hashSecret('cfs', brought) !== undefined
  return isOne ? brought : makeSecret('cfs').secret
}

/** A new attempt of the browser with that secret. */
export function makeAttempt(secret: string, now: Instant, isAgain: boolean): Attempt {
  const random = randomBytes(24).toString('base64url')
  const text = [random, now.toString(36), isAgain ? 'again' : 'first'].join('.')
  return attemptOf(secret, `${text}.${derived(secret, 'state', text)}`, isAgain)
}

/** The attempt of that state; undefined where the browser of that secret has not begun it, or too long ago. */
export function findAttempt(
  secret: string | undefined,
  state: string,
  now: Instant,
): Attempt | undefined {
  const [, text, mark] =
    /^([\w-]{32}\.[\da-z]{1,11}\.(?:again|first))\.([\w-]{43})$/.exec(state) ?? []
  if (text === undefined || mark === undefined) return undefined
  if (secret === undefined || hashSecret('cfs', secret) === undefined) return undefined
  if (!timingSafeEqual(Buffer.from(mark), Buffer.from(derived(secret, 'state', text))))
    return undefined
  const [, begun = '', count] = text.split('.')
  const age = now - Number.parseInt(begun, 36)
  return age <= signingInMs ? attemptOf(secret, state, count === 'again') : undefined
}

function attemptOf(secret: string, state: string, isAgain: boolean): Attempt {
  const nonce = derived(secret, 'nonce', state)
  return { state, nonce, verifier: derived(secret, 'verifier', state), isAgain }
}

/** By what a sign-in is known that is finished once the browser of that secret chooses this company. */
export function choiceKey(secret: string, state: string, companyId: string): string {
  return derived(secret, 'choice', `${state}\n${companyId}`)
}

type Purpose = 'state' | 'nonce' | 'verifier' | 'choice'

function derived(secret: string, purpose: Purpose, text: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url')
}
