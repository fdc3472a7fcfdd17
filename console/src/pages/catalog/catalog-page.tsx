import { useEffect, useRef, type ReactNode } from 'react'
import { searchTools } from '../../api/client.js'
import { listSources } from '../../api/statistics.js'
import type { ToolSummary } from '../../api/types.js'
import { useResource } from '../../live/use-resource.js'
import { useTools } from '../../live/use-tools.js'
import { toolPath } from '../../paths.js'
import { Link, navigate, useAddress } from '../../shell/router.js'
import { hasRole, useSession } from '../../shell/session.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { PageHeader } from '../../ui/page-header.js'
import { Text, visibleText } from '../../ui/text.js'
import { UntrustedConfig } from '../../ui/untrusted-config.js'
import { VirtualTable, type Column } from '../../ui/virtual-table.js'
import { CatalogFilters, filterNames, passesFilters, type CatalogFilterValues } from './catalog-filters.js'
import { FactOrigins } from './fact-origins.js'
import { kindWords, StateBadge } from './state-badge.js'
import './catalog.css'

const MOST_FOUND = 100

/**
 * Every tool, shown while the list is still loading. A search asks the same engine that models use; the other filters work at
 * once.
 */
export default function CatalogPage(): ReactNode {
  const { query } = useAddress()
  const filters = Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? '']))
  const tools = useTools()
  const { isComplete } = tools
  const search = useLastFound(useFound(filters['query'] ?? ''))
  const all = tools.data ?? []
  const found = search.isOn ? inOrder(all, search.ids) : all
  const isSearching = search.isOn && search.ids === undefined
  const shown = found.filter((tool) => passesFilters(tool, filters))
  const counts = { shown: shown.length, loaded: all.length, isComplete, isLoading: tools.isLoading }
  const hasFailed = tools.error !== undefined || search.error !== undefined
  return (
    <>
      <PageHeader title="Catalog" note={all.length === 0 || isSearching ? '' : countWords(counts)}>
        <CatalogFilters filters={filters} tools={all} isComplete={isComplete} />
      </PageHeader>
      <ErrorBox
        error={tools.error ?? search.error}
        onRetry={tools.error === undefined ? search.refresh : tools.refresh}
      />
      <WhyToolsAreMissing />
      {shown.length > 0 ? (
        <VirtualTable
          label="Tools"
          items={shown}
          columns={COLUMNS}
          idOf={(tool) => tool.tool_id}
          onOpen={(tool) => navigate(toolPath(tool.tool_id))}
          hasMore={!isComplete}
          renderNarrow={renderNarrow}
        />
      ) : !isComplete || isSearching ? (
        !hasFailed && <Loading />
      ) : (
        <NoTools isEmpty={all.length === 0} filters={filters} />
      )}
    </>
  )
}

/** A caller sees its own tools alone, and nothing of the config. */
function WhyToolsAreMissing(): ReactNode {
  const isReader = hasRole(useSession(), 'reviewer', 'operator', 'auditor')
  const { data } = useResource(isReader ? 'sources' : undefined, (signal) => listSources(signal), {
    events: { types: ['toolcrib.source.', 'toolcrib.config.', 'tool.declared'] },
  })
  return data?.untrusted && <UntrustedConfig {...data.untrusted} />
}

interface Found {
  readonly isOn: boolean
  readonly ids: readonly string[] | undefined
  readonly error: ReturnType<typeof useResource>['error']
  readonly refresh: () => void
}

function useFound(words: string): Found {
  const isOn = words !== ''
  const { data, error, refresh } = useResource(isOn ? `search ${words}` : undefined, (signal) =>
    searchTools({ query: words, limit: MOST_FOUND }, signal),
  )
  return {
    isOn,
    ids: isOn ? data?.items.map(({ tool_id }) => tool_id) : undefined,
    error: isOn ? error : undefined,
    refresh,
  }
}

/** Until the answer to the next words is there, the table shows what was found before, or all tools. */
function useLastFound(found: Found): Found {
  const last = useRef<readonly string[]>(undefined)
  useEffect(() => {
    last.current = found.ids
  })
  return found.isOn && found.ids === undefined && found.error === undefined
    ? { ...found, isOn: last.current !== undefined, ids: last.current }
    : found
}

/** The found tools, the best first. */
function inOrder(tools: readonly ToolSummary[], ids: readonly string[] | undefined): readonly ToolSummary[] {
  const byId = new Map(tools.map((tool) => [tool.tool_id, tool]))
  return (ids ?? []).flatMap((id) => byId.get(id) ?? [])
}

const COLUMNS: readonly Column<ToolSummary>[] = [
  { title: 'Tool', width: 'minmax(0, 5fr)', render: (tool) => <ToolLink tool={tool} /> },
  {
    title: 'Description',
    width: 'minmax(0, 4fr)',
    render: (tool) => (
      <span className="muted" title={visibleText(tool.description)}>
        <Text>{firstLine(tool.description)}</Text>
      </span>
    ),
  },
  {
    title: 'Source',
    width: '90px',
    render: (tool) => (
      <span title={visibleText(tool.source)}>
        <Text>{tool.source.slice(tool.source.indexOf(':') + 1)}</Text>
      </span>
    ),
  },
  { title: 'Kind', width: '64px', render: (tool) => kindWords(tool.kind) },
  { title: 'Facts', width: '194px', render: (tool) => <FactOrigins facts={tool.facts} /> },
  { title: 'State', width: '118px', render: (tool) => <StateBadge tool={tool} /> },
  {
    title: 'Tokens',
    width: '50px',
    isNumber: true,
    render: (tool) => tool.tokens?.toLocaleString() ?? '',
  },
]

function renderNarrow(tool: ToolSummary): ReactNode {
  return (
    <div className="tool-narrow">
      <div>
        <span className="cut">
          <ToolLink tool={tool} />
        </span>
        {tool.state !== 'ready' && <StateBadge tool={tool} />}
      </div>
      <div>
        <FactOrigins facts={tool.facts} />
        <span className="muted cut">
          <Text>{firstLine(tool.description)}</Text>
        </span>
      </div>
    </div>
  )
}

function ToolLink({ tool }: { readonly tool: ToolSummary }): ReactNode {
  return (
    <Link to={toolPath(tool.tool_id)} title={visibleText(tool.tool_id)}>
      <Text>{tool.name}</Text>
    </Link>
  )
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}

interface Counts {
  readonly shown: number
  readonly loaded: number
  readonly isComplete: boolean
  readonly isLoading: boolean
}

/** A count of a part of the tools says that it is one. */
function countWords({ shown, loaded, isComplete, isLoading }: Counts): string {
  const all = isComplete ? loaded.toLocaleString() : `the first ${loaded.toLocaleString()}`
  const words = shown === loaded ? all : `${shown.toLocaleString()} of ${all}`
  if (isComplete) return words
  return isLoading ? `${words}, loading more…` : `${words}, the others are not loaded`
}

function NoTools({
  isEmpty,
  filters,
}: {
  readonly isEmpty: boolean
  readonly filters: CatalogFilterValues
}): ReactNode {
  if (!isEmpty)
    return (
      <Empty title={filters['query'] ? 'The search found no tool' : 'No tool matches these filters'}>
        {filters['query'] !== '' && <p>Use words of what the tool does, as a model would.</p>}
        <Link to="/catalog">Show all tools</Link>
      </Empty>
    )
  return (
    <Empty title="No tools yet" command="toolcrib add <mcp server, OpenAPI document or folder>">
      This page lists the tools of every source: functions, MCP servers, OpenAPI documents, tool files and
      built-in tools. Add a source to the config, and its tools appear here.
    </Empty>
  )
}
