import type { MailCause } from '../../../access/mail/mailer.ts'

const enMailCauses: Readonly<Record<MailCause, string>> = {
  refused_connection:
    'Nothing answers at {server}: the connection was refused. Check host and port in SMTP_URL.',
  unknown_host: 'There is no machine called {host}. Check the host in SMTP_URL.',
  no_answer:
    '{server} does not answer in time. Check host and port in SMTP_URL, and whether a firewall lets this machine reach them.',
  no_starttls:
    '{server} offers no encryption (STARTTLS), and nothing is mailed without it. Use smtps:// or another port, such as 587.',
  certificate:
    'There is no secure connection to {server}: its certificate is not valid for that name, or comes from an authority that this machine does not know. NODE_EXTRA_CA_CERTS names further authorities.',
  login: '{server} refuses the login. Check user and password in SMTP_URL.',
  refused_recipient: '{server} takes no mail for this address.',
  refused_mail:
    '{server} took the address, but refused the mail. Often the login may not send as {from} (MAIL_FROM).',
  deferred: '{server} takes no mail at the moment. Try again in a few minutes.',
  unknown_delivery:
    'The mail was handed over, but the connection ended before {server} confirmed it: it may arrive.',
}

const deMailCauses: typeof enMailCauses = {
  refused_connection:
    'Unter {server} antwortet nichts: Die Verbindung wurde abgewiesen. Prüfen Sie Host und Port in SMTP_URL.',
  unknown_host: 'Einen Rechner namens {host} gibt es nicht. Prüfen Sie den Host in SMTP_URL.',
  no_answer:
    '{server} antwortet nicht rechtzeitig. Prüfen Sie Host und Port in SMTP_URL und ob eine Firewall diesen Rechner dorthin lässt.',
  no_starttls:
    '{server} bietet keine Verschlüsselung (STARTTLS) an, und ohne sie wird nichts verschickt. Nehmen Sie smtps:// oder einen anderen Port, etwa 587.',
  certificate:
    'Zu {server} gibt es keine sichere Verbindung: Das Zertifikat gilt nicht für diesen Namen oder stammt von einer Stelle, die dieser Rechner nicht kennt. NODE_EXTRA_CA_CERTS nennt weitere Stellen.',
  login: '{server} lehnt die Anmeldung ab. Prüfen Sie Benutzer und Passwort in SMTP_URL.',
  refused_recipient: '{server} nimmt für diese Adresse keine Mail an.',
  refused_mail:
    '{server} hat die Adresse angenommen, aber die Mail abgelehnt. Oft darf der Benutzer nicht als {from} (MAIL_FROM) senden.',
  deferred:
    '{server} nimmt im Moment keine Mail an. Versuchen Sie es in einigen Minuten noch einmal.',
  unknown_delivery:
    'Die Mail wurde übergeben, aber die Verbindung endete, bevor {server} sie bestätigt hat: Sie kommt vielleicht an.',
}

export const enAccess = {
  title: 'Sign-in and mail',
  intro:
    'Both are set in .env or the environment; a change needs a restart. Secrets are never shown here.',
  isSet: 'Set up',
  isMissing: 'Not set up',
  isPartly: 'Something is missing',
  linesLead: 'Add these lines to .env, with your own values:',
  copy: 'Copy',
  copied: 'Copied',
  signIn: {
    title: 'Sign-in with the company account',
    none: 'Without it, nobody can sign in but with a token, and people need a link from HR.',
    issuer: 'Provider',
    clientId: 'Client id',
    secret: 'Client secret',
    secretSet: 'Set',
    secretNone: 'None (public client)',
    person: 'People are recognized by',
    byMail: 'their verified mail address',
    byClaim: 'the claim {claim}, which holds their user id',
    admin: 'Admins',
    support: 'Support',
    nobody: 'Nobody',
    callback: 'Redirect URI, to be registered with the provider',
    noStaff:
      'Nobody is staff by their company account: colleagues need tokens for the console until OIDC_ADMIN or OIDC_SUPPORT is set.',
    test: 'Test sign-in',
    testHint:
      'Reads what the provider publishes, and its keys. It does not try the client id and the secret.',
    works: 'The provider answers as it should.',
    authorization: 'Sign-in address',
    token: 'Token address',
    keys: 'Keys',
    fails: 'The provider cannot be used',
    causes: {
      away: 'There is no answer from the provider. Check OIDC_ISSUER, and whether this machine can reach it.',
      refused_connection: 'Nothing answers there: the connection was refused. Check OIDC_ISSUER.',
      unknown_host: 'There is no machine of that name. Check OIDC_ISSUER.',
      wrong:
        'What the provider answers is not what OpenID Connect Discovery asks for. Check that OIDC_ISSUER is the address before /.well-known/openid-configuration.',
      keys: 'The provider’s keys cannot be read.',
      issuer:
        'The provider calls itself by another address. OIDC_ISSUER must be written as the provider writes it, down to a slash at its end.',
      tenants: 'OIDC_ISSUER must name the tenant by its own id.',
    },
    named: 'It is called {what} in logs.',
    full: 'For a full test, open this address in a private window and sign in: then you stay signed in here.',
    fullStaff: 'You must land on the overview of this console.',
    fullPerson: 'You must land on your own calendar.',
  },
  mail: {
    title: 'Mail',
    none: 'Without it, addresses are handed out on paper or by CSV, and lost ones cannot be asked for.',
    server: 'Mail server',
    protections: {
      tls: 'TLS from the start',
      starttls: 'STARTTLS',
      optional: 'STARTTLS if it offers that',
    },
    sender: 'Sender',
    localOnly:
      'PUBLIC_URL opens only on this machine, so nobody else could open the mailed addresses, and nothing but a test is mailed.',
    test: 'Send me a test mail',
    address: 'Mail address',
    addressFault: 'This is not a mail address.',
    tooOften: 'Five tests a minute are enough. Wait a minute.',
    taken:
      'The mail server took the mail for {address}. If it is not there in a few minutes, look among spam.',
    fails: 'The mail to {address} was not sent',
    said: 'It said:',
    causes: enMailCauses,
  },
}

export const deAccess: typeof enAccess = {
  title: 'Anmeldung und Mail',
  intro:
    'Beides steht in .env oder in der Umgebung; eine Änderung braucht einen Neustart. Geheimnisse werden hier nie gezeigt.',
  isSet: 'Eingerichtet',
  isMissing: 'Nicht eingerichtet',
  isPartly: 'Etwas fehlt',
  linesLead: 'Ergänzen Sie diese Zeilen in .env, mit Ihren eigenen Werten:',
  copy: 'Kopieren',
  copied: 'Kopiert',
  signIn: {
    title: 'Anmeldung mit dem Firmenkonto',
    none: 'Ohne sie kann sich niemand anmelden außer mit einem Token, und alle brauchen einen Link von HR.',
    issuer: 'Anbieter',
    clientId: 'Client-ID',
    secret: 'Client-Geheimnis',
    secretSet: 'Gesetzt',
    secretNone: 'Keines (öffentlicher Client)',
    person: 'Personen werden erkannt an',
    byMail: 'ihrer bestätigten Mailadresse',
    byClaim: 'dem Claim {claim} mit ihrer Benutzer-ID',
    admin: 'Admins',
    support: 'Support',
    nobody: 'Niemand',
    callback: 'Redirect-URI, die beim Anbieter einzutragen ist',
    noStaff:
      'Niemand darf mit dem Firmenkonto in die Konsole: Bis OIDC_ADMIN oder OIDC_SUPPORT gesetzt ist, brauchen Ihre Kolleginnen und Kollegen Tokens.',
    test: 'Anmeldung testen',
    testHint:
      'Liest, was der Anbieter veröffentlicht, und seine Schlüssel. Client-ID und Geheimnis werden damit nicht geprüft.',
    works: 'Der Anbieter antwortet, wie er soll.',
    authorization: 'Anmeldeadresse',
    token: 'Token-Adresse',
    keys: 'Schlüssel',
    fails: 'Der Anbieter ist so nicht benutzbar',
    causes: {
      away: 'Der Anbieter antwortet nicht. Prüfen Sie OIDC_ISSUER und ob dieser Rechner ihn erreicht.',
      refused_connection:
        'Dort antwortet nichts: Die Verbindung wurde abgewiesen. Prüfen Sie OIDC_ISSUER.',
      unknown_host: 'Einen Rechner dieses Namens gibt es nicht. Prüfen Sie OIDC_ISSUER.',
      wrong:
        'Der Anbieter antwortet nicht so, wie OpenID Connect Discovery es verlangt. Prüfen Sie, ob OIDC_ISSUER die Adresse vor /.well-known/openid-configuration ist.',
      keys: 'Die Schlüssel des Anbieters sind nicht lesbar.',
      issuer:
        'Der Anbieter nennt sich anders. OIDC_ISSUER muss so geschrieben sein, wie der Anbieter sich schreibt, bis zum Schrägstrich am Ende.',
      tenants: 'OIDC_ISSUER muss den Mandanten mit seiner eigenen ID nennen.',
    },
    named: 'In Logs heißt das {what}.',
    full: 'Für einen vollständigen Test öffnen Sie diese Adresse in einem privaten Fenster und melden sich an: Dann bleiben Sie hier angemeldet.',
    fullStaff: 'Sie müssen auf der Übersicht dieser Konsole landen.',
    fullPerson: 'Sie müssen bei Ihrem eigenen Kalender landen.',
  },
  mail: {
    title: 'Mail',
    none: 'Ohne Mail werden Adressen auf Papier oder als CSV verteilt, und verlorene kann niemand anfordern.',
    server: 'Mailserver',
    protections: {
      tls: 'TLS von Anfang an',
      starttls: 'STARTTLS',
      optional: 'STARTTLS, falls er es anbietet',
    },
    sender: 'Absender',
    localOnly:
      'PUBLIC_URL öffnet sich nur auf diesem Rechner: Sonst könnte niemand die verschickten Adressen öffnen, und außer einem Test wird nichts verschickt.',
    test: 'Testmail an mich senden',
    address: 'Mailadresse',
    addressFault: 'Das ist keine Mailadresse.',
    tooOften: 'Fünf Tests in der Minute genügen. Warten Sie eine Minute.',
    taken:
      'Der Mailserver hat die Mail an {address} angenommen. Ist sie in einigen Minuten nicht da, sehen Sie im Spam nach.',
    fails: 'Die Mail an {address} wurde nicht verschickt',
    said: 'Die Antwort war:',
    causes: deMailCauses,
  },
}
