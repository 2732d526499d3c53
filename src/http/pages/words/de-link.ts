import type { LinkWords } from './link-words.ts'

/** Wie man einen Link ändert, ersetzt und beendet, auf Deutsch. */
export const deLink: LinkWords = {
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
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many} vorher`
}
