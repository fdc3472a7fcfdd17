import { useRef, type ReactNode } from 'react'
import type { ConfigProblem } from '../../api/settings.js'
import { visibleText } from '../../ui/text.js'

interface ConfigEditorProps {
  readonly text: string
  readonly problems: readonly ConfigProblem[]
  readonly isReadOnly: boolean
  readonly onChange: (text: string) => void
}

/** A text with line numbers. A line with a problem is marked, with the problem as its title. */
export function ConfigEditor({ text, problems, isReadOnly, onChange }: ConfigEditorProps): ReactNode {
  const gutter = useRef<HTMLDivElement>(null)
  const lines = text.split('\n').length
  return (
    <div className="config-editor">
      <div className="config-gutter" ref={gutter} aria-hidden="true">
        {Array.from({ length: lines }, (_, index) => (
          <GutterLine key={index} line={index + 1} problems={problems} />
        ))}
      </div>
      <textarea
        className="code"
        aria-label="Config"
        aria-invalid={problems.length > 0}
        value={text}
        readOnly={isReadOnly}
        spellCheck={false}
        autoComplete="off"
        wrap="off"
        data-search
        onChange={(event) => onChange(event.target.value)}
        onScroll={(event) => {
          if (gutter.current !== null) gutter.current.scrollTop = event.currentTarget.scrollTop
        }}
      />
    </div>
  )
}

function GutterLine({
  line,
  problems,
}: {
  readonly line: number
  readonly problems: readonly ConfigProblem[]
}): ReactNode {
  const found = problems.filter((problem) => problem.line === line)
  const isError = found.some(({ severity = 'error' }) => severity === 'error')
  return (
    <div
      className={found.length === 0 ? '' : isError ? 'error' : 'warning'}
      title={found.map(({ message }) => visibleText(message)).join('\n')}
    >
      {line}
    </div>
  )
}
