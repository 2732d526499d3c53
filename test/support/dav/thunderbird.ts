/* Thunderbird, headless, driven by scripts inside it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import path from 'node:path'

import { neededProgram } from '../deploy/needed-program.ts'
import { openMarionette } from './marionette.ts'
import type { RealClient } from './real-client.ts'
import { openSession } from './session.ts'

const preferences = {
  'mail.provider.suppress_dialog_on_startup': true,
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'mailnews.start_page.enabled': false,
  'services.settings.server': 'data:,',
  // Otherwise it saves no passwords while Marionette drives it.
  'remote.prefs.recommended': false,
  'marionette.port': 0,
}

const portFile = 'MarionetteActivePort'

/** For all scripts. `person` holds what is entered at prompts. */
const prelude = `
  const { cal } = ChromeUtils.importESModule('resource:///modules/calendar/calUtils.sys.mjs');
  const ours = () => cal.manager.getCalendars().find(({ type }) => type === 'caldav');
  const { person } = cal;
`

/** Enters the given password at prompts, or cancels them. Runs in a sandbox, which outlives windows. */
const watchPrompts = `
  ${prelude}
  const place = new Cu.Sandbox(Services.scriptSecurityManager.getSystemPrincipal());
  place.person = cal.person = { user: null, password: null, isCancelled: false };
  place.Services = Services;
  Cu.evalInSandbox(a[0], place);
`
const atPrompts = `
  Services.obs.addObserver(({ Dialog: dialog }) => {
    if (dialog?.args.promptType !== 'promptUserAndPass') return;
    const { loginTextbox, password1Textbox, checkbox, button0, button1 } = dialog.ui;
    if (person.password === null) {
      person.isCancelled = true;
      return button1.click();
    }
    loginTextbox.value = person.user;
    password1Textbox.value = person.password;
    person.password = null;
    if (!checkbox.checked) checkbox.click();
    button0.click();
  }, 'common-dialog-loaded');
`

const detect = `
  ${prelude}
  const [url, user, password] = a;
  const onlyDav = (types) => [...types].filter((type) => type !== 'caldav');
  const found = await cal.provider.detection.detect(user, password, url, true, [onlyDav], {});
  const [[calendar]] = [...found.values()];
  if (!calendar.readOnly) throw new Error('The calendar is not read-only.');
  person.user = user;
  cal.manager.registerCalendar(calendar);
`

/** Keeps the outcome for `end`, since a prompt ends the running script. */
const begin = `
  ${prelude}
  const nothing = () => undefined;
  const calendar = ours();
  // Thunderbird disables a calendar that gets no password.
  calendar.setProperty('disabled', false);
  const told = Promise.withResolvers();
  calendar.addObserver({
    QueryInterface: ChromeUtils.generateQI(['calIObserver']),
    onStartBatch: nothing, onEndBatch: nothing, onAddItem: nothing, onModifyItem: nothing,
    onDeleteItem: nothing, onPropertyChanged: nothing, onPropertyDeleting: nothing,
    onLoad: () => told.resolve('done'),
    onError: (_, code, message) => told.resolve(message),
  });
  person.isCancelled = false;
  person.told = Promise.race([told.promise, new Promise((late) => setTimeout(late, 50_000, 'silence'))]);
  calendar.refresh();
`
const end = `
  ${prelude}
  const told = await person.told;
  return person.isCancelled ? 'refused' : told;
`

const enterPassword = `
  ${prelude}
  person.password = a[0];
`

const held = `
  ${prelude}
  const all = Ci.calICalendar.ITEM_FILTER_ALL_ITEMS;
  const items = await ours().getItemsAsArray(all, 0, null, null);
  return items.map((item) => item.icalString);
`

export async function startThunderbird(): Promise<RealClient> {
  const program = neededProgram('thunderbird', 'thunderbird')
  const session = openSession('thunderbird')
  const profile = path.join(session.folder, 'profile')
  mkdirSync(profile)
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  writeFileSync(path.join(profile, 'user.js'), lines.join(''))
  const words = ['--headless', '--no-remote', '--profile', profile]
  const child = spawn(program, [...words, '--marionette', '--remote-allow-system-access'], {
    cwd: session.folder,
    env: session.environment,
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  const driver = await openMarionette(await portIn(profile))
  await driver.run(watchPrompts, atPrompts)
  return {
    add: async ({ url, user, password }) => void (await driver.run(detect, url, user, password)),
    sync: async () => {
      await driver.run(begin)
      const told = await driver.run(end)
      if (told !== 'done' && told !== 'refused') throw new Error(String(told))
      return told
    },
    held: async () => (await driver.run(held)) as readonly string[],
    usePassword: async (password) => void (await driver.run(enterPassword, password)),
    close: async () => {
      driver.close()
      session.end()
      await exited
    },
  }
}

/** Waits for the port on which Marionette listens. */
async function portIn(profile: string): Promise<number> {
  for await (const { filename } of watch(profile)) {
    const port = filename === portFile ? readFileSync(path.join(profile, portFile), 'utf8') : ''
    if (port !== '') return Number(port)
  }
  throw new Error('Thunderbird does not start.')
}
