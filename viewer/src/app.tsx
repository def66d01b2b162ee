import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { frame, isDifference, isWindow, metricGroups, metricNamed, metrics, topOf, warm } from './frame'
import type { Against, View } from './frame'
import { Heat } from './heat'
import { Help, useKeys } from './keys'
import type { Key } from './keys'
import { shadeOf, tokens } from './palette'
import type { Theme } from './palette'
import { Code } from './panels/code'
import { Links } from './panels/links'
import { Overview } from './panels/overview'
import { Pe } from './panels/pe'
import { arrows, Stuck } from './panels/stuck'
import { colors, links, other, page, routesOf, run, span } from './run'
import type { Color, Place, RouteFacts } from './run'
import { saveCsv, savePicture } from './save'
import { Scale } from './scale'
import type { Range } from './scale'
import { Search } from './search'
import type { Goals } from './search'
import { Timeline } from './timeline'
import { amount, number } from './words'

/// For tests and measurements: how often the map has been shown anew, and what it took.
interface Measured { shown: number; took: number; heat: Heat | null }
const measured: Measured = { shown: 0, took: 0, heat: null }
Object.assign(globalThis, { weft: measured })

type Tab = 'overview' | 'links' | 'code' | 'pe' | 'stuck'
interface Shown { view: View; values: Float32Array; links: Float32Array[] | null }

const framesOfASecond = 15
const dark = matchMedia('(prefers-color-scheme: dark)')

/// What the map shows of a view, once it is there.
function useShown(view: View, tiles: boolean): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null)
  const { metric, color, window, against } = view
  useEffect(() => {
    let live = true
    const began = performance.now()
    const ofLinks = links.map(id => ({ ...view, metric: metricNamed(id) }))
    Promise.all([frame(view), tiles ? Promise.all(ofLinks.map(frame)) : null]).then(([values, its]) => {
      if (!live) return
      measured.took = performance.now() - began
      setShown({ view, values, links: its })
      warm(metric.id, window + 1)
    })
    return () => { live = false }
  }, [metric, color, window, against, tiles])
  return shown
}

/// How routers treat the color; null where the run does not know.
function useRoutes(color: Color | null) {
  const [routes, setRoutes] = useState<((x: number, y: number) => RouteFacts | null) | null>(null)
  useEffect(() => {
    let live = true
    setRoutes(null)
    if (color) routesOf(color).then(found => live && setRoutes(() => found))
    return () => { live = false }
  }, [color])
  return routes
}

const cycles = (window: number) => {
  const { first, length } = span(run, window)
  return `cycles ${number(first)} to ${number(first + length - 1)}`
}

function titleOf(view: View): string {
  const { metric, color, window, against } = view
  const when = isWindow(view) ? cycles(window) : 'whole run'
  const base = !isDifference(view) ? ''
    : against === 'other' ? `, minus ${other!.name}` : `, minus ${cycles(against as number)}`
  return `${metric.name}${color ? ` of ${color.name}` : ''}, ${when}${base}`
}

export function App() {
  const [metricId, setMetricId] = useState('busiest_link')
  const [color, setColor] = useState<Color | null>(null)
  const [window, setWindow] = useState(-1), [playing, setPlaying] = useState(false)
  const [against, setAgainst] = useState<Against>(other ? 'other' : 'nothing')
  const [chosenRange, setRange] = useState<Range | null>(null)
  const [selected, setSelected] = useState<Place | null>(null)
  const [tab, setTab] = useState<Tab>(run.stuck ? 'stuck' : 'overview')
  const [program, setProgram] = useState(0), [help, setHelp] = useState(false)
  const [theme, setTheme] = useState<Theme>(dark.matches ? 'dark' : 'light')
  const [tiles, setTiles] = useState(false)
  const [tip, setTip] = useState<(Place & { left: number; top: number }) | null>(null)
  const canvas = useRef<HTMLCanvasElement>(null), box = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const heat = useRef<Heat | null>(null), time = useRef<Timeline | null>(null)

  document.documentElement.dataset.theme = theme
  const metric = metricNamed(metricId)
  const view: View = { metric, color, window, against }
  const shown = useShown(view, tiles), routes = useRoutes(color)
  const showMetric = (id: string) => {
    setMetricId(id)
    setRange(null)
    if (!metricNamed(id).byColor) setColor(null)
  }
  const showColor = (next: Color | null) => {
    setColor(next)
    setRange(null)
    if (next && !metric.byColor) setMetricId('busiest_link')
  }
  const compare = (next: Against) => {
    setAgainst(next)
    setRange(null)
  }
  const select = (place: Place | null) => {
    setSelected(place)
    setTab(now => (place ? 'pe' : now === 'pe' ? 'overview' : now))
  }
  const go = (place: Place) => {
    setSelected({ x: place.x, y: place.y })
    heat.current?.go(place)
  }
  const step = (by: number) => run.windows > 0 &&
    setWindow(w => (w < 0 ? (by > 0 ? 0 : run.windows - 1) : Math.max(0, Math.min(run.windows - 1, w + by))))
  const goals: Goals = {
    place: place => { select({ x: place.x, y: place.y }); heat.current?.go(place, 96) },
    metric: showMetric, color: showColor,
    program: n => { setProgram(n); setTab('code') },
    phase: (first, last) => run.windows > 0 &&
      setWindow(Math.min(run.windows - 1, Math.floor((first + last) / 2 / run.window_cycles))),
  }

  const difference = shown !== null && isDifference(shown.view)
  const full = useMemo(() => (shown ? topOf(shown.view, shown.values) : 1), [shown])
  const [low, high] = chosenRange ?? [0, full]
  const look = useMemo(() => ({ shade: shadeOf(theme, difference), tokens: tokens() }),
    [theme, difference])
  const text = (value: number) => amount(value, shown!.view.metric.share, difference)

  useEffect(() => {
    heat.current = measured.heat = new Heat(canvas.current!, run.width, run.height, {
      select, tiles: setTiles, hover: (place, at) => setTip(place && { ...place, ...at }),
    })
    if (run.windows > 0)
      time.current = new Timeline(box.current!, picked => { setPlaying(false); setWindow(picked) })
  }, [])
  useEffect(() => time.current?.theme(look.tokens), [look.tokens])
  useEffect(() => time.current?.show(window, typeof against === 'number' ? against : -1),
    [window, against, look.tokens])
  useEffect(() => {
    if (!shown) return
    heat.current!.show({ values: shown.values, links: shown.links, low, high, difference, ...look,
      selected, routeOf: routes, arrows: tab === 'stuck' ? arrows : tab === 'overview' ? run.path?.arrows ?? [] : [],
      text: pe => text(shown.values[pe]!) })
    ++measured.shown
  }, [shown, low, high, look, selected, routes, tab])
  useEffect(() => {
    if (!playing) return
    const timer = setInterval(() => setWindow(w => (w + 1) % run.windows), 1000 / framesOfASecond)
    return () => clearInterval(timer)
  }, [playing])

  const play = () => run.windows > 0 && setPlaying(now => !now)
  const move = (x: number, y: number) => setSelected(at => at && {
    x: Math.max(0, Math.min(run.width - 1, at.x + x)),
    y: Math.max(0, Math.min(run.height - 1, at.y + y)) })
  const next = <T,>(all: T[], now: T) => all[(all.indexOf(now) + 1) % all.length]!
  const pin = () =>
    compare(against !== 'nothing' ? 'nothing' : window >= 0 ? window : other ? 'other' : 'nothing')
  const picture = () => shown && savePicture(canvas.current!, titleOf(shown.view),
    [low, (low + high) / 2, high].map((v, n) => text(difference ? [-high, 0, high][n]! : v)), look.shade)
  const csv = () => shown && saveCsv(shown.values,
    `${titleOf(shown.view)} (${shown.view.metric.share ? 'part of the cycles' : metric.unit})`)
  const keys: Key[] = [
    { key: ' ', shown: 'space', what: 'play the windows of time', act: play },
    { key: ',', shown: ', .', what: 'window before, after', act: () => step(-1) },
    { key: '.', act: () => step(1) },
    { key: 'a', what: 'the whole run', act: () => { setPlaying(false); setWindow(-1) } },
    { key: 'm', what: 'next metric', act: () => showMetric(next(metrics, metric).id) },
    { key: 'c', what: 'next color', act: () => showColor(next<Color | null>([null, ...colors], color)) },
    { key: 'd', what: 'difference to this window or the other run', act: pin },
    { key: 'r', what: 'scale to the highest, or to all of the time',
      act: () => setRange(now => (now || !metric.share || difference ? null : [0, 1])) },
    { key: '+', shown: '+ −', what: 'closer, farther', act: () => heat.current!.zoom(1.5) },
    { key: '-', act: () => heat.current!.zoom(1 / 1.5) },
    { key: '0', what: 'the whole mesh', act: () => heat.current!.fit() },
    { key: 'ArrowLeft', shown: '← → ↑ ↓', what: 'the PE beside', act: () => move(-1, 0) },
    { key: 'ArrowRight', act: () => move(1, 0) },
    { key: 'ArrowUp', act: () => move(0, -1) },
    { key: 'ArrowDown', act: () => move(0, 1) },
    { key: '/', what: 'find', act: () => search.current!.focus() },
    { key: 's', what: 'save the map as a picture', act: picture },
    { key: 'x', what: 'save its numbers as CSV', act: csv },
    { key: 't', what: 'light or dark', act: () => setTheme(now => (now === 'dark' ? 'light' : 'dark')) },
    { key: '?', what: 'these keys', act: () => setHelp(now => !now) },
    { key: 'Escape', shown: 'Esc', what: 'close, deselect',
      act: () => (help ? setHelp(false) : select(null)) },
  ]
  useKeys(keys)
  const tabs: [Tab, string][] = [['overview', 'Overview'], ['links', 'Links'], ['code', 'Code'],
    ['pe', selected ? `PE (${selected.x}, ${selected.y})` : 'PE'],
    ...(run.stuck ? [['stuck', 'Stuck'] as [Tab, string]] : [])]
  return (
    <>
      <header>
        <h1><svg viewBox="0 0 24 24" width="22" height="22"><path d="M3 6h18M3 12h18M3 18h18" />
          <path d="M6 3v18M12 3v18M18 3v18" /></svg><span>{run.name}</span></h1>
        <span class="soft">{run.width} × {run.height} PEs · {number(run.cycles)} cycles
          {` · ${run.machine} · weft ${page.weft}`}</span>
        <Search input={search} goals={goals} />
        <button title="Save the map as a picture (s)" onClick={picture}>PNG</button>
        <button title="Save its numbers (x)" onClick={csv}>CSV</button>
        <button title="Light or dark (t)" onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>
          {theme === 'dark' ? '☀' : '☾'}</button>
        <button title="Keys (?)" onClick={() => setHelp(!help)}>?</button>
      </header>
      <main>
        <div class="map">
          <div class="tools">
            <label>Show <select value={metric.id} onChange={e => showMetric(e.currentTarget.value)}>
              {metricGroups.map(group => <optgroup label={group}>{metrics.filter(m => m.group === group)
                .map(m => <option value={m.id} title={m.meaning}>{m.name}</option>)}</optgroup>)}
            </select></label>
            <label>of <select value={color ? colors.indexOf(color) : -1} aria-label="Color"
              onChange={e => showColor(colors[Number(e.currentTarget.value)] ?? null)}>
              <option value={-1}>all colors</option>
              {colors.map((c, n) => <option value={n}>{c.name}</option>)}</select></label>
            <label>minus <select value={`${against}`} aria-label="Compared with"
              onChange={e => compare(e.currentTarget.value === 'nothing' || e.currentTarget.value === 'other'
                ? e.currentTarget.value : Number(e.currentTarget.value))}>
              <option value="nothing">nothing</option>
              {other ? <option value="other">{other.name}</option> : null}
              {typeof against === 'number' || window >= 0
                ? <option value={`${typeof against === 'number' ? against : window}`}>
                  window {typeof against === 'number' ? against : window}</option> : null}
            </select></label>
            {shown ? <Scale values={shown.values} full={full} range={[low, high]} shade={look.shade}
              share={shown.view.metric.share} difference={difference} set={setRange} /> : null}
          </div>
          <p class="when">{shown ? titleOf(shown.view) : ''}
            {window >= 0 && shown && !isWindow(shown.view) ? <em> (counted without windows)</em> : null}</p>
          <canvas class="mesh" ref={canvas} tabIndex={0} aria-label="Map of the mesh" />
          {tip && shown ? <div class="tip" style={{ left: `${tip.left + 14}px`, top: `${tip.top + 14}px` }}>
            <b>({tip.x}, {tip.y})</b> {text(shown.values[tip.y * run.width + tip.x]!)}
            {' '}<span class="soft">{shown.view.metric.share ? 'of the cycles' : shown.view.metric.unit}</span>
          </div> : null}
        </div>
        <aside>
          <nav>{tabs.map(([id, name]) =>
            <button class={tab === id ? 'on' : ''} onClick={() => setTab(id)}>{name}</button>)}</nav>
          <div class="panel">
            {tab === 'overview' ? <Overview go={go} />
              : tab === 'links' ? <Links go={go} chosen={color} choose={showColor} />
              : tab === 'code' ? <Code shown={program} show={setProgram} go={go} />
              : tab === 'stuck' ? <Stuck go={go} />
              : selected ? <Pe place={selected} window={window} theme={theme} go={go} />
              : <p class="note">Click a PE on the map, or find one by its place.</p>}
          </div>
        </aside>
      </main>
      {run.windows > 0 ? <footer>
        <div class="play"><button title="Play (space)" onClick={play}>{playing ? '❚❚' : '▶'}</button>
          <button class={window < 0 ? 'on' : ''} title="The whole run (a)"
            onClick={() => { setPlaying(false); setWindow(-1) }}>all</button></div>
        <div class="time" ref={box} />
      </footer> : null}
      {help ? <Help keys={keys} close={() => setHelp(false)} /> : null}
    </>
  )
}
