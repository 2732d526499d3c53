import type { SignInWords } from './sign-in-words.ts'

const tellIt =
  'Sie haben nichts falsch gemacht. Sagen Sie der IT Bescheid: Mehr steht im Protokoll des Programms.'
const later =
  'Versuchen Sie es in einer Minute wieder. Bleibt es so, sagen Sie der IT Bescheid. Kalender laufen weiter wie bisher.'

/** Of signing in and out, in German. */
export const deSignIn: SignInWords = {
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
}
