import type { ConditionWords } from './words.ts'

const lists = new Intl.ListFormat('de', { type: 'conjunction' })

/** What is stale or missing in a calendar, and why, in German. */
export const deConditions: ConditionWords = {
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
}
