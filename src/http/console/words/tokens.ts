export const enTokens = {
  title: 'Tokens',
}

export const deTokens: typeof enTokens = {
  title: 'Tokens',
}
