import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useKeptView } from '../live/kept-view.js'

export interface Column<T> {
  readonly title: string
  /** A track of the grid, such as `120px` or `minmax(0, 1fr)`. */
  readonly width: string
  readonly render: (item: T) => ReactNode
  readonly isNumber?: boolean
}

interface VirtualTableProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly idOf: (item: T) => string
  readonly onOpen?: (item: T) => void
  /** Called when the end comes near. */
  readonly onEnd?: () => void
  readonly hasMore?: boolean
  readonly rowHeight?: number
  readonly narrowRowHeight?: number
  /** What a row shows on a narrow screen instead of its cells. */
  readonly renderNarrow?: (item: T) => ReactNode
}

const ROW_HEIGHT = 34
const NARROW_ROW_HEIGHT = 60
const EXTRA_ROWS = 12

/** A table of any length: only the rows in view are in the document. It fills the height that is left. */
export function VirtualTable<T>(props: VirtualTableProps<T>): ReactNode {
  const { label, items, columns, idOf, onOpen, onEnd, hasMore = false, renderNarrow } = props
  const isNarrow = useMedia('(max-width: 719px)') && renderNarrow !== undefined
  const rowHeight = isNarrow ? (props.narrowRowHeight ?? NARROW_ROW_HEIGHT) : (props.rowHeight ?? ROW_HEIGHT)
  const { ref, first, last } = useWindow(label, { count: items.length, rowHeight })
  const isNearEnd = last >= items.length - EXTRA_ROWS
  useEffect(() => {
    if (isNearEnd && hasMore) onEnd?.()
  }, [isNearEnd, hasMore, items.length])
  const template = { gridTemplateColumns: isNarrow ? '1fr' : columns.map(({ width }) => width).join(' ') }
  return (
    <div
      className="virtual-table"
      role="table"
      aria-label={label}
      aria-rowcount={hasMore ? -1 : items.length + 1}
      ref={ref}
      tabIndex={0}
      onKeyDown={(event) => moveFocus(event)}
    >
      <div
        className={isNarrow ? 'visually-hidden' : 'table-head'}
        role="row"
        aria-rowindex={1}
        style={template}
      >
        {columns.map(({ title, isNumber }) => (
          <div key={title} role="columnheader" className={isNumber === true ? 'cell number' : 'cell'}>
            {title}
          </div>
        ))}
      </div>
      <div className="table-body" role="rowgroup" style={{ height: items.length * rowHeight }}>
        {items.slice(first, last).map((item, index) => (
          <div
            key={idOf(item)}
            role="row"
            aria-rowindex={first + index + 2}
            className={onOpen === undefined ? 'table-row' : 'table-row opens'}
            style={{
              ...template,
              height: rowHeight,
              transform: `translateY(${(first + index) * rowHeight}px)`,
            }}
            onClick={(event) => {
              if (!(event.target as HTMLElement).closest('a, button')) onOpen?.(item)
            }}
          >
            {isNarrow ? (
              <div role="cell" className="cell">
                {renderNarrow(item)}
              </div>
            ) : (
              columns.map(({ title, render, isNumber }) => (
                <div key={title} role="cell" className={isNumber === true ? 'cell number' : 'cell'}>
                  {render(item)}
                </div>
              ))
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const update = (): void => setMatches(media.matches)
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [query])
  return matches
}

/** The rows in view. Back leads to the row that was on top. */
function useWindow(
  label: string,
  size: { readonly count: number; readonly rowHeight: number },
): { ref: (node: HTMLElement | null) => void } & Range {
  const views = useKeptView()
  const [view, setView] = useState(() => ({ top: views.get<number>(nameOf(label)) ?? 0, height: 800 }))
  const stop = useRef<() => void>(undefined)
  const ref = useRef((node: HTMLElement | null) => {
    stop.current?.()
    if (node === null) return
    node.scrollTop = view.top
    const update = (): void => {
      views.set(nameOf(label), node.scrollTop)
      setView({ top: node.scrollTop, height: node.clientHeight })
    }
    const sizes = new ResizeObserver(update)
    sizes.observe(node)
    node.addEventListener('scroll', update, { passive: true })
    stop.current = () => {
      sizes.disconnect()
      node.removeEventListener('scroll', update)
    }
  })
  return { ref: ref.current, ...rangeOf(view, size) }
}

/** Another filter in the address is another list. */
function nameOf(label: string): string {
  return `top of ${label} ${location.search}`
}

interface Range {
  readonly first: number
  readonly last: number
}

/** Which rows are in view, with some more on both sides. */
export function rangeOf(
  view: { readonly top: number; readonly height: number },
  { count, rowHeight }: { readonly count: number; readonly rowHeight: number },
): Range {
  const first = Math.max(0, Math.floor(view.top / rowHeight) - EXTRA_ROWS)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + EXTRA_ROWS)
  return { first: Math.min(first, count), last }
}

/** The arrow keys move between the links of the rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const row = (event.target as HTMLElement).closest('.table-row')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const link = next?.querySelector('a')
  if (link === null || link === undefined) return
  event.preventDefault()
  link.focus()
}
