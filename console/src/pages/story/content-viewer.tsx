import { useState, type FormEvent, type ReactNode } from 'react'
import { readContent, type Page, type ReadRequest } from '../../api/content.js'
import { useResource } from '../../live/use-resource.js'
import { Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { Icon } from '../../ui/icon.js'
import { size } from '../../ui/size.js'
import { Text } from '../../ui/text.js'

const PAGE_LINES = 200
const CONTEXT_LINES = 10

interface ContentViewerProps {
  readonly uri: string
  readonly label: string
}

/** Pages of stored content: by lines, from a line on, or where a text is found. */
export function ContentViewer({ uri, label }: ContentViewerProps): ReactNode {
  const [trail, setTrail] = useState<readonly ReadRequest[]>([firstPage()])
  const [marked, setMarked] = useState<number>()
  const ask = trail.at(-1) ?? firstPage()
  const { data, error, refresh } = useResource(`content ${uri} ${JSON.stringify(ask)}`, (signal) =>
    readContent(uri, ask, signal),
  )
  const show = (next: ReadRequest): void => {
    setMarked(undefined)
    setTrail([...trail, next])
  }
  const goTo = (line: number): void => {
    setTrail([...trail, { by: 'lines', from: Math.max(1, line - CONTEXT_LINES), count: PAGE_LINES }])
    setMarked(line)
  }
  return (
    <section className="content-viewer" aria-label={label}>
      <ViewerTools
        page={data}
        hasBack={trail.length > 1}
        onBack={() => {
          setMarked(undefined)
          setTrail(trail.slice(0, -1))
        }}
        onNext={show}
        onLine={goTo}
        onSearch={(text) => show({ by: 'search', text, count: 100 })}
      />
      <ErrorBox error={error} onRetry={refresh} />
      {data === undefined ? (
        error === undefined && <Loading />
      ) : (
        <PageView page={data} label={label} marked={marked} onLine={goTo} />
      )}
    </section>
  )
}

function firstPage(): ReadRequest {
  return { by: 'lines', from: 1, count: PAGE_LINES }
}

interface ViewerToolsProps {
  readonly page: Page | undefined
  readonly hasBack: boolean
  readonly onBack: () => void
  readonly onNext: (next: ReadRequest) => void
  readonly onLine: (line: number) => void
  readonly onSearch: (text: string) => void
}

function ViewerTools({ page, hasBack, onBack, onNext, onLine, onSearch }: ViewerToolsProps): ReactNode {
  const next = page?.next
  return (
    <div className="viewer-tools">
      <button type="button" className="button" disabled={!hasBack} onClick={onBack}>
        <Icon name="left" /> Back
      </button>
      <button
        type="button"
        className="button"
        disabled={next === undefined}
        onClick={() => next !== undefined && onNext(next)}
      >
        Next <Icon name="right" />
      </button>
      <span className="muted viewer-place" role="status">
        {page === undefined ? '' : placeWords(page)}
      </span>
      <AskForm label="Go to line" isNumber onAsk={(text) => onLine(Math.max(1, Number(text) || 1))} />
      <AskForm label="Search" onAsk={onSearch} />
    </div>
  )
}

interface AskFormProps {
  readonly label: string
  readonly isNumber?: boolean
  readonly onAsk: (text: string) => void
}

function AskForm({ label, isNumber = false, onAsk }: AskFormProps): ReactNode {
  const [text, setText] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() !== '') onAsk(text.trim())
  }
  return (
    <form onSubmit={submit}>
      <input
        className="input"
        type={isNumber ? 'number' : 'search'}
        min={isNumber ? 1 : undefined}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  )
}

function placeWords(page: Page): string {
  if (page.kind === 'problem') return ''
  const whole = `${page.line_count === undefined ? '' : `${page.line_count.toLocaleString()} lines, `}${size(page.size_bytes)}`
  if (page.kind === 'text' && page.lines !== undefined)
    return `lines ${page.lines.first.toLocaleString()} to ${page.lines.last.toLocaleString()} of ${whole}`
  if (page.kind === 'matches')
    return `${page.matches.length === 1 ? '1 place' : `${page.matches.length.toLocaleString()} places`} in ${whole}`
  return `bytes ${page.offset.toLocaleString()} to ${(page.offset + page.length).toLocaleString()} of ${whole}`
}

interface PageViewProps {
  readonly page: Page
  readonly label: string
  readonly marked: number | undefined
  readonly onLine: (line: number) => void
}

function PageView({ page, label, marked, onLine }: PageViewProps): ReactNode {
  switch (page.kind) {
    case 'text':
      return <Lines text={page.text} first={page.lines?.first} marked={marked} label={label} />
    case 'matches':
      return <Matches page={page} onLine={onLine} />
    case 'binary':
      return (
        <p className="muted">
          These are bytes{page.media_type === undefined ? '' : ` of the type ${page.media_type}`}, not text.
        </p>
      )
    case 'problem':
      return <p className="notice warn">{page.problem}</p>
  }
}

interface LinesProps {
  readonly text: string
  readonly first: number | undefined
  readonly marked: number | undefined
  readonly label: string
}

function Lines({ text, first, marked, label }: LinesProps): ReactNode {
  const lines = text.replace(/\n$/, '').split('\n')
  return (
    <div className="content-lines" role="group" aria-label={label} tabIndex={0}>
      {lines.map((line, index) => {
        const number = first === undefined ? undefined : first + index
        return (
          <div
            key={index}
            className={number !== undefined && number === marked ? 'content-line marked' : 'content-line'}
          >
            <span className="line-number">{number}</span>
            <span className="line-text">
              <Text>{line}</Text>
            </span>
          </div>
        )
      })}
    </div>
  )
}

function Matches({
  page,
  onLine,
}: {
  readonly page: Extract<Page, { kind: 'matches' }>
  readonly onLine: (line: number) => void
}): ReactNode {
  if (page.matches.length === 0) return <p className="muted">Nothing was found.</p>
  return (
    <ul className="content-lines">
      {page.matches.map(({ offset, line, text }) => (
        <li key={offset} className="content-line">
          {line === undefined ? (
            <span className="line-number" />
          ) : (
            <button
              type="button"
              className="line-number link-button"
              aria-label={`Go to line ${line}`}
              onClick={() => onLine(line)}
            >
              {line}
            </button>
          )}
          <span className="line-text">
            <Text>{text}</Text>
          </span>
        </li>
      ))}
    </ul>
  )
}
