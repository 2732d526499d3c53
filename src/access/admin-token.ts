import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether what somebody gives is the admin token; it takes the same time whatever they give. */
export function isAdminToken(given: string, adminToken: string): boolean {
  return timingSafeEqual(sha256(given), sha256(adminToken))
}

/** Of equal length whatever comes. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
