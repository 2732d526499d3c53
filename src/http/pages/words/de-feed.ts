import { programNames } from '../../../domain/activity.ts'
import type { enFeed } from './en-feed.ts'

const language = 'de'
const lists = new Intl.ListFormat(language, { type: 'conjunction' })

/** What the page of a calendar says in German. */
export const deFeed: typeof enFeed = {
  language,
  title: 'Ihr Arbeitskalender',
  skip: 'Zur Vorschau springen',
  skipPreview: 'Zu „Was er zeigt“ springen',
  kicker: 'Ihr Kalender-Link',
  holds: (names, audience) => {
    if (names.length === 0) return 'In diesem Kalender ist gerade nichts eingeschaltet.'
    const whose = audience === 'own' ? 'Ihre' : 'Im Team:'
    return `${whose} ${lists.format(names)}, immer aktuell in dem Kalender, den Sie ohnehin nutzen.`
  },
  subscribe: 'In Ihren Kalender übernehmen',
  otherWays: 'Andere Wege',
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
        'Dieser Knopf kopiert die Adresse und öffnet die Einstellungen von Google Kalender.',
        'Fügen Sie die Adresse bei „URL des Kalenders“ ein.',
        'Drücken Sie „Kalender hinzufügen“. Telefone mit demselben Konto zeigen ihn dann auch.',
      ],
      unscripted: {
        action: 'Google öffnen',
        step: 'Markieren und kopieren Sie diese Adresse des Kalenders und öffnen Sie dann mit dem Knopf darüber die Einstellungen von Google Kalender:',
      },
      note: 'Google fragt nur alle 4 bis 24 Stunden nach Änderungen, und niemand kann das beschleunigen.',
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
      hint: 'Für Thunderbird, Nextcloud, ICSx5 und andere: dort „Abonnieren“ oder „Kalender aus dem Internet“ wählen und sie einfügen.',
    },
    download: {
      name: 'Einmal herunterladen',
      action: 'Kopie herunterladen',
      hint: 'Eine Datei mit dem Stand von heute. Sie aktualisiert sich nicht.',
    },
  },
  googleOnPhone: {
    name: 'Google Kalender auf diesem Telefon',
    hint: 'Die App von Google kann das nicht selbst. Öffnen Sie diese Seite einmal am Computer, dann zeigt auch dieses Telefon den Kalender.',
    steps: [
      'Schicken Sie sich diese Seite, zum Beispiel per Mail.',
      'Öffnen Sie sie am Computer und drücken Sie dort „Adresse kopieren und Google öffnen“.',
      'Danach erscheint der Kalender auf jedem Telefon mit diesem Google-Konto.',
    ],
    onNewAddress: {
      hint: 'Die App von Google kann das nicht selbst. Öffnen Sie die Seite der neuen Adresse einmal am Computer, dann zeigt auch dieses Telefon den Kalender.',
      step: 'Schicken Sie sich die Seite der neuen Adresse, zum Beispiel per Mail:',
    },
  },
  device: {
    name: 'Auf einem anderen Gerät',
    hint: 'Richten Sie die Kamera dieses Geräts auf einen Code.',
    calendarCode: 'iPhone: abonniert',
    pageCode: 'Jedes andere Gerät: öffnet diese Seite',
  },
  share: {
    action: 'Diese Seite an mich schicken',
    copy: 'Adresse dieser Seite kopieren',
    copied: 'Die Adresse der Seite ist kopiert: Schicken Sie sie sich selbst.',
    failed: 'Ihr Browser hat das nicht erlaubt. Kopieren Sie die Adresse oben aus der Adresszeile.',
  },
  sheet: {
    code: 'iPhone und iPad: die Kamera auf den ersten Code richten und mit „Abonnieren“ bestätigen.',
    open: 'Alles andere: die Kamera auf den zweiten Code richten oder diese Adresse am Computer öffnen.',
    choose: 'Dort Ihren Kalender wählen. Er bleibt dann von selbst aktuell, auch auf dem Telefon.',
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
    'Google und Microsoft holen Kalender mit ihren eigenen Servern ab, und die erreichen diese Adresse nicht. Nutzen Sie hier einen anderen Weg.',
  qrCode: 'QR-Code der Adresse des Kalenders',
  pageCode: 'QR-Code der Adresse dieser Seite',
  preview: {
    heading: 'So wird er aussehen',
    hint: (timezone) => `Genau das bekommt Ihr Kalenderprogramm, hier in der Zeit von ${timezone}.`,
    hintHere: (timezone) =>
      `Genau das bekommt Ihr Kalenderprogramm, hier in der Zeit dieses Geräts. Die Zeitzone des Kalenders ist ${timezone}.`,
    loading: 'Ihr Kalender wird geladen …',
    failed: 'Der Kalender lässt sich gerade nicht zeigen.',
    missing: 'Er steht hier, sobald es etwas zu zeigen gibt.',
    retry: 'Noch einmal versuchen',
    beyondWeek:
      'Das sind die nächsten sieben Tage. Ihr Kalenderprogramm zeigt den ganzen Kalender.',
    beyondCut: (count) =>
      `Das sind die ersten ${count} Einträge der nächsten sieben Tage. Ihr Kalenderprogramm zeigt den ganzen Kalender.`,
    onlyWeek: 'Spätere Einträge lassen sich gerade nicht zeigen.',
    views: 'Darstellung',
    list: 'Liste',
    month: 'Monat',
    today: 'Heute',
    earlier: 'Früher',
    later: 'Später',
    more: 'Mehr anzeigen',
    reach: 'Einträge bisher bis {date}. Spätere erscheinen von selbst.',
    empty: 'In diesem Kalender steht noch nichts. Was dazukommt, erscheint von selbst.',
    emptyWeek: 'In den nächsten sieben Tagen steht nichts an.',
    emptyAhead: 'Ab heute steht nichts an. Was dazukommt, erscheint von selbst.',
    close: 'Schließen',
    allDay: 'ganztägig',
  },
  selfService: {
    heading: 'Was er zeigt',
    hint: 'Schalten Sie aus, was Sie nicht in Ihrem Kalender haben möchten. Sie können es jederzeit wieder einschalten.',
    fixed: 'Was dieser Kalender zeigt, bestimmt die Personalabteilung.',
    detail: 'Wie viel er über Abwesenheiten sagt',
    details: {
      absent: 'Nur „Abwesend“',
      type: 'Die Art der Abwesenheit',
      full: 'Die Art der Abwesenheit und den Grund',
    },
    detailHint:
      'Auch „Abwesend“ sagt „(beantragt)“, solange es nicht genehmigt ist, und die Dauer, wo es keine ganzen Tage sind, etwa „(halber Tag)“.',
    save: 'Speichern',
    saved: 'Gespeichert. Kalenderprogramme zeigen es, wenn sie das nächste Mal fragen.',
    notSaved: 'Nicht gespeichert: keine Verbindung. Versuchen Sie es noch einmal.',
    unsaved: 'Ihre Änderungen sind noch nicht gespeichert. Ohne sie weitergehen?',
  },
  activity: {
    heading: 'Wann Kalenderprogramme zuletzt gefragt haben',
    none: 'Noch hat keines gefragt. Sobald Sie den Kalender übernommen haben, steht es hier.',
    google: 'Google fragt alle 4 bis 24 Stunden, andere meist innerhalb einer Stunde.',
    clock: (timezone) => `Zeiten von ${timezone}.`,
    clients: {
      ...programNames,
      browser: 'Ein Browser',
      other: 'Ein anderes Programm',
    },
    verdict: ({ askedAt, state, changedAt }, times) => {
      const asked = `hat ${times.ago(askedAt)} gefragt`
      const change = changedAt === null ? '' : ` (${times.at(changedAt)})`
      if (state === 'current') return `${asked} und kennt die letzte Änderung${change}`
      return state === 'refused'
        ? `${asked} und keinen Kalender bekommen; es fragt wieder`
        : `${asked}, seit der letzten Änderung${change} noch nicht`
    },
  },
  link: {
    locale: 'Sprache der Einträge',
    reminder: 'Erinnerung',
    reminderHint:
      'Vor Schichten und allem anderen, das eine Uhrzeit hat. Google und Outlook übergehen Erinnerungen abonnierter Kalender; lassen Sie in Apple Kalender beim Abonnieren „Hinweise entfernen“ aus.',
    noReminder: 'Keine',
    before: (minutes) => {
      if (minutes % 1440 === 0 && minutes > 0) return counted(minutes / 1440, 'Tag', 'Tage')
      if (minutes % 60 === 0 && minutes > 0) return counted(minutes / 60, 'Stunde', 'Stunden')
      return minutes === 0 ? 'Zum Beginn' : counted(minutes, 'Minute', 'Minuten')
    },
    nothingShown:
      'Es wurde nichts gespeichert: Alles wäre ausgeschaltet und der Kalender leer. Lassen Sie mindestens eines eingeschaltet, oder beenden Sie weiter unten diesen Link.',
    unconfirmed: 'Es wurde nichts geändert: Setzen Sie zuerst das Häkchen.',
    notSent: 'Es wurde nichts geändert: keine Verbindung. Versuchen Sie es noch einmal.',
    heading: 'Dieser Link',
    another: {
      fromHr: 'Einen neuen bekommen Sie nur von der Personalabteilung.',
      bySignIn:
        'Ist es Ihr eigener Kalender, erstellen Sie nach dem Anmelden selbst einen neuen; sonst fragen Sie, wer Ihnen diesen gegeben hat.',
    },
    secret:
      'Behalten Sie diese Seite und ihre Adresse für sich: Wer sie hat, kann diesen Kalender lesen. Sind sie in falsche Hände geraten, holen Sie sich unter „Dieser Link“ eine neue Adresse.',
    replace: {
      summary: 'Diese Adresse ist in falsche Hände geraten: Ich brauche eine neue',
      text: 'Die alte Adresse endet sofort, für alle, die sie haben. Die neue wird Ihnen ein einziges Mal gezeigt, hier. Kalenderprogramme folgen nicht von selbst: Abonnieren Sie in jedem von ihnen die neue Adresse. Was Sie hier gewählt haben, wird nicht übernommen: Stellen Sie es auf der neuen Seite wieder ein.',
      confirm: 'Ich abonniere überall neu',
      action: 'Ersetzen',
    },
    end: {
      summary: 'Diesen Link beenden',
      text: 'Kalenderprogramme bekommen über diese Adresse nichts mehr. Andere Links zu diesem Kalender bestehen weiter.',
      confirm: 'Ich brauche diesen Link nicht mehr',
      action: 'Beenden',
    },
    replaced: {
      heading: 'Ihre neue Adresse',
      text: 'Die alte Adresse ist beendet. Kalenderprogramme folgen nicht von selbst: Abonnieren Sie in jedem von ihnen diese neue.',
      keep: 'Diese Adresse wird nur jetzt gezeigt. Legen Sie für die Seite hinter diesem Link ein Lesezeichen an, sie gehört zur neuen Adresse:',
      page: 'Seite der neuen Adresse öffnen',
      remove:
        'Entfernen Sie danach in jedem Programm den alten Kalender: Er bleibt dort stehen, wie er war, und wird nicht mehr aktualisiert.',
      choices: 'Was Sie gewählt hatten, beginnt neu: Stellen Sie es dort wieder ein.',
      secret:
        'Behalten Sie die neue Seite und ihre Adresse für sich: Wer sie hat, kann diesen Kalender lesen.',
    },
    ended: {
      heading: 'Dieser Link ist beendet',
      text: 'Kalenderprogramme bekommen über diese Adresse nichts mehr. Was sie schon haben, behalten sie, bis Sie den Kalender dort entfernen:',
      programs: [
        'Apple Kalender: auf dem iPhone „Kalender“, das „i“ daneben, „Kalender löschen“; auf dem Mac mit der rechten Maustaste „Abonnement beenden“.',
        'Google Kalender: am Computer in den Einstellungen des Kalenders „Kalender entfernen“. Bis dahin zeigt er, was er zuletzt bekommen hat.',
        'Outlook: im Menü des Kalenders „Entfernen“.',
        'Jedes andere Programm: dort entfernen oder abbestellen. Manche zeigen bis dahin einen Fehler.',
      ],
      hint: 'Andere Links zu diesem Kalender bestehen weiter.',
    },
  },
  conditions: 'Gut zu wissen',
  condition: {
    unavailable: {
      heading: 'Gerade gibt es nichts zu zeigen',
      text: 'Das Personalsystem gibt keine Antwort, die sicher gezeigt werden kann. Ihn zu übernehmen kann gerade scheitern: Versuchen Sie es in einigen Minuten wieder. Programme, die ihn schon haben, behalten solange, was sie haben.',
    },
    leaves_missing: {
      heading: 'Abwesenheiten fehlen',
      text: 'Noch ist nicht bewiesen, dass das Personalsystem die Abwesenheiten verschiedener Personen auseinanderhält. Bis dahin werden keine gezeigt. Die IT kann es mit der Untersuchung klären.',
    },
    misnamed: {
      heading: 'Dieser Kalender gilt für eine andere Schreibweise der Benutzerkennung',
      text: 'Das Personalsystem führt die Person unter einer anderen Kennung als dieser Kalender, daher wird nichts Neues von ihr gezeigt. Die Personalabteilung kann einen neuen Kalender für die richtige Kennung anlegen.',
    },
    person_held: {
      heading: 'Dieser Kalender bleibt, wie er war',
      text: 'Das Personalsystem nennt zu einer Person dieses Kalenders jetzt einen anderen Namen und eine andere Mailadresse. Bis die Personalabteilung gesagt hat, ob es noch dieselbe Person ist, kommt von ihr nichts Neues hinzu.',
    },
    nothing_shown: {
      heading: 'Alles ist ausgeschaltet',
      text: 'Der Kalender bleibt leer, bis etwas eingeschaltet wird.',
    },
    unknown_schedules: {
      heading: 'Ihr Arbeitsplan ist noch nicht bekannt',
      text: 'Als dieser Kalender angelegt wurde, hat das Personalsystem nicht gesagt, welche Arbeitspläne es gibt. Sobald es das tut, übernimmt der Kalender den üblichen und füllt sich von selbst.',
    },
    no_schedule: {
      heading: 'Schichten fehlen',
      text: 'Für diesen Kalender ist kein Arbeitsplan gewählt. Die Personalabteilung kann das tun.',
    },
    no_projects: {
      heading: 'Aufgaben fehlen',
      text: 'Es sind keine Projekte angegeben, deren Aufgaben dieser Kalender zeigen könnte. Die Personalabteilung kann das tun.',
    },
    no_invoices: {
      heading: 'Rechnungen fehlen',
      text: 'Für diesen Kalender sind keine Rechnungen gewählt. Die Personalabteilung kann das tun.',
    },
    missing_schedule: {
      heading: 'Ein Arbeitsplan ist weg',
      text: 'Einen Arbeitsplan dieses Kalenders gibt es nicht mehr, daher fehlen seine Schichten. Die Personalabteilung kann einen anderen wählen.',
    },
    inactive_schedule: {
      heading: 'Ein Arbeitsplan gilt nicht mehr',
      text: 'Ein Arbeitsplan dieses Kalenders ist abgeschaltet, daher fehlen seine Schichten. Die Personalabteilung kann einen anderen wählen.',
    },
    needs_rotation: {
      heading: 'Wechselschichten fehlen',
      text: 'Noch hat niemand angegeben, welche Woche des Wechsels Ihre ist, und eine falsche Schicht ist schlimmer als keine. Die Personalabteilung kann den Wechsel angeben.',
    },
    no_such_project: {
      heading: 'Ein Projekt ist weg',
      text: 'Das Personalsystem kennt ein Projekt dieses Kalenders nicht mehr, daher fehlen dessen Aufgaben.',
    },
    no_such_invoice: {
      heading: 'Eine Rechnung ist weg',
      text: 'Das Personalsystem kennt eine Rechnung dieses Kalenders nicht mehr.',
    },
    stale: (kinds, since) => ({
      heading: `${lists.format(kinds)}: Stand ${since}`,
      text: 'Seitdem hat das Personalsystem nicht geantwortet. Sie sehen, was es damals gesagt hat; sobald es antwortet, wird von selbst aktualisiert.',
    }),
    unkept: (kinds, since) => ({
      heading: `${lists.format(kinds)}: Stand ${since}`,
      text: 'Was seitdem gekommen ist, kann hier gerade nicht gespeichert werden. Sie sehen den damaligen Stand; sobald gespeichert werden kann, wird von selbst aktualisiert.',
    }),
    leaves_held: (since) => ({
      heading: `Abwesenheiten: Stand ${since}`,
      text: 'Seitdem lässt sich nicht beweisen, dass das Personalsystem die Abwesenheiten der einen Person von denen der anderen trennt. Sie sehen, was vorher bewiesen war; Neues wird erst wieder übernommen, wenn es bewiesen ist.',
    }),
    link_ends: (date) => ({
      heading: `Dieser Link endet am ${date}`,
      text: 'Bitten Sie die Personalabteilung rechtzeitig um den neuen und übernehmen Sie diesen.',
    }),
    unreadable_records: (count) => ({
      heading: count === 1 ? 'Ein Eintrag fehlt' : `${count} Einträge fehlen`,
      text: 'Das Personalsystem beschreibt sie so, dass sich kein Datum oder Zustand lesen lässt.',
    }),
  },
  secret:
    'Behalten Sie diese Seite und ihre Adresse für sich: Wer sie hat, kann diesen Kalender lesen. Sind sie in falsche Hände geraten, bitten Sie die Personalabteilung um einen neuen Link.',
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many} vorher`
}
