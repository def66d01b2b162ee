// The browsers of this machine, driven without a network.
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import puppeteer from 'puppeteer-core'

const known = [
  { name: 'chromium', browser: 'chrome', path: '/usr/bin/chromium' },
  { name: 'firefox-esr', browser: 'firefox', path: '/usr/bin/firefox-esr' },
]
export const browsers = known.filter(({ path }) => existsSync(path))
export const whyNone = 'neither chromium nor firefox-esr is installed'

/// Opens a page of a run. `problems` gathers all that the browser complains of.
export async function open({ browser, path }, file, { dark = false, width = 1440, height = 900 } = {}) {
  const chrome = browser === 'chrome'
  const started = await puppeteer.launch({
    browser, executablePath: path, args: chrome ? ['--no-sandbox'] : [],
    ...(chrome ? {} : { extraPrefsFirefox: { 'ui.systemUsesDarkTheme': dark ? 1 : 0 } }),
  })
  const page = await started.newPage(), problems = []
  await page.setViewport({ width, height })
  if (chrome) {
    await page.setOfflineMode(true)
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }])
  }
  page.on('console', message => problems.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => problems.push(`${error}`))
  page.on('dialog', dialog => { problems.push(`dialog: ${dialog.message()}`); dialog.dismiss() })
  const began = performance.now()
  await page.goto(pathToFileURL(file).href, { waitUntil: 'domcontentloaded' })
  await page.waitForFunction(() => globalThis.weft?.shown > 0)
  const took = performance.now() - began
  return { page, problems, took, close: () => started.close() }
}

/// Does something and waits until the map has been shown anew.
export async function shownAfter(page, act) {
  const before = await page.evaluate(() => weft.shown)
  await act()
  await page.waitForFunction(n => weft.shown > n, {}, before)
  await page.evaluate(() => new Promise(requestAnimationFrame))
}
