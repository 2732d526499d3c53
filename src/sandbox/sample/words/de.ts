import { list, type SampleWords } from './words.ts'

/** So many that twenty thousand people each have a name of their own. */
const germanNames = {
  firstNames: list(`
    Alexander, Alina, Amir, Amelie, Andrea, Andreas, Angelika, Anja, Anna, Annika, Antje, Anton,
    Arne, Astrid, Ayşe, Aylin, Barbara, Bastian, Beate, Benjamin, Bernd, Birgit, Björn, Brigitte,
    Britta, Carla, Carsten, Charlotte, Christian, Christina, Clara, Claudia, Cornelia, Dagmar,
    Daniela, David, Dennis, Dieter, Dilek, Dirk, Dominik, Doris, Elena, Elif, Elke, Ella, Emil,
    Emma, Enno, Erik, Esra, Eva, Fabian, Fatma, Felix, Finn, Florian, Frank, Franziska, Frieda,
    Friedrich, Gabriele, Georg, Gerd, Gisela, Greta, Günter, Hakan, Hanna, Hannah, Hans, Harald,
    Heike, Heinz, Helga, Henrik, Henry, Holger, Ida, Ines, Ingo, Ingrid, Irina, Jan, Jana, Jasmin,
    Jens, Joachim, Johanna, Jonas, Jörg, Julian, Jürgen, Karin, Karl, Karsten, Katharina, Katrin,
    Kemal, Kerstin, Kirsten, Klaus, Lara, Lars, Lea, Lena, Leon, Leonie, Linda, Lisa, Lukas,
    Luisa, Manfred, Manuela, Marco, Maren, Marie, Marion, Marlene, Marta, Martina, Matthias, Max,
    Mehmet, Melanie, Merle, Michaela, Milan, Monika, Moritz, Nadine, Natalia, Nico, Nicole,
    Niklas, Nina, Nora, Olaf, Olga, Oliver, Oskar, Patrick, Paula, Petra, Philipp, Rainer, Ralf,
    Ramona, Regina, Renate, Rieke, Robert, Rolf, Sabine, Sandra, Sebastian, Selma, Silke, Simone,
    Sofia, Sonja, Sören, Stefan, Stefanie, Susanne, Svenja, Tanja, Tessa, Theo, Thorsten, Till,
    Tobias, Torben, Ulrich, Ursula, Ute, Uwe, Vanessa, Vera, Wiebke, Wolfgang, Yusuf, Yvonne,
    Zeynep, Zoe`),
  lastNames: list(`
    Adler, Ahrens, Albrecht, Arnold, Aydın, Bach, Barth, Bauer, Baumann, Beck, Becker, Behrens,
    Berger, Bergmann, Binder, Böhm, Brandl, Braun, Bruns, Brunner, Busch, Çelik, Christ, Dietrich,
    Dietz, Döring, Dreyer, Ebert, Eckert, Ehlers, Engel, Engelmann, Ernst, Esser, Fiedler, Fink,
    Fleischer, Förster, Frank, Franke, Freitag, Freund, Friedrich, Fritz, Fröhlich, Fuchs,
    Funke, Gebhardt, Geiger, Gerlach, Giese, Götz, Graf, Groß, Günther, Haas, Hagen, Hahn,
    Hartmann, Hartwig, Hauser, Heinrich, Heinze, Held, Henning, Herbst, Hermann, Herzog, Heß,
    Hoffmann, Hofmann, Horn, Huber, Hübner, Jäger, Jahn, Jansen, Janßen, Jung, Kaiser, Kaya,
    Keller, Kern, Kessler, Kirchner, Klein, Klose, Knoll, Koch, Köhler, König, Körner, Kowalski,
    Krämer, Kraus, Krause, Kremer, Krüger, Kruse, Kuhn, Kunz, Kurz, Lang, Lange, Lechner, Lehmann,
    Lenz, Lindner, Löffler, Lorenz, Ludwig, Lutz, Maier, Marx, Maurer, Mayer, Meier, Menzel,
    Mertens, Metzger, Meyer, Michel, Möller, Moser, Müller, Nagel, Neumann, Nguyen, Noack, Novák,
    Nowak, Öztürk, Otto, Paul, Peters, Petersen, Pfeiffer, Pfeifer, Pietsch, Pohl, Popp, Probst,
    Raab, Rau, Reich, Reimann, Reinhardt, Reuter, Richter, Riedel, Ritter, Rohde, Roth, Rudolph,
    Ruf, Runge, Sander, Sauer, Schäfer, Scherer, Schilling, Schlegel, Schmitt, Schmitz, Schneider,
    Scholz, Schreiber, Schröder, Schubert, Schulte, Schulz, Schulze, Schumacher, Schuster,
    Schwarz, Seidel, Seifert, Şimşek, Simon, Singer, Sommer, Stahl, Stark, Stein, Steiner, Stoll,
    Straub, Ströbel, Szabó, Thiel, Thomas, Unger, Vetter, Vogel, Vogt, Voigt, Völker, Wagenknecht,
    Walter, Walther, Weber, Wegner, Weigel, Weiß, Wendt, Werner, Wieland, Wiese, Wild, Winkler,
    Winter, Witt, Wolf, Wolff, Wulf, Yıldız, Yılmaz, Zander, Ziegler, Zimmer, Zimmermann`),
} as const

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
