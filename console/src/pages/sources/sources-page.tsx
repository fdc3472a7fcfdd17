import type { ReactNode } from 'react'
import { listSources, type SourceHealth } from '../../api/statistics.js'
import { useResource } from '../../live/use-resource.js'
import { callPath } from '../../paths.js'
import { Link } from '../../shell/router.js'
import { Badge, type Tone } from '../../ui/badge.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { PageHeader } from '../../ui/page-header.js'
import { Text } from '../../ui/text.js'
import { duration, Time } from '../../ui/time.js'
import { UntrustedConfig } from '../../ui/untrusted-config.js'
import { splitCommands } from './split-commands.js'
import './sources.css'

/** Where the tools come from, whether they answer, and what is missing. */
export default function SourcesPage(): ReactNode {
  const { data, error, refresh } = useResource('sources', (signal) => listSources(signal), {
    events: {
      types: [
        'toolcrib.source.',
        'toolcrib.config.',
        'tool.declared',
        'toolcrib.tool.removed',
        'tool.result.created',
      ],
    },
  })
  const items = data?.items ?? []
  const untrusted = data?.untrusted
  return (
    <>
      <PageHeader title="Sources" note={data === undefined ? undefined : summaryOf(items)} />
      <div className="page-body">
        <ErrorBox error={error} onRetry={refresh} />
        {data === undefined && error === undefined && <Loading />}
        {untrusted && <UntrustedConfig {...untrusted} />}
        {data !== undefined && items.length === 0 && !untrusted && <NoSources />}
        {items.length > 0 && (
          <ul className="sources">
            {items.toSorted(byTrouble).map((source) => (
              <li key={`${source.kind} ${source.name}`}>
                <SourceCard source={source} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

const STATES: Readonly<Record<SourceHealth['state'], readonly [words: string, tone: Tone]>> = {
  ready: ['ready', 'good'],
  connecting: ['connecting', 'info'],
  failed: ['failed', 'bad'],
  disabled: ['disabled', 'neutral'],
}

function summaryOf(items: readonly SourceHealth[]): string {
  const bad = items.filter(({ state }) => state === 'failed').length
  const unset = items.filter(({ requires_setup: gaps = [] }) => gaps.length > 0).length
  const parts = [
    items.length === 1 ? '1 source' : `${items.length} sources`,
    bad === 0 ? '' : `${bad} failed`,
    unset === 0 ? '' : `${unset} need setup`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

const ORDER: readonly SourceHealth['state'][] = ['failed', 'connecting', 'ready', 'disabled']

/** What needs a person comes first. */
function byTrouble(a: SourceHealth, b: SourceHealth): number {
  const weight = ({ state, requires_setup: gaps = [] }: SourceHealth): number =>
    ORDER.indexOf(state) - (state === 'ready' && gaps.length > 0 ? 0.5 : 0)
  return weight(a) - weight(b) || a.name.localeCompare(b.name)
}

function NoSources(): ReactNode {
  return (
    <Empty title="No sources yet" command="toolcrib init">
      A source brings tools: an MCP server, an OpenAPI document, a folder of tool files, or the built-in
      tools. Name one in the config, and this page shows whether it answers, how fast, and what it still
      needs.
    </Empty>
  )
}

function SourceCard({ source }: { readonly source: SourceHealth }): ReactNode {
  const { name, entry, kind, state, problem, next_retry_at: retry, last_error: last } = source
  const [words, tone] = STATES[state]
  return (
    <article className={`source ${state}`} aria-labelledby={`source-${kind}-${name}`}>
      <header>
        <h2 id={`source-${kind}-${name}`}>
          <Text>{name}</Text>
        </h2>
        <Badge tone={tone}>{words}</Badge>
        <span className="muted">
          <Text>{entry === name ? kind : `${kind}: ${entry}`}</Text>
        </span>
      </header>
      <Numbers source={source} />
      {problem !== undefined && (
        <div className="error-box">
          <p className="prose">
            <Sentences text={problem} />
          </p>
          {retry !== undefined && (
            <p>
              The next try is <Time at={retry} />.
            </p>
          )}
        </div>
      )}
      {(source.requires_setup ?? []).map(({ tools, message }) => (
        <div key={message} className="notice warn setup">
          <p>
            <strong>{tools === 1 ? '1 tool needs setup' : `${tools} tools need setup`}</strong>
          </p>
          <p className="prose">
            <Sentences text={message} />
          </p>
        </div>
      ))}
      {last !== undefined && (
        <p className="last-error prose">
          <span className="muted">
            Last error <Time at={last.at} />
          </span>{' '}
          <Link to={callPath(last.invocation_id)}>{last.error_class ?? 'error'}</Link>{' '}
          {last.message !== undefined && <Text>{last.message}</Text>}
        </p>
      )}
    </article>
  )
}

function Numbers({ source }: { readonly source: SourceHealth }): ReactNode {
  const { tools, calls, errors, restarts, latency_ms: latency } = source
  const rows: readonly (readonly [string, ReactNode])[] = [
    [
      'Tools',
      <Link key="tools" to={`/catalog?source=${encodeURIComponent(source.name)}`}>
        {tools.toLocaleString()}
      </Link>,
    ],
    ['Calls, 24 h', calls.toLocaleString()],
    [
      'Errors, 24 h',
      <span key="errors" className={errors > 0 ? 'bad' : ''}>
        {errors.toLocaleString()}
        {errors > 0 && ` (${Math.max(1, Math.round((errors / calls) * 100))} %)`}
      </span>,
    ],
    ['p50', latency === undefined ? '–' : duration(latency.p50)],
    ['p95', latency === undefined ? '–' : duration(latency.p95)],
    ['Restarts', restarts === undefined ? '–' : restarts.toLocaleString()],
  ]
  return (
    <dl className="source-numbers">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A sentence whose commands can be copied by a click. */
function Sentences({ text }: { readonly text: string }): ReactNode {
  return splitCommands(text).map(({ text: part, isCommand }, index) =>
    isCommand ? (
      <code key={index} className="inline-command">
        <Text>{part}</Text>
      </code>
    ) : (
      <Text key={index}>{part}</Text>
    ),
  )
}
