import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { timeTicks } from './ticks.js'
import './plot.css'

export interface Series {
  readonly name: string
  readonly color: 'one' | 'two' | 'three' | 'bad' | 'warn'
  readonly kind: 'line' | 'area' | 'bar'
  /** One for each point; absent where nothing was measured. */
  readonly values: readonly (number | undefined)[]
}

export interface PlotProps {
  readonly title: string
  /** One short sentence: what is measured. */
  readonly note?: string
  /** The starts of the points, in milliseconds. */
  readonly times: readonly number[]
  readonly stepMs: number
  readonly series: readonly Series[]
  readonly ticks: (highest: number) => readonly number[]
  readonly format: (value: number) => string
  /** Opens the calls of a point. */
  readonly onOpen?: (index: number) => void
}

const HEIGHT = 150
const LEAST_LEFT = 52
const LABEL_GAP = 8
const RIGHT = 10
const TOP = 8
const BOTTOM = 22

/** Values over time. The pointer and the arrow keys read them; a table says the same. */
export function Plot(props: PlotProps): ReactNode {
  const { title, note, times, series, ticks, format, onOpen } = props
  const [width, setWidth] = useState(0)
  const [chosen, setChosen] = useState<number>()
  const box = useRef<HTMLDivElement>(null)
  const titleId = useId()
  useEffect(() => {
    const node = box.current
    if (node === null) return
    const sizes = new ResizeObserver(() => setWidth(node.clientWidth))
    sizes.observe(node)
    return () => sizes.disconnect()
  }, [])
  const shown = chosen !== undefined && chosen < times.length ? chosen : undefined
  const highest = Math.max(0, ...totalsOf(series, times.length))
  const levels = ticks(highest)
  const scale = scaleOf(props, { width, levels, left: leftOf(levels.map(format)) })
  const last = times.length - 1
  return (
    <figure className="plot" aria-labelledby={titleId}>
      <figcaption>
        <h2 id={titleId}>{title}</h2>
        <Legend series={series} format={format} shown={shown} />
      </figcaption>
      <div
        ref={box}
        className="plot-box"
        role="slider"
        tabIndex={0}
        aria-label={`${title}: values by time`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={shown ?? last}
        aria-valuetext={readOut(props, shown ?? last)}
        onKeyDown={(event) => moveChoice(event, { chosen: shown, last, setChosen, onOpen })}
        onFocus={() => setChosen(shown ?? last)}
        onBlur={() => setChosen(undefined)}
        onPointerMove={(event) => setChosen(indexAt(event, scale, times.length))}
        onPointerLeave={() => setChosen(undefined)}
        onClick={() => shown !== undefined && onOpen?.(shown)}
      >
        {width > 0 && (
          <svg width={width} height={HEIGHT} aria-hidden="true" focusable="false">
            <Axes {...props} scale={scale} />
            {series.map((each) => (
              <Drawn key={each.name} series={each} all={series} scale={scale} count={times.length} />
            ))}
            {shown !== undefined && <Cursor series={series} scale={scale} index={shown} />}
          </svg>
        )}
      </div>
      <p className="plot-note muted">{shown === undefined ? note : spanWords(props, shown)}</p>
      <PlotTable {...props} />
    </figure>
  )
}

interface Scale {
  readonly width: number
  /** Where the plot begins, after the labels of its levels. */
  readonly left: number
  readonly levels: readonly number[]
  readonly since: number
  readonly until: number
  x(index: number): number
  xAt(time: number): number
  y(value: number): number
  readonly step: number
}

function scaleOf(
  { times, stepMs }: PlotProps,
  { width, levels, left }: { width: number; levels: readonly number[]; left: number },
): Scale {
  const inner = Math.max(1, width - left - RIGHT)
  const top = levels.at(-1) ?? 1
  const since = times[0] ?? 0
  const until = since + Math.max(1, times.length) * stepMs
  const step = inner / Math.max(1, times.length)
  return {
    width,
    left,
    levels,
    since,
    until,
    step,
    x: (index) => left + (index + 0.5) * step,
    xAt: (time) => left + ((time - since) / (until - since)) * inner,
    y: (value) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM),
  }
}

let pen: CanvasRenderingContext2D | null = null

/** The widest label has room: `1 min 30 s` is as good as `5`. */
function leftOf(labels: readonly string[]): number {
  pen ??= document.createElement('canvas').getContext('2d')
  if (pen === null) return LEAST_LEFT
  // The font of the labels, as in plot.css.
  pen.font = `11px ${getComputedStyle(document.body).fontFamily}`
  const widest = Math.max(...labels.map((label) => pen!.measureText(label).width))
  return Math.max(LEAST_LEFT, Math.ceil(widest) + LABEL_GAP + 2)
}

/** Bars stand on each other; lines do not. */
function totalsOf(series: readonly Series[], count: number): readonly number[] {
  const bars = series.filter(({ kind }) => kind === 'bar')
  const stacked = Array.from({ length: count }, (_, index) =>
    sum(bars.map(({ values }) => values[index] ?? 0)),
  )
  const lines = series
    .filter(({ kind }) => kind !== 'bar')
    .flatMap(({ values }) => values.map((value) => value ?? 0))
  return [...stacked, ...lines]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function Axes({ format, scale }: PlotProps & { readonly scale: Scale }): ReactNode {
  const { levels, left, y, xAt, width, since, until } = scale
  const most = Math.max(2, Math.floor((width - left) / 90))
  return (
    <g className="plot-axes">
      {levels.map((level) => (
        <g key={level}>
          <line x1={left} x2={width - RIGHT} y1={y(level)} y2={y(level)} />
          <text x={left - LABEL_GAP} y={y(level) + 4} textAnchor="end">
            {format(level)}
          </text>
        </g>
      ))}
      {timeTicks(since, until, most).map((at) => (
        <text key={at} x={clamp(xAt(at), left + 14, width - RIGHT - 16)} y={HEIGHT - 5} textAnchor="middle">
          {timeWords(at, until - since)}
        </text>
      ))}
    </g>
  )
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

function timeWords(at: number, lengthMs: number): string {
  const isDays = lengthMs > 3 * 86_400_000
  return (isDays ? day : clock).format(at)
}

interface DrawnProps {
  readonly series: Series
  readonly all: readonly Series[]
  readonly scale: Scale
  readonly count: number
}

function Drawn({ series, all, scale, count }: DrawnProps): ReactNode {
  if (series.kind === 'bar') return <Bars series={series} all={all} scale={scale} count={count} />
  const runs = runsOf(series.values)
  return (
    <g className={`plot-${series.color}`}>
      {runs.map(({ from, values }) => {
        const points = values.map(
          (value, index) => `${scale.x(from + index).toFixed(1)},${scale.y(value).toFixed(1)}`,
        )
        const line = `M${points.join('L')}`
        const end = scale.x(from + values.length - 1)
        return (
          <g key={from}>
            {series.kind === 'area' && (
              <path
                className="plot-fill"
                d={`${line}L${end},${scale.y(0)}L${scale.x(from)},${scale.y(0)}Z`}
              />
            )}
            <path className="plot-line" d={line} />
            {values.length === 1 && (
              <circle className="plot-dot" cx={end} cy={scale.y(values[0] ?? 0)} r={2} />
            )}
          </g>
        )
      })}
    </g>
  )
}

/** Values without a gap between them. */
function runsOf(values: readonly (number | undefined)[]): readonly { from: number; values: number[] }[] {
  const runs: { from: number; values: number[] }[] = []
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue
    const last = runs.at(-1)
    if (last !== undefined && last.from + last.values.length === index) last.values.push(value)
    else runs.push({ from: index, values: [value] })
  }
  return runs
}

function Bars({ series, all, scale, count }: DrawnProps): ReactNode {
  const below = all.slice(0, all.indexOf(series)).filter(({ kind }) => kind === 'bar')
  const width = Math.max(1, scale.step * 0.75)
  return (
    <g className={`plot-${series.color}`}>
      {Array.from({ length: count }, (_, index) => {
        const value = series.values[index] ?? 0
        if (value === 0) return null
        const base = sum(below.map(({ values }) => values[index] ?? 0))
        const top = scale.y(base + value)
        return (
          <rect
            key={index}
            className="plot-bar"
            x={scale.x(index) - width / 2}
            y={top}
            width={width}
            height={Math.max(1, scale.y(base) - top)}
          />
        )
      })}
    </g>
  )
}

function Cursor({
  series,
  scale,
  index,
}: {
  readonly series: readonly Series[]
  readonly scale: Scale
  readonly index: number
}): ReactNode {
  const x = scale.x(index)
  return (
    <g className="plot-cursor">
      <line x1={x} x2={x} y1={TOP} y2={HEIGHT - BOTTOM} />
      {series
        .filter(({ kind, values }) => kind !== 'bar' && values[index] !== undefined)
        .map(({ name, color, values }) => (
          <circle key={name} className={`plot-${color}`} cx={x} cy={scale.y(values[index] ?? 0)} r={3.5} />
        ))}
    </g>
  )
}

interface LegendProps {
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  readonly shown: number | undefined
}

/** The names of the lines; with a moment chosen, their values too. */
function Legend({ series, format, shown }: LegendProps): ReactNode {
  return (
    <ul className="plot-legend">
      {series.map(({ name, color, values }) => (
        <li key={name}>
          <span className={`plot-key plot-${color}`} aria-hidden="true" />
          {name}
          {shown !== undefined && <strong>{valueWords(values[shown], format)}</strong>}
        </li>
      ))}
    </ul>
  )
}

function valueWords(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? '–' : format(value)
}

const moment = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

function spanWords({ times, stepMs }: PlotProps, index: number): string {
  const at = times[index] ?? 0
  return stepMs >= 86_400_000
    ? `from ${day.format(at)} to ${day.format(at + stepMs)}`
    : `${moment.format(at)} to ${clock.format(at + stepMs)}`
}

function readOut(props: PlotProps, index: number): string {
  if (index < 0) return 'nothing'
  const values = props.series.map(({ name, values: all }) => {
    const value = all[index]
    return `${name} ${value === undefined ? 'not measured' : props.format(value)}`
  })
  return `${spanWords(props, index)}: ${values.join(', ')}`
}

interface Choice {
  readonly chosen: number | undefined
  readonly last: number
  readonly setChosen: (index: number) => void
  readonly onOpen: ((index: number) => void) | undefined
}

function moveChoice(event: KeyboardEvent, { chosen, last, setChosen, onOpen }: Choice): void {
  const at = chosen ?? last
  const next = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - 10,
    PageUp: at + 10,
    Home: 0,
    End: last,
  }[event.key]
  if (event.key === 'Enter') onOpen?.(at)
  else if (next === undefined) return
  else setChosen(clamp(next, 0, Math.max(0, last)))
  event.preventDefault()
}

function indexAt(event: PointerEvent<HTMLElement>, scale: Scale, count: number): number | undefined {
  const x = event.clientX - event.currentTarget.getBoundingClientRect().left
  const index = Math.floor((x - scale.left) / scale.step)
  return index >= 0 && index < count ? index : undefined
}

/** The same values for people who do not see the picture. */
function PlotTable(props: PlotProps): ReactNode {
  const { title, times, series, format } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="plot-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        As a table<span className="visually-hidden">: {title}</span>
      </summary>
      {isOpen && (
        <div className="plot-rows" tabIndex={0} role="group" aria-label={`${title} as a table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" className="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((at, index) => (
                <tr key={at}>
                  <th scope="row">{moment.format(at)}</th>
                  {series.map(({ name, values }) => (
                    <td key={name} className="number">
                      {valueWords(values[index], format)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}
