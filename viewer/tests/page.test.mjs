// The page in browsers: it opens, shows, compares and saves, and the console stays silent.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { browsers, open, shownAfter, whyNone } from './browsers.mjs'

const { WEFT: weft, WEFT_MADE_UP_RUN: madeUp } = process.env
const whySkipped = browsers.length === 0 ? whyNone
  : weft && madeUp ? false : 'WEFT and WEFT_MADE_UP_RUN do not say which programs write a run'
const hostile = ['</script><script>alert(1)</script>', '<img src=x onerror=alert(2)>', '"\'&<!--']
const folder = mkdtempSync(join(tmpdir(), 'weft-page-'))

function pageOf(side, colors, against = false) {
  const run = join(folder, `run${side}.weft`), old = join(folder, 'old.weft')
  execFileSync(madeUp, [run, `${side}`, '16', ...colors])
  if (against) execFileSync(madeUp, [old, `${side}`, '32', ...colors])
  const page = join(folder, `run${side}.html`)
  execFileSync(weft, ['view', run, '-o', page, ...(against ? ['--against', old] : [])])
  return page
}

const textOf = (page, selector) => page.$eval(selector, element => element.textContent)
const type = async (page, text) => {
  await page.keyboard.press('/')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}
const choose = (page, label, value) => page.$$eval('select', (all, wanted, to) => {
  const select = all.find(each => (each.ariaLabel ?? each.getAttribute('aria-label') ??
    each.parentElement.textContent).startsWith(wanted))
  select.value = to
  select.dispatchEvent(new Event('change', { bubbles: true }))
}, label, value)

/// The colors of the map's picture, by how often they are there.
const paintedColors = page => page.$eval('canvas.mesh', canvas => {
  const copy = document.createElement('canvas')
  copy.width = canvas.width
  copy.height = canvas.height
  const c = copy.getContext('2d', { willReadFrequently: true })
  c.drawImage(canvas, 0, 0)
  const { data } = c.getImageData(0, 0, copy.width, copy.height)
  return new Set(new Uint32Array(data.buffer)).size
})

/// What the page would save, as text, instead of a download.
const savedBy = async (page, key) => {
  await page.evaluate(() => {
    globalThis.saved = new Promise(done => {
      HTMLAnchorElement.prototype.click = function () {
        done({ name: this.download })
      }
    })
    const make = URL.createObjectURL
    URL.createObjectURL = blob => { globalThis.blob = blob; return make.call(URL, blob) }
  })
  await page.keyboard.press(key)
  return page.evaluate(async () => {
    const { name } = await globalThis.saved
    const { type, size } = globalThis.blob
    return { name, type, size, text: (await globalThis.blob.text()).slice(0, 400) }
  })
}

for (const browser of browsers.length ? browsers : [{ name: 'no browser' }]) {
  describe(browser.name, { skip: whySkipped }, () => {
    let shown
    before(async () => { shown = await open(browser, pageOf(64, ['east', 'west', 'south', 'north'])) })
    after(() => shown?.close())

    test('opens on the whole run, in tokens of the light theme', async () => {
      assert.equal(await textOf(shown.page, 'h1'), 'run64.weft')
      assert.equal(await textOf(shown.page, '.when'), 'Busiest link, whole run')
      assert.match(await textOf(shown.page, '.panel'), /Where the cycles of all PEs go/)
      assert.ok(await paintedColors(shown.page) > 30)
    })

    test('tells the critical path, and marks it on the map', async () => {
      const { page } = shown
      assert.match(await textOf(page, '.panel'), /What decided the end.*computing49,152 in 1.*on the way16,384 in 1/s)
      const marked = () => page.$eval('canvas.mesh', canvas => canvas.toDataURL())
      const before = await marked()
      await shownAfter(page, () => page.click('nav button:nth-child(2)'))
      assert.notEqual(await marked(), before)
      await page.click('nav button:nth-child(1)')
    })

    test('zooms from the mesh to tiles and back', async () => {
      const { page } = shown, few = await paintedColors(page)
      await shownAfter(page, () => type(page, '63, 0'))
      assert.match(await textOf(page, '.panel'), /PE \(63, 0\).*Computing.*Link west/s)
      assert.notEqual(await paintedColors(page), few)
      await page.keyboard.press('Escape')
      await page.keyboard.press('0')
    })

    test('selects the PE that is clicked', async () => {
      const { page } = shown
      const box = await (await page.$('canvas.mesh')).boundingBox()
      await shownAfter(page, () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2))
      const [, x, y] = (await textOf(page, 'nav .on')).match(/PE \((\d+), (\d+)\)/)
      assert.ok(x > 20 && x < 44 && y > 20 && y < 44, `(${x}, ${y}) is not in the middle`)
      await page.keyboard.press('ArrowRight')
      await page.waitForFunction(wanted => document.querySelector('nav .on').textContent === wanted,
        {}, `PE (${+x + 1}, ${y})`)
    })

    test('shows windows, plays them, and goes back to the whole run', async () => {
      const { page } = shown
      await shownAfter(page, () => page.keyboard.press('.'))
      assert.equal(await textOf(page, '.when'), 'Busiest link, cycles 0 to 4,095')
      const before = await page.evaluate(() => weft.shown)
      await page.keyboard.press(' ')
      await page.waitForFunction(n => weft.shown > n + 5, {}, before)
      await page.keyboard.press(' ')
      await page.keyboard.press('a')
      await page.waitForFunction(() => document.querySelector('.when').textContent.includes('whole'))
    })

    test('takes the difference to a window', async () => {
      const { page } = shown
      await shownAfter(page, () => page.keyboard.press('.'))
      await shownAfter(page, () => page.keyboard.press('d'))
      await shownAfter(page, () => page.keyboard.press('.'))
      assert.match(await textOf(page, '.when'), /4,096 to 8,191, minus cycles 0 to 4,095$/)
      assert.match(await textOf(page, '.ends'), /^−.*same\+/)
      await shownAfter(page, () => page.keyboard.press('d'))
      await shownAfter(page, () => page.keyboard.press('a'))
    })

    test('shows a color alone, and another metric', async () => {
      const { page } = shown
      await shownAfter(page, () => type(page, 'south'))
      assert.match(await textOf(page, '.when'), /^(Link|Busiest link).*whole run/)
      await shownAfter(page, () => choose(page, 'Color', '2'))
      assert.equal(await textOf(page, '.when'), 'Link south of south, whole run')
      await shownAfter(page, () => choose(page, 'Show', 'computing'))
      assert.equal(await textOf(page, '.when'), 'Computing, whole run')
      assert.equal(await page.$eval('[aria-label=Color]', select => select.value), '-1')
    })

    test('lists links and lines, and leads to them', async () => {
      const { page } = shown
      await page.click('nav button:nth-child(2)')
      await shownAfter(page, () => page.click('.panel tr.pick'))
      await page.click('nav button:nth-child(3)')
      assert.match(await textOf(page, '.panel'), /copy\(to\(east\), u\).*made_up.py:7.*1,000/s)
      await shownAfter(page, () => page.click('.panel a'))
      assert.equal(await textOf(page, 'nav button:nth-child(4)'), 'PE (63, 0)')
    })

    test('saves a picture and numbers', async () => {
      const { page } = shown
      const csv = await savedBy(page, 'x')
      assert.equal(csv.name, 'run64.csv')
      assert.match(csv.text, /^x,y,"Computing, whole run \(part of the cycles\)"\n0,0,0\.\d+\n1,0,/)
      const picture = await savedBy(page, 's')
      assert.equal(picture.type, 'image/png')
      assert.ok(picture.size > 5000)
    })

    test('has a dark look and a page of keys', async () => {
      const { page } = shown
      const bright = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      const light = await bright()
      await page.keyboard.press('t')
      assert.notEqual(await bright(), light)
      await page.keyboard.press('?')
      assert.match(await textOf(page, '.help'), /play the windows/)
      await page.keyboard.press('Escape')
    })

    test('kept its console silent', () => assert.deepEqual(shown.problems, []))

    test('takes names of users as text, in all panels, and compares runs', async () => {
      const { page, problems, close } = await open(browser, pageOf(8, ['--stuck', ...hostile], true),
        { dark: true })
      try {
        assert.match(await textOf(page, '.when'), /minus old\.weft$/)
        const stuck = await textOf(page, '.panel')
        assert.ok(stuck.includes(`deadlock: ${hostile[0]}`))
        assert.ok(stuck.includes(`first cause: a microthread of ${hostile[0]}(1, 1)`))
        await page.click('nav button:nth-child(1)')
        assert.match(await textOf(page, '.panel'), /In the other run.*131,072 cycles/s)
        await shownAfter(page, () => page.keyboard.press('.'))
        await type(page, '3, 3')
        await page.waitForFunction(() => document.querySelector('.panel .colors'))
        const pe = await textOf(page, '.panel')
        assert.ok(pe.includes(`${hostile[1]}core → east; filtered`))
        assert.ok(pe.includes(`${hostile[2]}local task 3`) && pe.includes('256 bytes'))
        await page.click('.panel tr.pick')
        assert.equal(await textOf(page, '.instruction code'), `mov32 ${hostile[2]}`)
        for (const tab of [2, 3]) {
          await page.click(`nav button:nth-child(${tab})`)
          assert.ok((await textOf(page, '.panel')).includes(hostile[0]))
        }
        await shownAfter(page, () => type(page, 'onerror'))
        assert.match(await textOf(page, '.when'), /of <img src=x onerror=alert\(2\)>, whole run/)
        assert.equal(await page.$('img'), null)
        assert.deepEqual(problems, [])
      } finally {
        await close()
      }
    })
  })
}
after(() => rmSync(folder, { recursive: true }))
