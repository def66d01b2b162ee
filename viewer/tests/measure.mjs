// Times a page in the browsers: node tests/measure.mjs run.html
// First picture: from the command to open the page until the map is shown; the browser runs already.
import { browsers, open, shownAfter } from './browsers.mjs'

const median = all => all.sort((a, b) => a - b)[all.length >> 1]
const round = ms => Math.round(ms * 10) / 10

/// Milliseconds of the paints while `act` changes the map, one a frame.
const paints = (page, act) => page.evaluate(`(async () => {
  const took = []
  for (let n = 0; n < 60; ++n) {
    (${act})(n)
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    took.push(weft.heat.took)
  }
  return took
})()`)

for (const browser of browsers) {
  const first = []
  for (let n = 0; n < 4; ++n) {
    const { took, close } = await open(browser, process.argv[2])
    first.push(took)
    await close()
  }
  const { page, problems, close } = await open(browser, process.argv[2])
  const image = await paints(page, 'n => weft.heat.pan(n % 2 ? 3 : -3, 0)')
  const switches = []
  for (let n = 0; n < 30; ++n) {
    await shownAfter(page, () => page.keyboard.press('.'))
    switches.push(await page.evaluate(() => weft.took))
  }
  await shownAfter(page, () => page.evaluate(() => weft.heat.go({ x: 2, y: 2 }, 25)))
  const tiles = await paints(page, 'n => weft.heat.pan(n % 2 ? 3 : -3, 0)')
  console.log(browser.name, JSON.stringify({ first_picture_ms: round(median(first)),
    image_ms: round(median(image)), tiles_ms: round(median(tiles)),
    window_ms: round(median(switches)), problems }))
  await close()
}
