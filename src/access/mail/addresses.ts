/** Longer ones no server takes (RFC 5321 section 4.5.3.1.3). */
const lengthMax = 254

/**
 * One address, which no reader can take for several: no quoted words, comments or literals, which nobody has. Before the @ it
 * is of ASCII (RFC 5321 section 4.1.2): other letters a server without SMTPUTF8 may take for another mailbox's.
 */
const address =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u

/** Whether mail can be sent to that address, and only to it. */
export function isMailAddress(text: string): boolean {
  return text.length <= lengthMax && address.test(text)
}
