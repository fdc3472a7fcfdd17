import { useState, type ReactNode } from 'react'
import { Text } from './text.js'

interface DiffProps {
  /** Each starts with `+`, `-` or a space; a line without one names what the next lines are about. */
  readonly lines: readonly string[]
  readonly label: string
  /** No line is folded at first: for what a person agrees to. */
  readonly isWhole?: boolean
}

const SHOWN_LINES = 400
const CONTEXT = 3

/** Lines that were added and removed. Long stretches without a change are folded. */
export function Diff({ lines, label, isWhole: isOpen = false }: DiffProps): ReactNode {
  const [isWhole, setWhole] = useState(isOpen)
  const parts = isWhole ? [{ from: 0, to: lines.length, isShown: true }] : foldSame(lines)
  return (
    <div className="diff-box">
      <pre className="diff" aria-label={label} tabIndex={0} role="group">
        {parts.map(({ from, to, isShown }) =>
          isShown ? (
            lines.slice(from, to).map((line, index) => <DiffLine key={from + index} line={line} />)
          ) : (
            <button key={from} type="button" className="diff-fold" onClick={() => setWhole(true)}>
              {(to - from).toLocaleString()} more lines
            </button>
          ),
        )}
      </pre>
    </div>
  )
}

interface Part {
  readonly from: number
  readonly to: number
  readonly isShown: boolean
}

/** Which lines are shown at first: the changed ones and a few around them. */
export function foldSame(lines: readonly string[]): readonly Part[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((line) => /^[+-]/.test(line)),
  )
  const parts: Part[] = []
  let from = 0
  for (let at = 1; at <= lines.length; at++) {
    if (at < lines.length && isNear[at] === isNear[from] && at !== SHOWN_LINES) continue
    const isShown = from < SHOWN_LINES && (isNear[from] === true || at - from <= 2)
    const last = parts.at(-1)
    if (last?.isShown === isShown) parts[parts.length - 1] = { ...last, to: at }
    else parts.push({ from, to: at, isShown })
    from = at
  }
  return parts
}

function DiffLine({ line }: { readonly line: string }): ReactNode {
  const sign = /^[-+ ]/.exec(line)?.[0] ?? ''
  const kind = sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same'
  const Element = sign === '+' ? 'ins' : sign === '-' ? 'del' : 'span'
  return (
    <Element className={`diff-line ${kind}`}>
      <span className="diff-sign">{sign}</span>
      <span>
        <Text>{line.slice(sign.length)}</Text>
        {'\n'}
      </span>
    </Element>
  )
}
