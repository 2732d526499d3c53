import { programNames } from '../../../domain/activity.ts'
import { localeNames } from '../../../domain/feed.ts'
import { type enFeed, textOf } from './en-feed.ts'

const language = 'de'
const lists = new Intl.ListFormat(language, { type: 'conjunction' })

export const deFeed: typeof enFeed = {
  language,
  title: 'Ihr Arbeitskalender',
  skip: 'Zur Vorschau springen',
  skipPreview: 'Zu „Was der Kalender zeigt“ springen',
  holds: (names, audience) => {
    if (names.length === 0) return 'In diesem Kalender ist gerade nichts eingeschaltet.'
    const start = audience === 'own' ? 'Ihre' : 'Im Team:'
    return `${start} ${lists.format(names)}, immer aktuell in dem Kalender, den Sie ohnehin nutzen.`
  },
  subscribe: 'Zu Ihrem Kalender hinzufügen',
  otherWays: 'Weitere Möglichkeiten',
  ways: {
    apple: {
      name: 'Apple Kalender',
      action: 'In Apple Kalender abonnieren',
      hint: 'iPhone, iPad und Mac. Mit „Abonnieren“ bestätigen.',
    },
    google: {
      name: 'Google Kalender',
      action: 'Adresse kopieren und Google öffnen',
      hint: 'Am Computer, mit Ihrem Google-Konto.',
      steps: [
        'Dieser Button kopiert die Adresse und öffnet die Einstellungen von Google Kalender.',
        'Fügen Sie die Adresse bei „URL des Kalenders“ ein.',
        'Klicken Sie auf „Kalender hinzufügen“. Der Kalender erscheint dann auch auf Smartphones mit demselben Konto.',
      ],
      unscripted: {
        action: 'Google öffnen',
        step: 'Markieren und kopieren Sie die folgende Adresse und öffnen Sie dann mit dem Button darüber die Einstellungen von Google Kalender:',
      },
      note: 'Google fragt nur alle 4 bis 24 Stunden nach Änderungen. Das lässt sich nicht beschleunigen.',
    },
    outlookWork: {
      name: 'Outlook bei der Arbeit',
      action: 'In Outlook abonnieren',
      hint: 'Microsoft 365, mit Ihrem Arbeitskonto. Mit „Importieren“ bestätigen.',
    },
    outlookCom: {
      name: 'Outlook.com',
      action: 'In Outlook.com abonnieren',
      hint: 'Mit einem privaten Microsoft-Konto. Mit „Importieren“ bestätigen.',
    },
    copy: {
      name: 'Jeder andere Kalender',
      action: 'Adresse kopieren',
      hint: 'Für Thunderbird, Nextcloud, ICSx5 und andere: dort „Abonnieren“ oder „Kalender aus dem Internet“ wählen und die Adresse einfügen.',
    },
    download: {
      name: 'Einmal herunterladen',
      action: 'Kopie herunterladen',
      hint: 'Eine Datei mit dem Stand von heute. Sie aktualisiert sich nicht.',
    },
  },
  googleOnPhone: {
    name: 'Google Kalender auf diesem Smartphone',
    hint: 'Die Kalender-App von Google kann selbst keine Kalender abonnieren. Öffnen Sie diese Seite einmal am Computer, dann zeigt auch dieses Smartphone den Kalender.',
    steps: [
      'Schicken Sie sich diese Seite, zum Beispiel per Mail.',
      'Öffnen Sie sie am Computer und klicken Sie dort auf „Adresse kopieren und Google öffnen“.',
      'Danach erscheint der Kalender auf jedem Smartphone mit diesem Google-Konto.',
    ],
    onNewAddress: {
      hint: 'Die Kalender-App von Google kann selbst keine Kalender abonnieren. Öffnen Sie die Seite zur neuen Adresse einmal am Computer, dann zeigt auch dieses Smartphone den Kalender.',
      step: 'Schicken Sie sich die Seite zur neuen Adresse, zum Beispiel per Mail:',
    },
  },
  device: {
    name: 'Auf einem anderen Gerät',
    hint: 'Richten Sie die Kamera des anderen Geräts auf einen der Codes.',
    calendarCode: 'iPhone: abonniert den Kalender',
    pageCode: 'Jedes andere Gerät: öffnet diese Seite',
  },
  share: {
    action: 'Diese Seite an mich schicken',
    copy: 'Adresse dieser Seite kopieren',
    copied: 'Die Adresse der Seite ist kopiert. Schicken Sie sie an sich selbst.',
    failed:
      'Ihr Browser hat das nicht erlaubt. Kopieren Sie die Adresse aus der Adresszeile Ihres Browsers.',
  },
  sheet: {
    code: 'iPhone und iPad: die Kamera auf den ersten Code richten und mit „Abonnieren“ bestätigen.',
    open: 'Alles andere: die Kamera auf den zweiten Code richten oder diese Adresse am Computer öffnen.',
    choose:
      'Dort Ihr Kalenderprogramm wählen. Der Kalender bleibt dann von selbst aktuell, auch auf dem Smartphone.',
    secret:
      'Behalten Sie dieses Blatt für sich: Wer es hat, kann diesen Kalender lesen. Ist es in falsche Hände geraten, öffnen Sie die Adresse oben und holen Sie sich dort eine neue.',
  },
  address: 'Adresse des Kalenders',
  copied: 'Die Adresse ist kopiert.',
  copyFailed:
    'Ihr Browser hat das Kopieren nicht erlaubt. Die Adresse ist markiert: Bitte kopieren Sie sie selbst.',
  newTab: 'öffnet einen neuen Tab',
  steps: 'Schritt für Schritt',
  unreachable:
    'Google und Microsoft rufen Kalender über eigene Server ab, die diese Adresse nicht erreichen. Wählen Sie hier eine andere Möglichkeit.',
  qrCode: 'QR-Code der Adresse des Kalenders',
  pageCode: 'QR-Code der Adresse dieser Seite',
  preview: {
    heading: 'So sieht der Kalender aus',
    hint: (timezone) => `Genau das bekommt Ihr Kalenderprogramm, hier in der Zeitzone ${timezone}.`,
    hintHere: (timezone) =>
      `Genau das bekommt Ihr Kalenderprogramm, hier in der Zeitzone dieses Geräts. Die Zeitzone des Kalenders ist ${timezone}.`,
    loading: 'Ihr Kalender wird geladen …',
    failed: 'Der Kalender lässt sich gerade nicht anzeigen.',
    missing: 'Der Kalender erscheint hier, sobald es etwas anzuzeigen gibt.',
    retry: 'Noch einmal versuchen',
    beyondWeek:
      'Das sind die nächsten sieben Tage. Ihr Kalenderprogramm zeigt den ganzen Kalender.',
    beyondCut: (count) =>
      `Das sind die ersten ${count} Einträge der nächsten sieben Tage. Ihr Kalenderprogramm zeigt den ganzen Kalender.`,
    onlyWeek: 'Spätere Einträge lassen sich gerade nicht anzeigen.',
    views: 'Ansicht',
    list: 'Liste',
    month: 'Monat',
    today: 'Heute',
    earlier: 'Früher',
    later: 'Später',
    more: 'Mehr anzeigen',
    reach: 'Einträge bis {date}. Spätere erscheinen automatisch.',
    empty: 'Dieser Kalender ist noch leer. Neue Einträge erscheinen automatisch.',
    emptyWeek: 'In den nächsten sieben Tagen steht nichts an.',
    emptyAhead: 'Ab heute steht nichts an. Neue Einträge erscheinen automatisch.',
    close: 'Schließen',
    allDay: 'ganztägig',
  },
  selfService: {
    heading: 'Was der Kalender zeigt',
    hint: 'Schalten Sie aus, was Sie nicht in Ihrem Kalender haben möchten. Sie können es jederzeit wieder einschalten.',
    fixed: 'Was dieser Kalender zeigt, bestimmt die Personalabteilung.',
    choices: {
      detail: {
        label: 'Angaben zu Abwesenheiten',
        hint: 'Auch bei „Abwesend“ steht „(beantragt)“, bis die Abwesenheit genehmigt ist, und die Dauer, wenn sie keine ganzen Tage umfasst, etwa „(halber Tag)“.',
        text: textOf({
          absent: 'Nur „Abwesend“',
          type: 'Art der Abwesenheit',
          full: 'Art und Grund der Abwesenheit',
        }),
      },
      reminderMinutes: {
        label: 'Erinnerung',
        hint: 'Vor Schichten und allen anderen Einträgen mit Uhrzeit. Google und Outlook ignorieren Erinnerungen abonnierter Kalender; lassen Sie in Apple Kalender beim Abonnieren „Hinweise entfernen“ ausgeschaltet.',
        text: (minutes) => {
          if (minutes === 'none') return 'Keine'
          if (minutes % 1440 === 0 && minutes > 0) return counted(minutes / 1440, 'Tag', 'Tage')
          if (minutes % 60 === 0 && minutes > 0) return counted(minutes / 60, 'Stunde', 'Stunden')
          return minutes === 0 ? 'Zu Beginn' : counted(minutes, 'Minute', 'Minuten')
        },
      },
      leavesShowAs: {
        label: 'Abwesenheit anzeigen als',
        text: textOf({ outOfOffice: 'Abwesend', busy: 'Gebucht', free: 'Frei' }),
      },
      shiftsAs: {
        label: 'Schichten',
        text: textOf({ hours: 'Blöcke', day: 'Eine Zeile am Tag' }),
      },
      shiftsShowAs: {
        label: 'Schichten anzeigen als',
        text: textOf({ busy: 'Gebucht', free: 'Frei' }),
      },
      timesheetsAs: {
        label: 'Stundenzettel',
        text: textOf({
          both: 'Über den Zeitraum und am letzten Tag',
          period: 'Über den Zeitraum',
          deadline: 'Am letzten Tag',
          todo: 'Nur als Aufgaben',
        }),
      },
      locale: { label: 'Sprache der Einträge', text: textOf(localeNames) },
    },
    save: 'Speichern',
    saved: 'Gespeichert. Kalenderprogramme zeigen die Änderung bei der nächsten Abfrage.',
    notSaved: 'Nicht gespeichert: keine Verbindung. Versuchen Sie es noch einmal.',
    unsaved: 'Ihre Änderungen sind noch nicht gespeichert. Seite trotzdem verlassen?',
  },
  activity: {
    heading: 'Letzte Abfragen der Kalenderprogramme',
    none: 'Noch keine Abfragen. Sobald Sie den Kalender abonniert haben, erscheinen sie hier.',
    google:
      'Google fragt alle 4 bis 24 Stunden ab, die meisten anderen mindestens einmal pro Stunde.',
    clock: (timezone) => `Zeitangaben in der Zeitzone ${timezone}.`,
    clients: {
      ...programNames,
      browser: 'Ein Browser',
      other: 'Ein anderes Programm',
    },
    verdict: ({ askedAt, state, changedAt }, times) => {
      const asked = `hat den Kalender ${times.ago(askedAt)} abgefragt`
      const change = changedAt === null ? '' : ` (${times.at(changedAt)})`
      if (state === 'current') return `${asked} und kennt die letzte Änderung${change}`
      return state === 'refused'
        ? `${asked}, aber nicht bekommen; ein neuer Versuch folgt`
        : `${asked}, seit der letzten Änderung${change} aber noch nicht`
    },
  },
  link: {
    nothingShown:
      'Es wurde nichts gespeichert: Der Kalender wäre leer. Lassen Sie mindestens einen Punkt eingeschaltet oder schalten Sie unten diesen Link ab.',
    unconfirmed: 'Es wurde nichts geändert: Setzen Sie zuerst das Häkchen.',
    notSent: 'Es wurde nichts geändert: keine Verbindung. Versuchen Sie es noch einmal.',
    heading: 'Dieser Link',
    another: {
      fromHr: 'Einen neuen Link bekommen Sie nur von der Personalabteilung.',
      bySignIn:
        'Ist es Ihr eigener Kalender, erstellen Sie nach dem Anmelden selbst einen neuen Link. Sonst fragen Sie die Person, von der Sie diesen haben.',
    },
    secret:
      'Behalten Sie diese Seite und ihre Adresse für sich: Wer sie hat, kann diesen Kalender lesen. Sind sie in falsche Hände geraten, holen Sie sich unter „Dieser Link“ eine neue Adresse.',
    replace: {
      summary: 'Diese Adresse ist in falsche Hände geraten: Ich brauche eine neue',
      text: 'Die alte Adresse wird sofort ungültig, für alle, die sie haben. Die neue wird nur einmal angezeigt, und zwar hier. Kalenderprogramme wechseln nicht automatisch: Abonnieren Sie in jedem die neue Adresse. Ihre Einstellungen auf dieser Seite werden nicht übernommen: Legen Sie sie auf der neuen Seite neu fest.',
      confirm: 'Ich abonniere überall neu',
      action: 'Ersetzen',
    },
    end: {
      summary: 'Diesen Link abschalten',
      text: 'Kalenderprogramme bekommen über diese Adresse nichts mehr. Andere Links zu diesem Kalender gelten weiter.',
      confirm: 'Ich brauche diesen Link nicht mehr',
      action: 'Abschalten',
    },
    replaced: {
      heading: 'Ihre neue Adresse',
      text: 'Die alte Adresse ist nicht mehr gültig. Kalenderprogramme wechseln nicht automatisch: Abonnieren Sie in jedem diese neue.',
      keep: 'Diese Adresse wird nur einmal angezeigt. Legen Sie ein Lesezeichen für die Seite zur neuen Adresse an:',
      page: 'Seite zur neuen Adresse öffnen',
      remove:
        'Entfernen Sie danach in jedem Programm den alten Kalender: Er bleibt dort, wird aber nicht mehr aktualisiert.',
      choices: 'Ihre Einstellungen werden nicht übernommen: Legen Sie sie dort neu fest.',
      secret:
        'Behalten Sie die neue Seite und ihre Adresse für sich: Wer sie hat, kann diesen Kalender lesen.',
    },
    ended: {
      heading: 'Dieser Link ist abgeschaltet',
      text: 'Kalenderprogramme bekommen über diese Adresse nichts mehr. Der letzte Stand bleibt dort sichtbar, bis Sie den Kalender entfernen:',
      programs: [
        'Apple Kalender: auf dem iPhone „Kalender“ antippen, dann das „i“ neben diesem Kalender, dann „Kalender löschen“; auf dem Mac mit der rechten Maustaste auf den Kalender klicken und „Abonnement beenden“ wählen.',
        'Google Kalender: am Computer in den Einstellungen des Kalenders „Kalender entfernen“ wählen. Bis dahin bleibt der letzte Stand sichtbar.',
        'Outlook: im Menü des Kalenders „Entfernen“ wählen.',
        'Andere Programme: den Kalender dort entfernen oder abbestellen. Manche zeigen bis dahin einen Fehler an.',
      ],
      hint: 'Andere Links zu diesem Kalender gelten weiter.',
    },
  },
  conditions: 'Gut zu wissen',
  condition: {
    unavailable: {
      heading: 'Gerade lässt sich nichts anzeigen',
      text: 'Das Personalsystem liefert gerade keine Antwort, die sich sicher anzeigen lässt. Das Abonnieren kann deshalb fehlschlagen: Versuchen Sie es in einigen Minuten noch einmal. Programme, die den Kalender schon haben, behalten ihren Stand.',
    },
    leaves_missing: {
      heading: 'Abwesenheiten fehlen',
      text: 'Es ist noch nicht nachgewiesen, dass das Personalsystem die Abwesenheiten verschiedener Personen trennt. Bis dahin werden keine angezeigt. Die IT kann das mit der Prüfung „doctor“ klären.',
    },
    misnamed: {
      heading: 'Dieser Kalender gilt für eine andere Schreibweise der Benutzerkennung',
      text: 'Das Personalsystem führt die Person unter einer anderen Kennung als dieser Kalender, daher zeigt der Kalender nichts Neues über diese Person. Die Personalabteilung kann einen neuen Kalender für die richtige Kennung anlegen.',
    },
    person_held: {
      heading: 'Dieser Kalender bleibt, wie er war',
      text: 'Das Personalsystem nennt für eine Person dieses Kalenders jetzt einen anderen Namen und eine andere Mailadresse. Bis die Personalabteilung bestätigt, dass es noch dieselbe Person ist, zeigt der Kalender nichts Neues über sie.',
    },
    nothing_shown: {
      heading: 'Alles ist ausgeschaltet',
      text: 'Der Kalender bleibt leer, bis etwas eingeschaltet wird.',
    },
    unknown_schedules: {
      heading: 'Ihr Schichtplan ist noch nicht bekannt',
      text: 'Als dieser Kalender angelegt wurde, hat das Personalsystem keine Schichtpläne geliefert. Sobald es das tut, verwendet der Kalender den Standardplan und füllt sich automatisch.',
    },
    no_schedule: {
      heading: 'Schichten fehlen',
      text: 'Für diesen Kalender ist kein Schichtplan ausgewählt. Die Personalabteilung kann einen auswählen.',
    },
    no_projects: {
      heading: 'Aufgaben fehlen',
      text: 'Für diesen Kalender sind keine Projekte ausgewählt. Die Personalabteilung kann welche auswählen.',
    },
    no_invoices: {
      heading: 'Rechnungen fehlen',
      text: 'Für diesen Kalender sind keine Rechnungen ausgewählt. Die Personalabteilung kann welche auswählen.',
    },
    missing_schedule: {
      heading: 'Ein Schichtplan existiert nicht mehr',
      text: 'Das Personalsystem kennt einen Schichtplan dieses Kalenders nicht mehr, daher fehlen seine Schichten. Die Personalabteilung kann einen anderen wählen.',
    },
    inactive_schedule: {
      heading: 'Ein Schichtplan gilt nicht mehr',
      text: 'Ein Schichtplan dieses Kalenders ist nicht mehr aktiv, daher fehlen seine Schichten. Die Personalabteilung kann einen anderen wählen.',
    },
    needs_rotation: {
      heading: 'Wechselschichten fehlen',
      text: 'Es ist noch nicht festgelegt, welche Woche des Schichtrhythmus für Sie gilt, und eine falsche Schicht wäre schlimmer als keine. Die Personalabteilung kann den Rhythmus festlegen.',
    },
    no_such_project: {
      heading: 'Ein Projekt gibt es nicht mehr',
      text: 'Das Personalsystem kennt ein Projekt dieses Kalenders nicht mehr, daher fehlen dessen Aufgaben.',
    },
    no_such_invoice: {
      heading: 'Eine Rechnung gibt es nicht mehr',
      text: 'Das Personalsystem kennt eine Rechnung dieses Kalenders nicht mehr.',
    },
    stale: (kinds, since) => ({
      heading: `${lists.format(kinds)}: Stand ${since}`,
      text: 'Seitdem hat das Personalsystem nicht geantwortet. Sie sehen den damaligen Stand. Sobald es antwortet, aktualisiert sich der Kalender automatisch.',
    }),
    notStored: (kinds, since) => ({
      heading: `${lists.format(kinds)}: Stand ${since}`,
      text: 'Neuere Daten lassen sich gerade nicht speichern. Sie sehen den damaligen Stand. Sobald das Speichern wieder geht, aktualisiert sich der Kalender automatisch.',
    }),
    leaves_held: (since) => ({
      heading: `Abwesenheiten: Stand ${since}`,
      text: 'Seitdem lässt sich nicht nachweisen, dass das Personalsystem die Abwesenheiten verschiedener Personen trennt. Sie sehen den letzten sicheren Stand. Neues kommt erst hinzu, wenn der Nachweis wieder gelingt.',
    }),
    link_ends: (date) => ({
      heading: `Dieser Link läuft am ${date} ab`,
      text: 'Bitten Sie die Personalabteilung rechtzeitig um einen neuen Link und abonnieren Sie diesen.',
    }),
    unreadable_records: (count) => ({
      heading: count === 1 ? 'Ein Eintrag fehlt' : `${count} Einträge fehlen`,
      text: 'Datum oder Status im Personalsystem ist nicht lesbar.',
    }),
  },
  secret:
    'Behalten Sie diese Seite und ihre Adresse für sich: Wer sie hat, kann diesen Kalender lesen. Sind sie in falsche Hände geraten, bitten Sie die Personalabteilung um einen neuen Link.',
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many} vorher`
}
