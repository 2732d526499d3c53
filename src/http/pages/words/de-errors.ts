import type { PageWords } from './words.ts'

/** What keeps a page from being shown, in German. */
export const deErrors: PageWords['errors'] = {
  unknown_link: {
    heading: 'Diesen Link kennen wir nicht',
    text: 'Vielleicht ist unterwegs ein Teil verloren gegangen.',
    hint: 'Öffnen Sie ihn noch einmal vollständig aus der Mail, die Sie bekommen haben. Hilft das nicht, bitten Sie die Personalabteilung um einen neuen.',
  },
  ended_link: {
    heading: 'Dieser Kalender-Link ist beendet',
    text: 'Er wurde ersetzt oder abgeschaltet; Kalenderprogramme bekommen darüber nichts Neues mehr. Haben Sie sich selbst eine neue Adresse geholt, öffnen Sie deren Seite. Der alte Kalender bleibt in Ihren Programmen, bis Sie ihn dort entfernen:',
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
    hint: 'Öffnen Sie die Seite selbst, etwa über den Link, den Sie bekommen haben, und tun Sie es dort.',
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
    heading: 'Das ist für Sie nicht offen',
    text: 'Hier kommen nur Personalabteilung und IT hinein, mit eigener Anmeldung oder einem Zugangsschlüssel.',
    hint: 'Suchen Sie Ihren Kalender, öffnen Sie den Link, den Sie bekommen haben.',
  },
  invalid: {
    heading: 'Es wurde nichts geändert',
    text: 'Diese Wahl ließ sich nicht lesen.',
    hint: 'Gehen Sie zurück, laden Sie die Seite neu und wählen Sie noch einmal.',
  },
  wrong_method: {
    heading: 'Das geht hier nicht',
    text: 'Mit dem, was Ihr Browser gesendet hat, kann diese Adresse nichts anfangen.',
    hint: 'Suchen Sie Ihren Kalender, öffnen Sie den Link, den Sie bekommen haben.',
  },
  too_many_requests: {
    heading: 'Einen Augenblick bitte',
    text: 'Von hier kamen sehr viele Anfragen.',
    hint: 'Versuchen Sie es in einer Minute wieder.',
  },
  too_many_today: {
    heading: 'Für heute ist Schluss',
    text: 'Es wurde nichts geändert: Innerhalb eines Tages gab es so viele Änderungen, dass jetzt keine mehr möglich ist.',
    hint: 'Versuchen Sie es morgen wieder. Was es gibt, gilt unverändert weiter. Waren diese Änderungen nicht Ihre, kennt vielleicht jemand anderes diesen Link: Bitten Sie die Personalabteilung um einen neuen.',
  },
  failure: {
    heading: 'Hier ist etwas schiefgegangen',
    text: 'Das war unser Fehler, nicht Ihrer.',
    hint: 'Versuchen Sie es in einigen Minuten wieder. Kalenderprogramme behalten solange, was sie haben.',
  },
}
