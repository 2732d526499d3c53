const loopbackName = /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** Whether a host's name or address, an IPv6 one also in brackets, is this machine's own, which no other can open. */
export function isLoopbackName(host: string): boolean {
  return loopbackName.test(host)
}
