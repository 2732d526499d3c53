/* Words of the console's frame, of its sign-in, and of what forms say once they are done. */
export const enFrame = {
  skip: 'Skip to content',
  menu: 'Menu',
  navigation: 'Console',
  company: 'Company',
  choose: 'Choose',
  signedIn: 'Signed in as {who} · {role}',
  ownCalendar: 'My own calendar',
  signOut: 'Sign out',
  roles: { reader: 'Reader', support: 'Support', admin: 'Admin' },
  needsRole: {
    reader: 'This needs the role Reader.',
    support: 'This needs the role Support.',
    admin: 'This needs the role Admin.',
  },
  noCompany: 'There is no such company.',
  /** Of an examination. */
  findings: {
    levels: { ok: 'In order', note: 'Note', wrong: 'Wrong' },
    set: 'Set',
    well: 'In order: {count}',
  },
  nav: {
    overview: 'Overview',
    people: 'People',
    handOut: 'Hand out',
    teams: 'Teams',
    defaults: 'Defaults',
    companies: 'Companies',
    audit: 'Audit',
    tokens: 'Tokens',
    access: 'Sign-in and mail',
    erase: 'Erase',
    firstSteps: 'First steps',
  },
  refused: {
    titles: {
      forbidden: 'You may not do this',
      not_found: 'Not found',
      invalid: 'Something is not right',
      conflict: 'This is not possible',
      too_large: 'This is too large',
      too_many_requests: 'Too many requests',
      unsupported_media_type: 'Something is not right',
    },
    other: 'This did not work',
    hint: 'Nothing was changed.',
    back: 'To the overview',
  },
}

export const deFrame: typeof enFrame = {
  skip: 'Zum Inhalt',
  menu: 'Menü',
  navigation: 'Konsole',
  company: 'Unternehmen',
  choose: 'Wählen',
  signedIn: 'Angemeldet als {who} · {role}',
  ownCalendar: 'Mein eigener Kalender',
  signOut: 'Abmelden',
  roles: { reader: 'Lesen', support: 'Support', admin: 'Admin' },
  needsRole: {
    reader: 'Dafür ist die Rolle Lesen nötig.',
    support: 'Dafür ist die Rolle Support nötig.',
    admin: 'Dafür ist die Rolle Admin nötig.',
  },
  noCompany: 'Dieses Unternehmen gibt es nicht.',
  findings: {
    levels: { ok: 'In Ordnung', note: 'Hinweis', wrong: 'Falsch' },
    set: 'Zu setzen:',
    well: 'In Ordnung: {count}',
  },
  nav: {
    overview: 'Übersicht',
    people: 'Personen',
    handOut: 'Verteilen',
    teams: 'Teams',
    defaults: 'Vorgaben',
    companies: 'Unternehmen',
    audit: 'Protokoll',
    tokens: 'Tokens',
    access: 'Anmeldung und Mail',
    erase: 'Löschen',
    firstSteps: 'Erste Schritte',
  },
  refused: {
    titles: {
      forbidden: 'Das dürfen Sie nicht',
      not_found: 'Nicht gefunden',
      invalid: 'Etwas stimmt nicht',
      conflict: 'Das geht nicht',
      too_large: 'Das ist zu groß',
      too_many_requests: 'Zu viele Anfragen',
      unsupported_media_type: 'Etwas stimmt nicht',
    },
    other: 'Das hat nicht geklappt',
    hint: 'Es wurde nichts geändert.',
    back: 'Zur Übersicht',
  },
}

export const enSignIn = {
  title: 'Sign in to the console',
  label: 'Token',
  hint: 'The admin token, or a token that an admin made for you.',
  ownToken: 'The admin token is in {file}, and npm start prints it.',
  action: 'Sign in',
  wrong: 'This token opens nothing. Check that you copied all of it.',
  provider: 'Sign in with your company account',
}

export const deSignIn: typeof enSignIn = {
  title: 'An der Konsole anmelden',
  label: 'Token',
  hint: 'Das Admin-Token oder ein Token, das ein Admin für Sie erstellt hat.',
  ownToken: 'Das Admin-Token steht in {file}; npm start gibt es aus.',
  action: 'Anmelden',
  wrong: 'Dieses Token ist ungültig. Prüfen Sie, ob Sie es vollständig kopiert haben.',
  provider: 'Mit dem Firmenkonto anmelden',
}

/** Sentences that a page says after a form; addresses name them in `?done=`. */
export const enDone = {
  departuresConfirmed: 'They have left. Their calendars have ended.',
  identitySame: 'The same person: the calendars continue.',
  identityOther: 'Another person: the earlier calendars have ended.',
  saved: 'Saved.',
  tokenRevoked: 'The token is revoked.',
  defaultsSaved: 'Saved. Calendars follow the next time a program asks for them.',
  linkEnded: 'The link has ended.',
  linkReopened: 'The link works again.',
  calendarRevoked: 'The calendar is revoked; none of its links works any more.',
  calendarReopened: 'The calendar is open again, with the links it had.',
}

export const deDone: typeof enDone = {
  departuresConfirmed: 'Diese Personen sind gegangen. Ihre Kalender sind beendet.',
  identitySame: 'Dieselbe Person: Die Kalender laufen weiter.',
  identityOther: 'Eine andere Person: Die früheren Kalender sind beendet.',
  saved: 'Gespeichert.',
  tokenRevoked: 'Das Token ist widerrufen.',
  defaultsSaved:
    'Gespeichert. Kalender übernehmen es, sobald ein Programm sie das nächste Mal abruft.',
  linkEnded: 'Der Link ist beendet.',
  linkReopened: 'Der Link funktioniert wieder.',
  calendarRevoked: 'Der Kalender ist widerrufen; keiner seiner Links funktioniert mehr.',
  calendarReopened: 'Der Kalender ist wieder offen, mit seinen Links.',
}
