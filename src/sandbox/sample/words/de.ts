import { list } from './list.ts'
import { germanNames } from './names-de.ts'
import type { SampleWords } from './words.ts'

/** German. */
export const germanWords: SampleWords = {
  ...germanNames,
  fields: [
    {
      name: 'Entwicklung',
      positions: list(
        `Softwareentwicklung, Datenanalyse, Qualitätssicherung, Produktplanung, IT-Betrieb, Gestaltung`,
      ),
    },
    {
      name: 'Vertrieb',
      positions: list(`Kundenbetreuung, Außendienst, Vertriebsassistenz, Werbung`),
    },
    { name: 'Kundendienst', positions: list(`Beratung, Hotline, Schulung`) },
    { name: 'Logistik', positions: list(`Logistikplanung, Lager, Fuhrpark, Einkauf`) },
    { name: 'Instandhaltung', positions: list(`Elektrik, Technik, Mechanik, Haustechnik`) },
    {
      name: 'Verwaltung',
      positions: list(`Buchhaltung, Personal, Assistenz, Lohnabrechnung, Projektleitung`),
    },
  ],
  leads: list(`Teamleitung, Abteilungsleitung, Bereichsleitung, Direktion`),
  leaveTypes: {
    annual: 'Urlaub',
    sick: 'Krankheit',
    special: 'Sonderurlaub',
    training: 'Fortbildung',
    unpaid: 'Unbezahlter Urlaub',
  },
  reasons: {
    appointment: list(`
      Zahnarzt, Bürgeramt, Blutspende, Vorsorgeuntersuchung, Elternabend, Handwerker im Haus,
      Wohnungsübergabe`),
    errand: list(`
      Schulaufführung, Haus und Garten, Fußballspiel, Geburtstag zu Hause, Neues Bett abholen,
      Großeltern zu Besuch, Früher Zug, Theaterkarten`),
    shortBreak: list(`
      Langes Wochenende, Städtereise, Familie besuchen, Festival, Radtour an der Donau, Chorfahrt,
      Am See, Hochzeit in der Familie, Küche streichen, Zelten mit Freunden`),
    holiday: list(`
      Wandern in den Bergen, An der Ostsee, Rundreise, Freunde im Ausland, Segelkurs,
      Urlaub mit den Kindern, Zu Hause bei der Familie, Ferienhaus, Noch nichts geplant, Radreise,
      Mit dem Zug unterwegs`),
    illness: list(`
      Erkältung, Migräne, Grippe, Fuß verstaucht, Magen-Darm, Rückenschmerzen, Fieber, Kind krank,
      Mandelentzündung, Nach dem Zahnarzt, Kleine Operation`),
    occasion: list(`Umzug, Eigene Hochzeit, Einschulung, Schöffendienst, Prüfung, Silberhochzeit`),
    bereavement: list(`Beerdigung, Trauerfall`),
    course: list(`
      Erste-Hilfe-Kurs, Tagung, Sprachkurs, Zertifikatsprüfung, Führungsseminar,
      Sicherheitsunterweisung, Messe`),
    longAbsence: list(`Pflege der Eltern, Längere Reise, Abschlussarbeit, Hausbau`),
  },
  notes: list(`
    Für die Freigabe geblieben, Rufbereitschaft, Kundentermin, Workshop, Homeoffice, Zug verspätet,
    Im Support geholfen, Übergabe, Inventur, Teamtag`),
  schedules: {
    sch_day: 'Tagschicht',
    sch_night: 'Nachtschicht',
    sch_flex: 'Gleitzeit',
    sch_early: 'Frühschicht',
    sch_late: 'Spätschicht',
    sch_summer: 'Sommerzeiten',
  },
  undertakings: list(`
    Neuer Webauftritt, Büroumzug, Jahresprüfung, Lagererneuerung, Kundenportal, Energiebericht,
    Filialeröffnung, Datenumzug, Neue Fahrzeuge, Wartung, Neuer Auftritt, Sicherheitsbegehung,
    Mitarbeiterbefragung, Messestand, Betriebsausflug`),
  customers: list(`
    Nordlicht GmbH, Bäckerei Sonntag, Tervo Oy, Hafenlogistik Kiel, Casa Moretti,
    Stadtwerke Auental, Gärtnerei Blum, Klinik am Park, Theater Rosengarten, Grundschule Nord,
    Isar Reisen, Alpenmilch eG, Schreinerei Holzer, Hotel Linde, Verlag Kranich, Optik Falk,
    Spedition Wirth, Windpark Fehn, Zoo Bergheim`),
  tasks: list(`
    Begehung vorbereiten, Vertrag prüfen, Neue Kollegen einarbeiten, Handbuch überarbeiten,
    Kunden besuchen, Angebot schreiben, Rückmeldungen sammeln, Auftakt planen, Material bestellen,
    Rechnungen prüfen, Protokoll schreiben, Neue Version testen, Drei Lieferanten vergleichen,
    Adressliste aufräumen, Besprechungsraum einrichten, Schnittstellen beschreiben,
    Offene Fragen beantworten, Ergebnisse vorstellen, Aufwand schätzen, Entwurf freigeben,
    Genehmigung verlängern, Broschüre übersetzen, Reise buchen, Räume ausmessen,
    Fotografin einweisen, Alte Akten archivieren, Kunden zurückrufen, Filter wechseln,
    Dienstplan erstellen, Liefertermine abstimmen, Bestand zählen, Stellenanzeige schreiben,
    Budget freigeben, Postfächer umziehen, Türsensor reparieren, Vorführung proben,
    Rundbrief veröffentlichen, Reklamationen ordnen, Ladesäule anschließen`),
  services: ['Beratung', 'Einbau', 'Wartung', 'Schulung', 'Projektleitung'],
}
