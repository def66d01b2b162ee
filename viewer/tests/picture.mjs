// Takes a picture of a page: node tests/picture.mjs run.html out.png [x y], with PE (x, y) chosen.
import { browsers, open, whyNone } from './browsers.mjs'

const [run, out, x, y] = process.argv.slice(2)
if (browsers.length === 0) throw new Error(whyNone)
const { page, close } = await open(browsers[0], run, { width: 1280, height: 800 })
if (x !== undefined) {
  await page.keyboard.press('/')
  await page.keyboard.type(`${x}, ${y}`)
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelector('.panel .colors'))
}
await page.mouse.move(5, 5)
await page.evaluate(() => new Promise(done => setTimeout(done, 500))) // charts are drawn in frames
await page.screenshot({ path: out })
await close()
