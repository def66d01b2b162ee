import { render } from 'preact'
import chartStyle from 'uplot/dist/uPlot.min.css'
import { App } from './app'
import { run } from './run'
import ownStyle from './style.css'

const style = document.createElement('style')
style.textContent = chartStyle + ownStyle
document.head.append(style)
document.title = `${run.name} – Weft`
render(<App />, document.getElementById('app')!)
