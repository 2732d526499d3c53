import type { enSite } from './en-site.ts'

const tellIt =
  'Sie haben nichts falsch gemacht. Sagen Sie der IT Bescheid: Mehr steht im Protokoll des Programms.'
const later =
  'Versuchen Sie es in einer Minute wieder. Bleibt es so, sagen Sie der IT Bescheid. Kalender laufen weiter wie bisher.'

/** What all other pages say in German. */
export const deSite: typeof enSite = {
  front: {
    title: 'Arbeitskalender',
    heading: 'Ihr Arbeitskalender in dem Kalender, den Sie ohnehin nutzen',
    what: 'Mit einem persönlichen Link zeigen Google Kalender, Outlook, Apple Kalender und andere Ihre Abwesenheiten, Schichten, Stundenzettel und Aufgaben und folgen jeder Änderung.',
    forWhom: 'Das ist für Beschäftigte, deren Personalabteilung diese Links ausgibt.',
    signIn: {
      heading: 'Ihr Kalender',
      text: 'Melden Sie sich an wie sonst in Ihrem Unternehmen, um Ihren Kalender, seine Links und Einstellungen zu sehen.',
      link: 'Anmelden',
    },
    lost: {
      heading: 'Haben Sie Ihren Link verloren?',
      text: 'Bitten Sie die Personalabteilung um einen neuen. Niemand kann Ihren nachschlagen: Er ist geheim und wird nirgends gespeichert.',
      bySignIn:
        'Melden Sie sich an und erstellen Sie einen neuen. Niemand kann Ihren nachschlagen: Er ist geheim und wird nirgends gespeichert.',
    },
    documentation: {
      heading: 'Für Personalabteilung und IT',
      text: 'Kalender legen Sie auf der Kommandozeile oder aus Programmen über HTTP an.',
      link: 'Dokumentation der HTTP-Schnittstelle (englisch)',
    },
    sample: {
      heading: 'Dies ist ein Beispielunternehmen',
      text: 'Noch ist kein System angeschlossen. Das bekommt eine Mitarbeiterin des Beispielunternehmens mit ihrem Link zu sehen:',
      link: 'Adas Seite öffnen',
    },
  },
  lost: {
    text: 'Niemand kann Ihren nachschlagen: Er ist geheim und wird nirgends gespeichert. Sie können aber einen neuen per Mail bekommen, an die Adresse, die Ihr Unternehmen von Ihnen hat.',
    label: 'Ihre Mailadresse im Unternehmen',
    action: 'Neuen Link per Mail schicken',
    answer: {
      heading: 'Prüfen Sie Ihre Mails',
      text: 'Wenn Ihr Unternehmen diese Adresse kennt und einen Kalender für Sie hat, ist ein neuer Link zu Ihnen unterwegs.',
      hint: 'Er sollte in wenigen Minuten da sein; sehen Sie auch im Spam-Ordner nach. Kommt nichts, bitten Sie die Personalabteilung um einen neuen. Ihre anderen Links gelten weiter. Nur ein Link, der Ihnen früher so geschickt wurde, endet, sobald Sie mit dem neuen abonniert haben.',
      back: 'Zurück',
    },
  },
  signIn: {
    title: 'Anmelden',
    again: 'Noch einmal versuchen',
    signOut: 'Abmelden',
    refusals: {
      unknown_mail: {
        heading: 'Diese Mailadresse hat hier niemand',
        text: 'Sie haben sich bei Ihrem Unternehmen angemeldet, aber in der Personenliste hat niemand die Mailadresse dieses Kontos.',
        hint: 'Fragen Sie die Personalabteilung, welche Mailadresse sie von Ihnen hat. Haben Sie mehrere Konten, melden Sie sich zuerst bei der Anmeldung Ihres Unternehmens mit diesem ab und versuchen Sie es dann mit dem anderen.',
      },
      mail_of_several: {
        heading: 'Diese Mailadresse haben mehrere Personen',
        text: 'Die Mailadresse Ihres Kontos steht mehrmals in der Personenliste; sie sagt also nicht, wer Sie sind.',
        hint: 'Bitten Sie die Personalabteilung, das zu berichtigen, und versuchen Sie es dann wieder.',
      },
      unverified_mail: {
        heading: 'Ihre Mailadresse ist nicht bestätigt',
        text: 'Die Anmeldung Ihres Unternehmens sagt nicht, dass die Mailadresse Ihres Kontos wirklich Ihre ist.',
        hint: 'Bestätigen Sie die Adresse in Ihrem Konto, falls es danach fragt; sonst sagen Sie der IT Bescheid.',
      },
      no_mail: {
        heading: 'Ihr Konto nennt keine Mailadresse',
        text: 'Sie haben sich bei Ihrem Unternehmen angemeldet, aber es hat uns keine Mailadresse genannt, über die wir Sie finden.',
        hint: 'Wurden Sie gefragt, was weitergegeben werden darf, erlauben Sie die Mailadresse; sonst sagen Sie der IT Bescheid.',
      },
      no_id: {
        heading: 'Ihr Konto sagt nicht, wer Sie sind',
        text: 'Sie haben sich bei Ihrem Unternehmen angemeldet, aber es hat uns die Personalkennung nicht genannt, über die wir Sie finden.',
        hint: 'Sagen Sie der IT, dass diese in Ihrem Konto fehlt.',
      },
      unknown_id: {
        heading: 'Diese Personalkennung hat hier niemand',
        text: 'Sie haben sich bei Ihrem Unternehmen angemeldet, aber in der Personenliste hat niemand die Personalkennung dieses Kontos.',
        hint: 'Fragen Sie die Personalabteilung, welche Kennung sie von Ihnen hat.',
      },
      id_of_several: {
        heading: 'Diese Personalkennung gibt es in mehreren Unternehmen',
        text: 'Mehr als ein Unternehmen kennt die Personalkennung Ihres Kontos; sie sagt also nicht, wer Sie sind.',
        hint: 'Sagen Sie der IT Bescheid: Hier müssen Personen an ihrer Mailadresse erkannt werden.',
      },
      has_left: {
        heading: 'Dieses Konto gehört jemandem, der nicht mehr hier arbeitet',
        text: 'Laut Personenliste ist die Person, der dieses Konto gehört, ausgeschieden.',
        hint: 'Arbeiten Sie noch hier, fragen Sie die Personalabteilung.',
      },
      groups_left_out: {
        heading: 'Ihr Konto ist in zu vielen Gruppen',
        text: 'Die Anmeldung Ihres Unternehmens lässt die Gruppen weg, wenn ein Konto in sehr vielen ist; sie sagt also nicht, was Sie hier dürfen.',
        hint: 'Sagen Sie der IT Bescheid: Die Anmeldung soll nur die Gruppen oder die Rolle nennen, die dieses Programm braucht.',
      },
      not_begun_here: {
        heading: 'Diese Anmeldung lässt sich nicht abschließen',
        text: 'Sie wurde in einem anderen Browser begonnen, hat länger als zehn Minuten gedauert oder ist schon abgeschlossen.',
        hint: 'Beginnen Sie in diesem Browser noch einmal.',
      },
      cancelled: {
        heading: 'Sie sind nicht angemeldet',
        text: 'Die Anmeldung wurde abgebrochen, oder Ihr Unternehmen erlaubt sie für Ihr Konto nicht.',
        hint: 'Versuchen Sie es noch einmal, oder fragen Sie die IT, ob Ihr Konto dieses Programm verwenden darf.',
      },
      code_refused: {
        heading: 'Diese Anmeldung gilt nicht mehr',
        text: 'Die Anmeldung Ihres Unternehmens hat sie kein zweites Mal angenommen, oder es hat zu lange gedauert.',
        hint: 'Beginnen Sie noch einmal. Hilft das nicht, sagen Sie der IT Bescheid.',
      },
      answer_wrong: {
        heading: 'Die Antwort der Anmeldung stimmt nicht',
        text: 'Was zurückkam, ist nicht das, wonach die Anmeldung Ihres Unternehmens gefragt wurde; deshalb ist niemand angemeldet.',
        hint: 'Versuchen Sie es noch einmal. Geschieht es wieder, sagen Sie der IT Bescheid: Mehr steht im Protokoll des Programms.',
      },
      provider_away: {
        heading: 'Die Anmeldung antwortet nicht',
        text: 'Die Anmeldung Ihres Unternehmens ist im Augenblick nicht erreichbar.',
        hint: later,
      },
      provider_wrong: {
        heading: 'Anmelden ist gerade nicht möglich',
        text: 'Die Anmeldung Ihres Unternehmens hat eine Antwort gegeben, die keinen Sinn ergibt.',
        hint: later,
      },
      set_up_wrong: {
        heading: 'Die Anmeldung ist nicht richtig eingerichtet',
        text: 'Die Anmeldung Ihres Unternehmens nimmt dieses Programm nicht an, so wie es eingerichtet ist.',
        hint: tellIt,
      },
    },
    company: {
      heading: 'In welchem Unternehmen?',
      text: 'Mehrere Unternehmen kennen Sie unter Ihrem Konto. Wählen Sie das, bei dem Sie sich anmelden möchten.',
    },
    staff: {
      heading: 'Konsole',
      signedIn: (who, role) => `${who} ist mit der Rolle ${role} angemeldet.`,
      documentation: 'Dokumentation der API (englisch)',
      ownCalendar: 'Ihr eigener Kalender',
    },
  },
  me: {
    title: 'Mein Arbeitskalender',
    saved: 'Gespeichert. Kalenderprogramme zeigen die Änderung bei der nächsten Abfrage.',
    others: 'Ihre anderen Kalender',
    signedIn: (who) => `Angemeldet: ${who}`,
    signOutHint:
      'Wer sich hier abmeldet, bleibt in den anderen Programmen des Unternehmens angemeldet.',
    empty: {
      heading: (who) => `Willkommen, ${who}`,
      text: 'Sie haben noch keinen Kalender. Ein Klick genügt: Ihre Abwesenheiten, Schichten, Stundenzettel und Aufgaben in dem Kalenderprogramm, das Sie ohnehin nutzen.',
      revoked: (date) =>
        `Die Personalabteilung hat Ihren Kalender und seine Links am ${date} beendet. Einen neuen können Sie nicht selbst erstellen. Brauchen Sie noch einen, bitten Sie die Personalabteilung darum. Sie finden ihn dann hier.`,
      closed:
        'Ihr Kalender ist geschlossen, weil Sie laut den Daten Ihres Unternehmens ausgeschieden sind. Sobald die Daten etwas anderes sagen, öffnet er sich automatisch wieder, mit den Links, die Sie haben. Bleibt er geschlossen, fragen Sie die Personalabteilung.',
      action: 'Meinen Kalender erstellen',
    },
    links: {
      heading: 'Ihre Links',
      hint: 'Jedes Gerät und jede Person bekommt einen eigenen Link. So können Sie einen beenden und die anderen behalten.',
      none: 'Alle Ihre Links sind beendet. Erstellen Sie unten einen neuen.',
      first: 'Erster Link',
      mailed: 'Per Mail geschickter Link',
      onlyAway: 'Nur „Abwesend“',
      neverAsked: 'Noch hat ihn kein Kalenderprogramm verwendet.',
      made: (date) => `Erstellt am ${date}.`,
      ends: (date) => `Endet am ${date}: Die Personalabteilung hat ihn ersetzt.`,
      unused: (date) =>
        `Endet am ${date}, wenn ihn bis dahin kein Kalenderprogramm verwendet: Ein neuerer wurde Ihnen geschickt.`,
    },
    newLink: {
      heading: 'Weiteren Link erstellen',
      label: 'Wofür ist er?',
      hint: 'Zum Beispiel „Telefon“ oder „Familie“. Das sehen nur Sie und die Personalabteilung.',
      awayHint:
        'Für Familie oder Freunde: Er sagt, dass Sie abwesend sind, nicht warum, und sonst nichts. Wer ihn hat, kann das nicht ändern.',
      action: 'Erstellen',
    },
    replace: {
      summary: 'In falsche Hände geraten: Adresse ersetzen',
      text: 'Die alte Adresse endet sofort, für alle, die sie haben. Die neue sehen Sie nur einmal. Abonnieren Sie sie dann.',
      confirm: 'Ich abonniere neu',
      action: 'Ersetzen',
    },
    end: {
      summary: 'Diesen Link beenden',
      text: 'Kalenderprogramme bekommen über ihn nichts mehr. Ihre anderen Links bestehen weiter.',
      confirm: 'Er wird nicht mehr gebraucht',
      action: 'Beenden',
    },
    made: {
      heading: (label) => `Ihr neuer Link: ${label}`,
      text: 'Er ist fertig. Fügen Sie ihn gleich Ihrem Kalenderprogramm hinzu: Diese Adresse wird nur einmal gezeigt.',
      keep: 'Er hat eine eigene Seite, für ein anderes Gerät oder für die Person, die ihn bekommt:',
      back: 'Zurück zu meinem Kalender',
    },
    faults: {
      not_known:
        'Es wurde nichts erstellt: Das System Ihres Unternehmens führt Sie nicht als beschäftigt. Fragen Sie die Personalabteilung.',
      label_missing: 'Es wurde nichts erstellt: Geben Sie an, wofür der Link ist.',
      label_unseen: 'Es wurde nichts erstellt: Geben Sie einen Namen mit sichtbaren Zeichen ein.',
      label_unfit: 'Es wurde nichts erstellt: höchstens 100 Zeichen, und nicht nur Punkte.',
      label_of_mail:
        'Es wurde nichts erstellt: „mail“ ist für Links reserviert, die einen verlorenen ersetzen. Wählen Sie einen anderen Namen.',
      label_in_use:
        'Es wurde nichts erstellt: Sie haben schon einen Link mit diesem Namen. Wählen Sie einen anderen.',
      too_many_links:
        'Es wurde nichts erstellt: Sie haben die höchste Zahl an Links. Beenden Sie zuerst einen.',
      nothing_shown:
        'Es wurde nichts erstellt: Ihr Kalender zeigt keine Abwesenheiten, der Link wäre leer.',
      sent_before:
        'Es wurde nichts erstellt: Dieses Formular wurde schon gesendet. Senden Sie es für einen weiteren Link noch einmal.',
      unconfirmed: 'Es wurde nichts geändert: Setzen Sie zuerst das Häkchen.',
    },
  },
  waysOn: { own: 'Zu Ihrem eigenen Kalender', front: 'Zur Startseite' },
  errors: {
    unknown_link: {
      heading: 'Diesen Link kennen wir nicht',
      text: 'Vielleicht fehlt ein Teil davon.',
      hint: 'Öffnen Sie den vollständigen Link noch einmal aus Ihrer Mail. Hilft das nicht, bitten Sie die Personalabteilung um einen neuen.',
    },
    ended_link: {
      heading: 'Dieser Kalender-Link ist beendet',
      text: 'Er wurde ersetzt oder abgeschaltet; Kalenderprogramme bekommen darüber nichts Neues mehr. Haben Sie ihn selbst ersetzt, öffnen Sie die Seite der neuen Adresse. Der alte Kalender bleibt in Ihren Programmen, bis Sie ihn dort entfernen:',
      hint: 'Haben Sie keine neue Adresse und brauchen noch eine, bitten Sie die Personalabteilung.',
    },
    unknown_page: {
      heading: 'Hier ist nichts',
      text: 'Diese Adresse führt nirgendwohin.',
      hint: 'Suchen Sie Ihren Kalender, öffnen Sie den Link, den Sie bekommen haben.',
    },
    unavailable: {
      heading: 'Gerade nicht möglich',
      text: 'Dieser Kalender lässt sich im Augenblick nicht öffnen.',
      hint: 'Versuchen Sie es in einigen Minuten wieder. Kalenderprogramme behalten solange, was sie haben.',
    },
    foreign_request: {
      heading: 'Es wurde nichts geändert',
      text: 'Die Anfrage kam nicht von einer unserer Seiten.',
      hint: 'Öffnen Sie die Seite selbst, etwa über den Link, den Sie bekommen haben, und versuchen Sie es dort wieder.',
    },
    not_allowed: {
      heading: 'Es wurde nichts geändert',
      text: 'Die Personalabteilung erlaubt diese Wahl für diesen Kalender nicht.',
      hint: 'Gehen Sie zurück und sehen Sie, was Sie wählen können, oder fragen Sie die Personalabteilung.',
    },
    not_by_sign_in: {
      heading: 'Es wurde nichts geändert',
      text: 'Die Anfrage kam nicht von einer unserer Seiten, oder Ihre Anmeldung erlaubt das nicht.',
      hint: 'Öffnen Sie Ihre eigene Seite und versuchen Sie es dort.',
    },
    not_open: {
      heading: 'Kein Zugang zu dieser Seite',
      text: 'Sie ist nur für Personalabteilung und IT, mit Anmeldung oder Zugangsschlüssel.',
      hint: 'Suchen Sie Ihren Kalender, öffnen Sie den Link, den Sie bekommen haben.',
    },
    invalid: {
      heading: 'Es wurde nichts geändert',
      text: 'Diese Wahl ließ sich nicht lesen.',
      hint: 'Gehen Sie zurück, laden Sie die Seite neu und wählen Sie noch einmal.',
    },
    wrong_method: {
      heading: 'Das geht hier nicht',
      text: 'Diese Adresse nimmt nicht an, was Ihr Browser gesendet hat.',
      hint: 'Suchen Sie Ihren Kalender, öffnen Sie den Link, den Sie bekommen haben.',
    },
    too_many_requests: {
      heading: 'Einen Augenblick bitte',
      text: 'Aus Ihrem Netz kamen zu viele Anfragen.',
      hint: 'Versuchen Sie es in einer Minute wieder.',
    },
    too_many_today: {
      heading: 'Für heute ist Schluss',
      text: 'Es wurde nichts geändert: Das Tageslimit für Änderungen ist erreicht.',
      hint: 'Versuchen Sie es morgen wieder. Bis dahin bleibt alles, wie es war. Waren diese Änderungen nicht Ihre, kennt vielleicht jemand anderes diesen Link: Bitten Sie die Personalabteilung um einen neuen.',
    },
    failure: {
      heading: 'Hier ist etwas schiefgegangen',
      text: 'Das war unser Fehler, nicht Ihrer.',
      hint: 'Versuchen Sie es in einigen Minuten wieder. Kalenderprogramme behalten solange, was sie haben.',
    },
  },
}
