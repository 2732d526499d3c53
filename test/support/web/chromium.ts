/*
 * Real Chromium out of the package registry. The package unpacks to one fixed place under the temporary folder and
 * takes whatever lies there; so it is unpacked once per version into a folder of its own, beside which it is made.
 */
import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'

import packaged from '@sparticuz/chromium'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
} from 'playwright-core'

import packageFile from '../../../package.json' with { type: 'json' }

/** Only what never comes takes so long. */
const patienceMs = 300_000

let shared: Promise<Browser> | undefined

/** The Chromium of all tests of this process, with which it ends; each opens contexts of its own. */
export function sharedChromium(): Promise<Browser> {
  return (shared ??= launchChromium())
}

/** Starts Chromium as it is, its web security on; unpacks it at the first start on this machine. */
export async function launchChromium(): Promise<Browser> {
  const folder = await unpacked()
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    chromiumSandbox: false,
    args: ['--disable-gpu', '--font-render-hinting=none'],
    env: { ...process.env, FONTCONFIG_FILE: path.join(folder, 'fonts.conf') },
  })
}

/** A browser that knows nothing yet, in English and UTC unless told otherwise, wherever the tests run. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const usual = { locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' } as const
  const context = await browser.newContext({ ...usual, ...options })
  context.setDefaultTimeout(patienceMs)
  return context
}

async function unpacked(): Promise<string> {
  const version = packageFile.devDependencies['@sparticuz/chromium']
  const lasting = process.env['LASTING_TMPDIR'] ?? tmpdir()
  const folder = path.join(lasting, `bridge-chromium-${version}-${userInfo().username}`)
  if (await exists(folder)) return folder
  const made = await unpack(`${folder}.`)
  try {
    await rename(made, folder)
  } catch (error) {
    // Another process was faster.
    if (!(await exists(folder))) throw error
    await rm(made, { recursive: true })
  }
  return folder
}

async function unpack(prefix: string): Promise<string> {
  const folder = await mkdtemp(prefix)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    await packaged.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  await writeFile(path.join(folder, 'fonts.conf'), fontsOf(folder))
  return folder
}

/** Only the fonts that come with it, so that a page looks the same on every machine. */
function fontsOf(folder: string): string {
  const fonts = path.join(folder.replace(/\.[^.]*$/, ''), 'fonts')
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><cachedir>${fonts}-cache</cachedir></fontconfig>`
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
