/** What stands between the commas. */
export function list(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim())
}
