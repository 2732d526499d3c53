export const enAccess = {
  title: 'Sign-in and mail',
}

export const deAccess: typeof enAccess = {
  title: 'Anmeldung und Mail',
}
