export const enFirstSteps = {
  title: 'First steps',
  isConnected: 'Your own system is connected already. Change its settings in .env.',
  sample: {
    lead: 'You see a sample company with invented people. Nothing here is real, so try whatever you like.',
    heading: 'Look around',
    steps: {
      ada: {
        link: 'Open Ada’s calendar',
        text: 'what she sees, what others see, and why something is missing.',
      },
      people: {
        link: 'Look at the people',
        text: 'who has a calendar, which program asks for it, and where something is wrong.',
      },
      handOut: {
        link: 'Hand out a calendar',
        text: 'to one person or to many: by mail, as a list, or on paper.',
      },
      connect: {
        link: 'Connect your own system',
        text: 'check its address here, then write down the settings it shows you.',
      },
    },
  },
  connect: {
    heading: 'Connect your own system',
    lead: 'This checks the address and the credential. Both are used for this check only: they are kept nowhere and sent nowhere else.',
    adminOnly: 'Somebody with the role Admin can check the address of your own system here.',
    address: 'Address of the Read API',
    addressHint: 'The part before /api/public/v1, such as https://workforce.example.com',
    timezone: 'Time zone in which the company works',
    timezoneHint: 'Such as Europe/Berlin',
    scheme: 'Credential',
    schemes: {
      bearer: 'Bearer token',
      header: 'Key in a header field',
      basic: 'User and password',
      query: 'Key in the address',
      none: 'None',
    },
    name: 'Name',
    nameHint: 'Of the user, the header field or the parameter. Leave it empty for a bearer token.',
    secret: 'Token, key or password',
    secretHint: 'Type it again for each check: this page does not keep it.',
    action: 'Check this system',
    busy: 'Checking. This can take up to 45 seconds.',
  },
  faults: {
    address:
      'Enter an http or https address without user, password, query and fragment: https://workforce.example.com',
    insecure:
      'A credential is only sent over https. Over http, others on the way could read it. Nothing was sent.',
    private:
      'This name leads into a private network, so nothing was sent. Enter the IP address of the system instead, or write the settings to .env and run doctor.',
    never: 'Nothing can be asked for at this address. Nothing was sent.',
    timezone: 'This is not the name of an IANA time zone.',
    name: 'Enter the name, without spaces and colons.',
    secret: 'Enter the credential, on one line.',
  },
  refused: {
    busy: 'Another check is under way. Try again in a minute.',
    late: 'The check did not end within 45 seconds. Try again, or write the settings to .env and run doctor, which takes its time.',
  },
  result: {
    heading: 'Result',
    well: 'Complete calendars can be made from this system.',
    ill: 'Calendars would not be complete yet. Faults come first, each with its remedy.',
    findings: 'Findings',
    linesHeading: 'Settings for .env',
    lines: 'Put your credential in place of TOKEN, VALUE, USER or PASSWORD.',
    notYet:
      'First fix what lies with the system or the credential, and check again. These settings cannot be tried here: write them to the file .env, start the program again, and run doctor.',
    copy: 'Copy',
    copied: 'Copied',
    next: 'Next',
    nextSteps: [
      'Write these lines to the file .env in the folder of the program.',
      'Start the program again: npm start',
      'Open this page again. It shows how the examination of your system went.',
    ],
  },
  own: {
    lead: 'From your own system to the first calendars.',
    done: 'The first steps are done. This page leaves the navigation.',
    connected: 'Connect your own system',
    connectedText: '{company} is read from its own system.',
    examined: {
      heading: 'Examine it',
      well: 'Calendars are complete.',
      ill: 'Something is wrong: calendars are not complete.',
      unknown: 'It has not been examined yet.',
      link: 'See the findings',
    },
    calendars: {
      heading: 'Hand out calendars',
      some: 'People have calendars.',
      none: 'Nobody has a calendar yet.',
      link: 'Hand out calendars',
    },
    isDone: 'Done',
    isOpen: 'To do',
  },
}

export const deFirstSteps: typeof enFirstSteps = {
  title: 'Erste Schritte',
  isConnected: 'Ihr eigenes System ist bereits verbunden. Ändern Sie seine Einstellungen in .env.',
  sample: {
    lead: 'Sie sehen ein Beispielunternehmen mit erfundenen Personen. Nichts davon ist echt: Probieren Sie alles aus.',
    heading: 'Umsehen',
    steps: {
      ada: {
        link: 'Adas Kalender öffnen',
        text: 'was sie sieht, was andere sehen und warum etwas fehlt.',
      },
      people: {
        link: 'Personen ansehen',
        text: 'wer einen Kalender hat, welches Programm ihn abruft und wo etwas nicht stimmt.',
      },
      handOut: {
        link: 'Einen Kalender verteilen',
        text: 'an eine Person oder an viele: per Mail, als Liste oder auf Papier.',
      },
      connect: {
        link: 'Ihr eigenes System verbinden',
        text: 'hier die Adresse prüfen, dann die angezeigten Einstellungen übernehmen.',
      },
    },
  },
  connect: {
    heading: 'Ihr eigenes System verbinden',
    lead: 'Hier prüfen Sie Adresse und Zugangsdaten. Beide dienen nur dieser Prüfung: Sie werden nirgends gespeichert und nirgendwo anders hingeschickt.',
    adminOnly: 'Wer die Rolle Admin hat, kann hier die Adresse Ihres eigenen Systems prüfen.',
    address: 'Adresse der Read API',
    addressHint: 'Der Teil vor /api/public/v1, zum Beispiel https://workforce.example.com',
    timezone: 'Zeitzone, in der das Unternehmen arbeitet',
    timezoneHint: 'Zum Beispiel Europe/Berlin',
    scheme: 'Zugangsdaten',
    schemes: {
      bearer: 'Bearer-Token',
      header: 'Schlüssel in einem Header-Feld',
      basic: 'Benutzer und Passwort',
      query: 'Schlüssel in der Adresse',
      none: 'Keine',
    },
    name: 'Name',
    nameHint:
      'Des Benutzers, des Header-Felds oder des Parameters. Bei einem Bearer-Token bleibt das Feld leer.',
    secret: 'Token, Schlüssel oder Passwort',
    secretHint: 'Geben Sie es bei jeder Prüfung neu ein: Diese Seite speichert es nicht.',
    action: 'Dieses System prüfen',
    busy: 'Die Prüfung läuft. Das kann bis zu 45 Sekunden dauern.',
  },
  faults: {
    address:
      'Geben Sie eine http- oder https-Adresse ohne Benutzer, Passwort, Query und Fragment ein: https://workforce.example.com',
    insecure:
      'Zugangsdaten werden nur über https gesendet. Über http könnten andere sie unterwegs lesen. Es wurde nichts gesendet.',
    private:
      'Dieser Name führt in ein privates Netz, deshalb wurde nichts gesendet. Geben Sie stattdessen die IP-Adresse des Systems ein, oder schreiben Sie die Einstellungen in .env und starten Sie doctor.',
    never: 'Von dieser Adresse lässt sich nichts abrufen. Es wurde nichts gesendet.',
    timezone: 'So heißt keine IANA-Zeitzone.',
    name: 'Geben Sie den Namen ohne Leerzeichen und Doppelpunkte ein.',
    secret: 'Geben Sie die Zugangsdaten in einer Zeile ein.',
  },
  refused: {
    busy: 'Es läuft bereits eine Prüfung. Versuchen Sie es in einer Minute wieder.',
    late: 'Die Prüfung war nach 45 Sekunden nicht fertig. Versuchen Sie es noch einmal, oder schreiben Sie die Einstellungen in .env und starten Sie doctor, das sich mehr Zeit nimmt.',
  },
  result: {
    heading: 'Ergebnis',
    well: 'Aus diesem System lassen sich vollständige Kalender erstellen.',
    ill: 'Die Kalender wären noch nicht vollständig. Was falsch ist, steht zuerst, jeweils mit der Abhilfe.',
    findings: 'Befunde',
    linesHeading: 'Einstellungen für .env',
    lines: 'Setzen Sie Ihre Zugangsdaten anstelle von TOKEN, VALUE, USER oder PASSWORD ein.',
    notYet:
      'Beheben Sie zuerst, was am System oder an den Zugangsdaten liegt, und prüfen Sie noch einmal. Diese Einstellungen lassen sich hier nicht ausprobieren: Schreiben Sie sie in die Datei .env, starten Sie das Programm neu, und lassen Sie doctor prüfen.',
    copy: 'Kopieren',
    copied: 'Kopiert',
    next: 'Wie es weitergeht',
    nextSteps: [
      'Schreiben Sie diese Zeilen in die Datei .env im Ordner des Programms.',
      'Starten Sie das Programm neu: npm start',
      'Öffnen Sie diese Seite wieder. Sie zeigt, was die Prüfung Ihres Systems ergeben hat.',
    ],
  },
  own: {
    lead: 'Von Ihrem eigenen System zu den ersten Kalendern.',
    done: 'Die ersten Schritte sind getan. Diese Seite verschwindet aus der Navigation.',
    connected: 'Ihr eigenes System verbinden',
    connectedText: '{company} wird aus dem eigenen System gelesen.',
    examined: {
      heading: 'Prüfen',
      well: 'Die Kalender sind vollständig.',
      ill: 'Etwas stimmt nicht: Die Kalender sind nicht vollständig.',
      unknown: 'Das System wurde noch nicht geprüft.',
      link: 'Befunde ansehen',
    },
    calendars: {
      heading: 'Kalender verteilen',
      some: 'Personen haben Kalender.',
      none: 'Noch niemand hat einen Kalender.',
      link: 'Kalender verteilen',
    },
    isDone: 'Erledigt',
    isOpen: 'Offen',
  },
}
