import type { AccountApp } from '../account.ts'

interface AppWords {
  readonly name: string
  /** At most five. */
  readonly steps: readonly string[]
  readonly note?: string
}

export const enAccount = {
  heading: 'Add as an account',
  benefit: 'Updates within minutes instead of hours',
  text: 'Your calendar app asks for changes every few minutes. It can only read the calendar.',
  profile: 'Download profile',
  davx5: 'Open in DAVx⁵',
  installDavx5: 'Install DAVx⁵ once from',
  installSynchronizer: 'Install the free add-in and restart Outlook:',
  apps: {
    iphone: {
      name: 'iPhone and iPad',
      steps: [
        'Press “Download profile” and “Allow”.',
        'Open Settings and tap “Profile Downloaded” at the top.',
        'Tap “Install” and enter your passcode.',
        'In Settings > Apps > Calendar > Calendar Accounts > Fetch New Data, choose “Every 15 Minutes”.',
      ],
      note: 'iOS warns that the profile is “Not Signed”. That is all right: it only adds this calendar. You can remove it again in Settings > General > VPN & Device Management.',
    },
    mac: {
      name: 'Mac',
      steps: [
        'Press “Download profile” and open the file.',
        'In System Settings > General > Device Management, double-click the profile.',
        'Click “Install”.',
        'In Calendar > Settings > Accounts, set “Refresh Calendars” to “Every 5 minutes”.',
        'Delete the file: it contains the password.',
      ],
      note: 'macOS warns that the profile is unsigned. That is all right: it only adds this calendar. You can remove it again in Device Management.',
    },
    android: {
      name: 'Android',
      steps: [
        'Press “Open in DAVx⁵”. Everything is filled in there: press “Login”.',
        'Press “Create account” and switch the calendar on under “CalDAV”.',
        'In the settings of the account, set “Calendars sync. interval” to “Every 15 minutes”.',
      ],
      note: 'Your phone’s calendar app then shows it, and so does the Google Calendar app. You need no Google account for this.',
    },
    thunderbird: {
      name: 'Thunderbird',
      steps: [
        'Open the calendar and choose “New Calendar…”, then “On the Network”.',
        'Enter the user name, and the server as “Location”. Press “Find Calendars”.',
        'Enter the password and let Thunderbird save it.',
        'Press “Subscribe”.',
        'Right-click the calendar, choose “Properties” and set “Refresh Calendar” to “Every 5 minutes”.',
      ],
    },
    outlook: {
      name: 'Classic Outlook for Windows',
      steps: [
        'Open “Synchronization Profiles” on the tab “CalDav Synchronizer” and add a “Generic CalDAV/CardDAV” profile.',
        'Choose an empty calendar folder, and enter server, user name and password. Press “Test or discover settings”.',
        'Choose the mode “Outlook ← Server (Replicate)”.',
        'Set the interval to 5 minutes and press “OK”.',
      ],
    },
  } satisfies Record<AccountApp, AppWords> as Readonly<Record<AccountApp, AppWords>>,
  details: 'Account details',
  detailsHint: 'Apps ask for these when you add a CalDAV account by hand.',
  values: { server: 'Server', user: 'User name', password: 'Password' },
  copy: 'Copy',
  copied: { server: 'Server copied.', user: 'User name copied.', password: 'Password copied.' },
  copyFailed: 'Your browser does not allow copying. Select the text and copy it yourself.',
  once: 'Have you already subscribed in the same app? Remove that subscription, or you will see everything twice.',
  renew:
    'Have you already added it as an account? Install the new profile, or enter the new password in the app: the account stays.',
  others: 'For another device, open this page there: it then shows the steps for that device.',
  without: 'Google Calendar on the web and Outlook on the web can only subscribe.',
  profiles: {
    account:
      'Adds “{name}” as a read-only calendar account. Remove this profile to remove the calendar.',
    subscription: 'Subscribes to “{name}”. Remove this profile to remove the calendar.',
  },
  insecure:
    'Added as an account, the calendar would update within minutes. For that, IT must set PUBLIC_URL to an address that begins with https://.',
}
