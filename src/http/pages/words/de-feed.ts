import { programNames } from '../../../domain/activity.ts'
import { localeNames } from '../../../domain/feed.ts'
import { type enFeed, type People, textOf } from './en-feed.ts'

const language = 'de'
const lists = new Intl.ListFormat(language, { type: 'conjunction' })

export const deFeed: typeof enFeed = {
  language,
  title: 'Ihr Arbeitskalender',
  skip: 'Zur Vorschau springen',
  skipPreview: 'Zu „Was dieser Kalender zeigt“ springen',
  holds: (names, people) => {
    if (names.length === 0) return 'In diesem Kalender ist gerade nichts eingeschaltet.'
    const what = lists.format(names)
    const start = people ? aboutOthers(what, people) : `Ihre ${what}`
    return `${start}, immer aktuell in dem Kalender, den Sie ohnehin nutzen.`
  },
  absences: 'Abwesenheiten',
  absencesOf: (name) => `Abwesenheiten von ${name}`,
  shared: 'Arbeitskalender',
  subscribe: 'Zu Ihrem Kalender hinzufügen',
  otherWays: 'Andere Kalender-Apps',
  ways: {
    apple: {
      action: 'In Apple Kalender abonnieren',
      hint: 'iPhone, iPad und Mac. Mit „Abonnieren“ bestätigen.',
      profile: 'Oder ein Profil laden, das den Kalender abonniert',
    },
    icsx5: {
      action: 'Mit ICSx⁵ abonnieren',
      hint: 'ICSx⁵ ist eine App, die diesen Kalender auf Ihr Smartphone bringt und aktuell hält.',
      install: 'Installieren Sie ICSx⁵ einmal, aus',
      or: 'oder',
      googlePlay: 'Google Play (kostenpflichtig)',
      fDroid: 'F-Droid (kostenlos)',
      steps: [
        'Tippen Sie auf „Mit ICSx⁵ abonnieren“ und bestätigen Sie in der App.',
        'Die Kalender-App Ihres Smartphones zeigt den Kalender jetzt an.',
      ],
    },
    google: {
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
      note: 'Google synchronisiert nur alle 4 bis 24 Stunden. Das lässt sich nicht beschleunigen.',
    },
    outlook: {
      action: 'In Outlook abonnieren',
      hint: 'Mit Ihrem Arbeitskonto. Mit „Importieren“ bestätigen.',
      personal: 'Privates Konto? In Outlook.com abonnieren',
      versions: [
        {
          name: 'Outlook im Web',
          steps: [
            'Klicken Sie oben auf „In Outlook abonnieren“ und melden Sie sich an, falls nötig.',
            'Prüfen Sie den Namen des Kalenders.',
            'Klicken Sie auf „Importieren“. Auch das neue Outlook für Windows zeigt den Kalender dann.',
          ],
        },
        {
          name: 'Neues Outlook für Windows',
          copies: true,
          steps: [
            'Kopieren Sie die Adresse des Kalenders.',
            'Öffnen Sie in Outlook den Kalender und wählen Sie „Kalender hinzufügen“, dann „Aus dem Internet abonnieren“ oder „Aus dem Web abonnieren“.',
            'Fügen Sie die Adresse ein, geben Sie einen Namen ein und klicken Sie auf „Importieren“.',
          ],
        },
        {
          name: 'Klassisches Outlook für Windows',
          copies: true,
          steps: [
            'Kopieren Sie die Adresse des Kalenders.',
            'Öffnen Sie in Outlook den Kalender und wählen Sie unter „Start“ den Punkt „Kalender hinzufügen“ oder „Kalender öffnen“, dann „Aus dem Internet“.',
            'Fügen Sie die Adresse ein, klicken Sie auf „OK“ und dann auf „Ja“.',
          ],
        },
      ],
    },
    copy: {
      action: 'Adresse kopieren',
      hint: 'Für Thunderbird, Nextcloud und jede App, die eine Adresse abonniert.',
      steps: [
        'Kopieren Sie die Adresse.',
        'Öffnen Sie in Thunderbird den Kalender und wählen Sie „Neuer Kalender …“, dann „Im Netzwerk“. In anderen Apps heißt es „Abonnieren“ oder „Per URL“.',
        'Fügen Sie die Adresse ein, lassen Sie den Benutzernamen leer, klicken Sie auf „Kalender suchen“ und dann auf „Abonnieren“.',
      ],
    },
    download: {
      action: 'Kopie herunterladen',
      hint: 'Eine Datei mit dem Stand von heute. Sie aktualisiert sich nicht.',
    },
  },
  googleOnPhone: {
    name: 'Google Kalender, am Computer',
    hint: 'Die Smartphone-App von Google kann keine Adresse abonnieren. Fügen Sie den Kalender einmal am Computer hinzu, dann zeigt ihn auch dieses Smartphone. Google synchronisiert alle 4 bis 24 Stunden.',
    steps: [
      'Schicken Sie sich diese Seite, zum Beispiel per Mail.',
      'Öffnen Sie sie am Computer und klicken Sie dort auf „Adresse kopieren und Google öffnen“.',
      'Danach erscheint der Kalender auf jedem Smartphone mit diesem Google-Konto.',
    ],
    onNewAddress: 'Schicken Sie sich die Seite zur neuen Adresse, zum Beispiel per Mail:',
  },
  device: {
    name: 'Auf einem anderen Gerät',
    hint: 'Richten Sie dessen Kamera auf einen der Codes.',
    calendarCode: 'iPhone: abonniert den Kalender',
    pageCode: 'Jedes andere Gerät: öffnet diese Seite',
  },
  share: {
    action: 'Diese Seite an mich schicken',
    copy: 'Adresse dieser Seite kopieren',
    copied: 'Kopiert. Schicken Sie sie jetzt an sich selbst.',
    failed: 'Ihr Browser erlaubt das nicht. Kopieren Sie die Adresse aus der Adresszeile.',
  },
  sheet: {
    code: 'iPhone und iPad: die Kamera auf den ersten Code richten und mit „Abonnieren“ bestätigen.',
    open: 'Alles andere: die Kamera auf den zweiten Code richten oder diese Adresse am Computer öffnen.',
    choose:
      'Dort Ihre Kalender-App wählen. Der Kalender bleibt dann von selbst aktuell, auch auf dem Smartphone.',
    secret:
      'Behalten Sie dieses Blatt für sich: Wer es hat, kann diesen Kalender lesen. Hat es jemand anderes, öffnen Sie die Adresse oben und ersetzen Sie sie dort.',
  },
  address: 'Adresse des Kalenders',
  copied: 'Adresse kopiert.',
  copyFailed:
    'Ihr Browser erlaubt das Kopieren nicht. Markieren Sie die Adresse und kopieren Sie sie selbst.',
  newTab: 'öffnet einen neuen Tab',
  steps: 'Schritt für Schritt',
  unreachable:
    'Google und Outlook im Web erreichen diese Adresse von ihren Servern aus nicht. Wählen Sie einen anderen Weg.',
  qrCode: 'QR-Code der Adresse des Kalenders',
  pageCode: 'QR-Code der Adresse dieser Seite',
  preview: {
    heading: 'So sieht der Kalender aus',
    hint: (timezone) => `Das zeigt Ihre Kalender-App. Zeiten in der Zeitzone ${timezone}.`,
    hintHere: 'Das zeigt Ihre Kalender-App. Zeiten in der Zeitzone dieses Geräts.',
    loading: 'Der Kalender wird geladen …',
    failed: 'Der Kalender lässt sich gerade nicht laden.',
    missing: 'Der Kalender erscheint hier, sobald es etwas anzuzeigen gibt.',
    retry: 'Noch einmal versuchen',
    beyondWeek: 'Das sind die nächsten sieben Tage. Ihre Kalender-App zeigt den ganzen Kalender.',
    beyondCut: (count) =>
      `Das sind die ersten ${count} Einträge der nächsten sieben Tage. Ihre Kalender-App zeigt den ganzen Kalender.`,
    onlyWeek: 'Spätere Einträge lassen sich gerade nicht laden.',
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
  seen: {
    label: 'Ansicht',
    asYou: 'Wie Sie ihn sehen',
    asOthers: 'Wie andere ihn sehen',
    bare: 'Das zeigt der Kalender einer Kollegin oder eines Kollegen über Sie: dass Sie abwesend sind, und wann.',
    more: 'Das zeigt der Kalender einer Kollegin oder eines Kollegen über Sie.',
    hint: (timezone) => `Zeiten in der Zeitzone ${timezone}.`,
    hintHere: 'Zeiten in der Zeitzone dieses Geräts.',
    beyond: 'Das sind die nächsten sieben Tage.',
  },
  selfService: {
    heading: 'Was dieser Kalender zeigt',
    hint: 'Schalten Sie aus, was Sie nicht sehen möchten. Sie können es jederzeit wieder ändern.',
    fixed: 'Was dieser Kalender zeigt, bestimmt die Personalabteilung.',
    onlyAway: 'Dieser Link zeigt nur „Abwesend“: nicht warum und auch sonst nichts.',
    general: 'Sprache und Erinnerung',
    choices: {
      detail: {
        label: 'Details',
        hint: 'Auch bei „Abwesend“ steht „(beantragt)“, bis die Abwesenheit genehmigt ist, und bei Teilen eines Tages etwa „(halber Tag)“.',
        text: textOf({
          absent: 'Nur „Abwesend“',
          type: 'Art der Abwesenheit',
          full: 'Art und Grund',
        }),
      },
      reminderMinutes: {
        label: 'Erinnerung',
        hint: 'Für Schichten und andere Einträge mit Uhrzeit. Google und Outlook ignorieren Erinnerungen abonnierter Kalender; schalten Sie in Apple Kalender beim Abonnieren „Hinweise entfernen“ aus.',
        text: (minutes) => {
          if (minutes === 'none') return 'Keine'
          if (minutes % 1440 === 0 && minutes > 0) return counted(minutes / 1440, 'Tag', 'Tage')
          if (minutes % 60 === 0 && minutes > 0) return counted(minutes / 60, 'Stunde', 'Stunden')
          return minutes === 0 ? 'Zu Beginn' : counted(minutes, 'Minute', 'Minuten')
        },
      },
      leavesAs: {
        label: 'Darstellung',
        text: textOf({ person: 'Jede Abwesenheit', day: 'Eine Zeile am Tag' }),
      },
      leavesShowAs: {
        label: 'Anzeigen als',
        text: textOf({ outOfOffice: 'Außer Haus', busy: 'Beschäftigt', free: 'Frei' }),
      },
      shiftsAs: {
        label: 'Darstellung',
        text: textOf({ hours: 'Blöcke', day: 'Eine Zeile am Tag' }),
      },
      shiftsShowAs: {
        label: 'Anzeigen als',
        text: textOf({ busy: 'Beschäftigt', free: 'Frei' }),
      },
      timesheetsAs: {
        label: 'Darstellung',
        text: textOf({
          both: 'Zeiträume und Fälligkeiten',
          period: 'Zeiträume',
          deadline: 'Fälligkeiten',
          todo: 'To-dos',
        }),
      },
      locale: { label: 'Sprache', text: textOf(localeNames) },
    },
    save: 'Speichern',
    saving: 'Wird gespeichert …',
    saved: 'Gespeichert. Kalender-Apps zeigen die Änderung bei der nächsten Synchronisierung.',
    notSaved: 'Nicht gespeichert: keine Verbindung. Versuchen Sie es noch einmal.',
  },
  activity: {
    heading: 'Zuletzt synchronisiert',
    none: 'Noch hat keine Kalender-App synchronisiert. Sobald Sie den Kalender hinzugefügt haben, sehen Sie hier, wann das zuletzt war.',
    google:
      'Google synchronisiert alle 4 bis 24 Stunden, Outlook im Web und das neue Outlook alle 3 bis 6, die meisten anderen mindestens einmal pro Stunde, Konten alle 5 bis 15 Minuten.',
    clock: (timezone) => `Zeitangaben in der Zeitzone ${timezone}.`,
    clients: {
      ...programNames,
      browser: 'Ein Browser',
      other: 'Eine andere App',
    },
    verdict: ({ askedAt, state, changedAt }, times) => {
      const when = times.isNow(askedAt) ? 'gerade eben' : times.ago(askedAt)
      if (state === 'current') return `${when} synchronisiert`
      if (state === 'refused')
        return `konnte ${when} nicht synchronisieren. Ein neuer Versuch folgt.`
      const change =
        changedAt === null ? 'Die letzte Änderung' : `Die Änderung von ${times.at(changedAt)}`
      return `${when} synchronisiert. ${change} folgt beim nächsten Mal.`
    },
  },
  link: {
    nothingShown:
      'Nicht gespeichert: Der Kalender wäre leer. Lassen Sie mindestens einen Punkt eingeschaltet oder schalten Sie unten diesen Link ab.',
    unconfirmed: 'Es wurde nichts geändert: Setzen Sie zuerst das Häkchen.',
    notSent: 'Es wurde nichts geändert: keine Verbindung. Versuchen Sie es noch einmal.',
    heading: 'Dieser Link',
    another: {
      fromHr: 'Einen neuen Link bekommen Sie nur von der Personalabteilung.',
      bySignIn: 'Einen neuen Link können Sie selbst erstellen: Melden Sie sich an.',
      fromGiver: 'Einen neuen Link bekommen Sie nur von der Person, von der Sie diesen haben.',
    },
    secret:
      'Behalten Sie diese Seite für sich: Wer ihre Adresse hat, kann diesen Kalender lesen. Hat sie jemand anderes, ersetzen Sie sie unter „Dieser Link“.',
    replace: {
      summary: 'Diese Adresse ersetzen',
      text: 'Wenn jemand anderes sie hat: Die alte Adresse wird sofort ungültig, für alle. Die neue sehen Sie nur einmal, auf der nächsten Seite, und fügen sie in jeder Kalender-App neu hinzu. Ihre Einstellungen bleiben.',
      confirm: 'Ich füge den Kalender überall neu hinzu',
      action: 'Ersetzen',
    },
    end: {
      summary: 'Diesen Link abschalten',
      text: 'Kalender-Apps bekommen über diese Adresse nichts mehr. Andere Links zu diesem Kalender gelten weiter.',
      confirm: 'Ich brauche diesen Link nicht mehr',
      action: 'Abschalten',
    },
    replaced: {
      heading: 'Ihre neue Adresse',
      text: 'Die alte Adresse ist nicht mehr gültig.',
      now: 'Fügen Sie die neue Adresse jetzt hinzu: Diese Seite sehen Sie nur einmal. Tun Sie danach dasselbe in jeder anderen Kalender-App und entfernen Sie dort den alten Kalender.',
      keep: 'Die neue Adresse hat eine eigene Seite. Speichern Sie sie als Lesezeichen:',
      page: 'Neue Seite öffnen',
      secret:
        'Behalten Sie die neue Seite für sich: Wer ihre Adresse hat, kann diesen Kalender lesen.',
    },
    ended: {
      heading: 'Dieser Link ist abgeschaltet',
      text: 'Kalender-Apps bekommen über diese Adresse nichts mehr. Der letzte Stand bleibt dort, bis Sie den Kalender entfernen.',
      remove: 'So entfernen Sie den Kalender',
      programs: [
        'Apple Kalender: auf dem iPhone „Kalender“ antippen, dann das „i“ neben diesem Kalender, dann „Kalender löschen“; auf dem Mac mit der rechten Maustaste auf den Kalender klicken und „Abonnement beenden“ wählen.',
        'Google Kalender: am Computer in den Einstellungen des Kalenders „Kalender entfernen“ wählen.',
        'Outlook: im Menü des Kalenders „Entfernen“ wählen.',
        'Als Konto hinzugefügt: das Konto in der App entfernen; auf iPhone, iPad und Mac das Profil.',
        'Andere Apps: den Kalender dort entfernen oder abbestellen. Manche zeigen bis dahin einen Fehler.',
      ],
      hint: 'Andere Links zu diesem Kalender gelten weiter.',
    },
  },
  conditions: 'Gut zu wissen',
  condition: {
    unavailable: {
      heading: 'Gerade lässt sich nichts anzeigen',
      text: 'Das System Ihres Unternehmens antwortet gerade nicht, wie es soll. Das Hinzufügen kann deshalb fehlschlagen: Versuchen Sie es in einigen Minuten noch einmal. Apps, die den Kalender schon haben, behalten ihren Stand.',
    },
    leaves_missing: {
      heading: 'Abwesenheiten fehlen',
      text: 'Noch ist nicht sicher, wessen Abwesenheiten das System Ihres Unternehmens liefert. Unsichere zeigt der Kalender nicht. Die IT kann das mit der Prüfung „doctor“ klären.',
    },
    misnamed: {
      heading: 'Dieser Kalender wird nicht mehr aktualisiert',
      text: 'Das System Ihres Unternehmens schreibt die Benutzerkennung der Person jetzt anders. Die Personalabteilung kann einen neuen Kalender für die richtige Kennung anlegen.',
    },
    person_held: {
      heading: 'Dieser Kalender ist angehalten',
      text: 'Das System Ihres Unternehmens nennt für eine Person dieses Kalenders jetzt einen anderen Namen und eine andere Mailadresse. Bis die Personalabteilung bestätigt, dass es dieselbe Person ist, zeigt der Kalender nichts Neues über sie.',
    },
    nothing_shown: {
      heading: 'Alles ist ausgeschaltet',
      text: 'Der Kalender bleibt leer, bis etwas eingeschaltet wird.',
    },
    unknown_schedules: {
      heading: 'Der Schichtplan ist noch nicht bekannt',
      text: 'Das System Ihres Unternehmens hat noch keine Schichtpläne geliefert. Sobald es das tut, füllt sich der Kalender automatisch.',
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
      text: 'Ein Schichtplan dieses Kalenders ist gelöscht, daher fehlen seine Schichten. Die Personalabteilung kann einen anderen wählen.',
    },
    inactive_schedule: {
      heading: 'Ein Schichtplan gilt nicht mehr',
      text: 'Ein Schichtplan dieses Kalenders ist nicht mehr aktiv, daher fehlen seine Schichten. Die Personalabteilung kann einen anderen wählen.',
    },
    needs_rotation: {
      heading: 'Wechselschichten fehlen',
      text: 'Es ist nicht festgelegt, welche Woche des Schichtrhythmus gilt. Die Personalabteilung kann das festlegen.',
    },
    no_such_project: {
      heading: 'Ein Projekt gibt es nicht mehr',
      text: 'Das System Ihres Unternehmens hat ein Projekt dieses Kalenders nicht mehr, daher fehlen dessen Aufgaben.',
    },
    no_such_invoice: {
      heading: 'Eine Rechnung gibt es nicht mehr',
      text: 'Das System Ihres Unternehmens hat eine Rechnung dieses Kalenders nicht mehr.',
    },
    team_manager_unknown: {
      heading: 'Die Leitung dieses Teams ist nicht bekannt',
      text: 'Das System Ihres Unternehmens nennt niemanden, der dieser Leitung zugeordnet ist. Die Personalabteilung kann das klären.',
    },
    team_manager_left: {
      heading: 'Die Leitung dieses Teams hat das Unternehmen verlassen',
      text: 'Der Kalender zeigt alle, die ihr noch zugeordnet sind. Die Personalabteilung kann eine andere Leitung wählen.',
    },
    team_empty: {
      heading: 'In diesem Team ist niemand',
      text: 'Der Kalender füllt sich automatisch, sobald dieser Leitung jemand zugeordnet ist.',
    },
    team_too_large: (members, shown) => ({
      heading: `Zeigt ${shown} von ${members} Personen`,
      text: 'Das Team ist größer, als ein Kalender zeigen kann. Die Personalabteilung kann Kalender für kleinere Teams anlegen.',
    }),
    stale: (kinds, since) => ({
      heading: `${lists.format(kinds)}: Stand ${since}`,
      text: 'Seitdem hat das System Ihres Unternehmens nicht geantwortet. Sobald es antwortet, aktualisiert sich der Kalender von selbst.',
    }),
    notStored: (kinds, since) => ({
      heading: `${lists.format(kinds)}: Stand ${since}`,
      text: 'Neuere Daten lassen sich gerade nicht speichern. Sobald das wieder geht, aktualisiert sich der Kalender von selbst.',
    }),
    leaves_held: (since) => ({
      heading: `Abwesenheiten: Stand ${since}`,
      text: 'Seitdem ist nicht sicher, wessen Abwesenheiten das System Ihres Unternehmens liefert. Neue kommen hinzu, sobald das wieder feststeht.',
    }),
    link_ends: (date) => ({
      heading: `Dieser Link läuft am ${date} ab`,
      text: 'Bitten Sie die Personalabteilung vorher um einen neuen Link und fügen Sie diesen hinzu.',
    }),
    unreadable_records: (count) => ({
      heading: count === 1 ? 'Ein Eintrag fehlt' : `${count} Einträge fehlen`,
      text: 'Das System Ihres Unternehmens liefert ein Datum oder einen Status, der nicht lesbar ist.',
    }),
  },
  secret:
    'Behalten Sie diese Seite für sich: Wer ihre Adresse hat, kann diesen Kalender lesen. Hat sie jemand anderes, bitten Sie die Personalabteilung um einen neuen Link.',
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many} vorher`
}

function aboutOthers(what: string, { names, count }: People): string {
  const who =
    names.length > 0 ? lists.format(names) : count === 1 ? 'eine Person' : `${count} Personen`
  if (what === deFeed.absences) return `Zeigt, wann ${who} abwesend ${count === 1 ? 'ist' : 'sind'}`
  return `${what} von ${who}`
}
