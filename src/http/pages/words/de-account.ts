import type { enAccount } from './en-account.ts'

export const deAccount: typeof enAccount = {
  heading: 'Als Konto hinzufügen',
  benefit: 'Änderungen nach Minuten statt nach Stunden',
  text: 'Ihre Kalender-App fragt alle paar Minuten nach Änderungen. Sie kann den Kalender nur lesen.',
  profile: 'Profil laden',
  davx5: 'In DAVx⁵ öffnen',
  installDavx5: 'Installieren Sie DAVx⁵ einmal, aus',
  installSynchronizer: 'Installieren Sie das kostenlose Add-in und starten Sie Outlook neu:',
  apps: {
    iphone: {
      name: 'iPhone und iPad',
      steps: [
        'Tippen Sie auf „Profil laden“ und auf „Zulassen“.',
        'Öffnen Sie die Einstellungen und tippen Sie oben auf „Profil geladen“.',
        'Tippen Sie auf „Installieren“ und geben Sie Ihren Code ein.',
        'Wählen Sie unter Einstellungen > Apps > Kalender > Kalenderaccounts > Datenabgleich „Alle 15 Minuten“.',
      ],
      note: 'iOS warnt, das Profil sei „Nicht signiert“. Das ist in Ordnung: Es fügt nur diesen Kalender hinzu. Sie können es jederzeit entfernen: Einstellungen > Allgemein > VPN und Geräteverwaltung.',
    },
    mac: {
      name: 'Mac',
      steps: [
        'Klicken Sie auf „Profil laden“ und öffnen Sie die Datei.',
        'Doppelklicken Sie unter Systemeinstellungen > Allgemein > Geräteverwaltung auf das Profil.',
        'Klicken Sie auf „Installieren“.',
        'Stellen Sie unter Kalender > Einstellungen > Accounts „Kalender aktualisieren“ auf „Alle 5 Minuten“.',
        'Löschen Sie die Datei: Sie enthält das Passwort.',
      ],
      note: 'macOS warnt, das Profil sei nicht signiert. Das ist in Ordnung: Es fügt nur diesen Kalender hinzu. Sie können es jederzeit in der Geräteverwaltung entfernen.',
    },
    android: {
      name: 'Android',
      steps: [
        'Tippen Sie auf „In DAVx⁵ öffnen“. Dort ist schon alles ausgefüllt: Tippen Sie auf „Anmelden“.',
        'Tippen Sie auf „Konto anlegen“ und schalten Sie den Kalender unter „CalDAV“ ein.',
        'Stellen Sie in den Einstellungen des Kontos „Häufigkeit der Kalender-Synchronisierung“ auf „Alle 15 Minuten“.',
      ],
      note: 'Danach zeigt ihn die Kalender-App Ihres Smartphones, auch die App „Google Kalender“. Ein Google-Konto brauchen Sie dafür nicht.',
    },
    thunderbird: {
      name: 'Thunderbird',
      steps: [
        'Öffnen Sie den Kalender und wählen Sie „Neuer Kalender …“, dann „Im Netzwerk“.',
        'Geben Sie den Benutzernamen und bei „Adresse“ den Server ein. Klicken Sie auf „Kalender suchen“.',
        'Geben Sie das Passwort ein und lassen Sie Thunderbird es speichern.',
        'Klicken Sie auf „Abonnieren“.',
        'Klicken Sie mit der rechten Maustaste auf den Kalender, wählen Sie „Eigenschaften“ und stellen Sie ein, dass er alle 5 Minuten aktualisiert wird.',
      ],
    },
    outlook: {
      name: 'Klassisches Outlook für Windows',
      steps: [
        'Öffnen Sie im Tab „CalDav Synchronizer“ die Synchronisierungsprofile und fügen Sie ein Profil „Generic CalDAV/CardDAV“ hinzu.',
        'Wählen Sie einen leeren Kalenderordner und geben Sie Server, Benutzername und Passwort ein. Klicken Sie auf „Test or discover settings“.',
        'Wählen Sie den Modus „Outlook ← Server (Replicate)“.',
        'Stellen Sie das Intervall auf 5 Minuten und klicken Sie auf „OK“.',
      ],
    },
  },
  details: 'Zugangsdaten',
  detailsHint: 'Diese Angaben verlangen Apps, wenn Sie ein CalDAV-Konto von Hand hinzufügen.',
  values: { server: 'Server', user: 'Benutzername', password: 'Passwort' },
  copy: 'Kopieren',
  copied: {
    server: 'Server kopiert.',
    user: 'Benutzername kopiert.',
    password: 'Passwort kopiert.',
  },
  copyFailed:
    'Ihr Browser erlaubt das Kopieren nicht. Markieren Sie den Text und kopieren Sie ihn selbst.',
  once: 'Haben Sie den Kalender in derselben App schon abonniert? Entfernen Sie ihn dort, sonst sehen Sie alles doppelt.',
  renew:
    'Haben Sie ihn schon als Konto hinzugefügt? Installieren Sie das neue Profil oder geben Sie in der App das neue Passwort ein: Das Konto bleibt bestehen.',
  others: 'Für ein anderes Gerät öffnen Sie diese Seite dort: Sie zeigt dann dessen Schritte.',
  without: 'Google Kalender im Web und Outlook im Web können Kalender nur abonnieren.',
  profiles: {
    account:
      'Fügt „{name}“ als Kalenderkonto hinzu, nur zum Lesen. Wenn Sie dieses Profil entfernen, verschwindet auch der Kalender.',
    subscription:
      'Abonniert „{name}“. Wenn Sie dieses Profil entfernen, verschwindet auch der Kalender.',
  },
  insecure:
    'Als Konto hinzugefügt, würde sich der Kalender innerhalb von Minuten aktualisieren. Dafür muss die IT PUBLIC_URL auf eine Adresse setzen, die mit https:// beginnt.',
}
