// Bundles src/ into viewer.html, with a place for a run: node build.mjs.
// With --check it writes nothing, and fails if viewer.html is another.
import { build, transform } from 'esbuild'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const place = name => fileURLToPath(new URL(name, import.meta.url))
const most = 110 * 1024 // bytes: each page has them

/// What the page does without in uPlot: dates, other shapes than steps, and joined tables.
const dispensable = [
  [/const FEAT_TIME +=.*/, 'const FEAT_TIME = false;'],
  [/\(paths[.]bars .*/, ''],
  [/\(paths[.]spline .*/, ''],
  [/uPlot[.]join = join;/, ''],
]

const smaller = {
  name: 'smaller',
  setup(at) {
    at.onLoad({ filter: /[.]css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'css', minify: true })
      return { contents: code.trim(), loader: 'text' }
    })
    at.onLoad({ filter: /uPlot[.]esm[.]js$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8')
      for (const [from, to] of dispensable) {
        if (contents.split(from).length !== 2) throw new Error(`uPlot has changed: ${from}`)
        contents = contents.replace(from, to)
      }
      return { contents, loader: 'js' }
    })
  },
}

const bundle = await build({
  entryPoints: [place('src/main.tsx')], bundle: true, minify: true, write: false, format: 'iife',
  target: 'es2022', charset: 'utf8', jsx: 'automatic', jsxImportSource: 'preact',
  plugins: [smaller], legalComments: 'none', absWorkingDir: place('.'),
})
const script = bundle.outputFiles[0].text.trim().replaceAll('</script', '<\\/script')
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<title>Weft</title>
<body>
<noscript>This page shows a run of Weft. It needs JavaScript, and no network.</noscript>
<div id="app"></div>
<!--RUN-->
<!-- With preact and uPlot, both of the MIT license; see docs/dependencies.md of Weft. -->
<script>${script}</script>
`
if (page.split('<!--RUN-->').length !== 2) throw new Error('there must be one place for the run')
const bytes = Buffer.byteLength(page)
if (bytes > most) throw new Error(`viewer.html has ${bytes} bytes (of at most ${most})`)
if (!process.argv.includes('--check')) {
  writeFileSync(place('viewer.html'), page)
  console.log(`viewer.html: ${bytes} bytes (of at most ${most})`)
} else if (readFileSync(place('viewer.html'), 'utf8') !== page) {
  console.error('viewer/viewer.html is not what viewer/src makes; run "npm run build" in viewer/')
  process.exit(1)
}
