import { startBridge } from './support/bridge.ts'
import { launchChromium } from './support/chromium.ts'
const bridge = await startBridge(); const browser = await launchChromium()
const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
const page = await (await browser.newContext({viewport:{width:390,height:800}})).newPage()
await page.goto(feed.links[0].url.replace(/\/[^/]*$/, ''))
await page.waitForSelector('[data-uid]')
console.log((await page.evaluate(() => document.querySelector('#calendar').innerHTML)).slice(0, 7500))
await page.click('text=Month'); await page.waitForTimeout(300)
console.log('-------',(await page.evaluate(() => document.querySelector('[data-uid^=shift]').parentElement.outerHTML)).slice(0, 2500))
await browser.close(); await bridge.close()
