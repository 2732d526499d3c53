const tokens = /cfb_[A-Za-z0-9_-]{43}/g

/** The text with every link's secret blotted out, however it came into it: for logs and errors. */
export function withoutTokens(text: string): string {
  return text.replace(tokens, 'cfb_…')
}
