/* Search as one types in Chromium, among 100,000 people. */
import { expect, it, onTestFinished } from 'vitest'

import { readSettings } from '../../src/settings/read-settings.ts'
import { adminToken, readsFrom } from '../support/bridge/bridge.ts'
import { startProduction } from '../support/bridge/production.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { insertConsoleCompany } from '../support/database/console-company.ts'
import { databases } from '../support/database/databases.ts'
import { openContext, sharedChromium } from '../support/web/chromium.ts'

const people = 100_000

it.each(databases)('finds one person among many on $name', async ({ createMigrated }) => {
  const company = await startCompanyServer()
  onTestFinished(() => company.close())
  const databaseUrl = await createMigrated()
  const environment = { ADMIN_TOKEN: adminToken, ...readsFrom(company.url) }
  const connectionId = readSettings(environment, () => Buffer.alloc(0)).companies?.[0]?.connectionId
  await insertConsoleCompany({
    url: databaseUrl,
    connectionId: connectionId ?? '',
    people,
    now: Date.now(),
  })
  const bridge = await startProduction({ company, databaseUrl })
  onTestFinished(() => bridge.close())
  const context = await openContext(await sharedChromium())
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${bridge.url}/console/people`)
  await page.getByLabel('Token').fill(adminToken)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const rows = page.locator('[data-results] tbody tr')
  expect(await rows.count()).toBe(50)
  await page.getByRole('searchbox').pressSequentially('mail.054321@exam', { delay: 60 })
  await expect.poll(() => rows.count()).toBe(1)
  expect(await rows.innerText()).toContain('mail.054321@example.com')
  await rows.getByRole('link').first().click()
  expect(page.url()).toContain('usr_054321')
  await page.goBack()
  expect(await page.getByRole('searchbox').inputValue()).toBe('mail.054321@exam')
})
