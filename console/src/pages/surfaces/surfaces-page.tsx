import { useMemo, type ReactNode } from 'react'
import { getSurface, listSurfaceNames, previewSurface, type SurfaceItem } from '../../api/policy.js'
import { useResource, type Resource } from '../../live/use-resource.js'
import { toolPath } from '../../paths.js'
import { Link, navigate, setQuery, useAddress } from '../../shell/router.js'
import { useSession } from '../../shell/session.js'
import { Badge } from '../../ui/badge.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { PageHeader } from '../../ui/page-header.js'
import { Text, visibleText } from '../../ui/text.js'
import { VirtualTable, type Column } from '../../ui/virtual-table.js'
import { TextFilter } from '../../ui/text-filter.js'
import { callerOf, fromRecord, VISIBILITIES, type ShownSurface } from './shown-surface.js'
import { SurfaceChoice } from './surface-choice.js'
import { TokenBar } from './token-bar.js'
import './surfaces.css'

/** What a caller sees, what it may find, and why not the rest. */
export default function SurfacesPage(): ReactNode {
  const { query } = useAddress()
  const session = useSession()
  const names = useResource('surface names', listSurfaceNames)
  const id = query.get('id') ?? ''
  const name = query.get('surface') ?? session.surface ?? names.data?.items[0]?.name ?? ''
  const shown = useShownSurface({ id, name })
  const text = query.get('query') ?? ''
  const only = query.get('show') ?? ''
  const items = useMemo(
    () => inOrder((shown.data?.items ?? []).filter((item) => passes(item, text, only))),
    [shown.data, text, only],
  )
  return (
    <>
      <PageHeader title="Surfaces" note="what a caller sees, and why not the rest">
        <SurfaceChoice names={names.data?.items ?? []} name={name} id={id} />
        <TextFilter name="query" label="Filter tools" value={text} />
      </PageHeader>
      <ErrorBox error={names.error ?? shown.error} />
      {shown.data === undefined ? (
        shown.error === undefined && (
          <NothingShown hasName={name !== '' || id !== ''} isReady={names.data !== undefined} />
        )
      ) : (
        <>
          <div className="surface-head">
            {shown.data.note !== undefined && (
              <p className="muted">
                <Text>{shown.data.note}</Text>
              </p>
            )}
            <TokenBar surface={shown.data} />
            <Counts items={shown.data.items} only={only} />
          </div>
          {items.length > 0 ? (
            <VirtualTable
              label="Tools of the surface"
              items={items}
              columns={COLUMNS}
              idOf={(item) => item.tool_id}
              onOpen={(item) => navigate(toolPath(item.tool_id))}
              {...rowHeights(items)}
              renderNarrow={renderNarrow}
            />
          ) : (
            <Empty title={shown.data.items.length === 0 ? 'The catalog has no tools' : 'No tool matches'}>
              {shown.data.items.length === 0
                ? 'Add a source to the config. Its tools appear here, each with the reason why a caller sees it or not.'
                : 'Choose another group, or clear the filter.'}
            </Empty>
          )}
        </>
      )}
    </>
  )
}

/** A surface by name as it would be opened now, or an open one as it is recorded. */
function useShownSurface({
  id,
  name,
}: {
  readonly id: string
  readonly name: string
}): Resource<ShownSurface> {
  const record = useResource(id === '' ? undefined : `surface ${id}`, (signal) => getSurface(id, signal), {
    events: { types: ['tool.surface.', 'tool.deferred.'] },
  })
  const caller = id === '' ? { surface: name } : record.data && callerOf(record.data)
  const isKnown = caller?.surface !== undefined && caller.surface !== ''
  const preview = useResource(
    isKnown ? `surface preview ${JSON.stringify(caller)}` : undefined,
    (signal) => previewSurface(caller ?? {}, signal),
    { events: { types: ['tool.declared', 'toolcrib.tool.', 'toolcrib.source.', 'toolcrib.config.'] } },
  )
  const data = useMemo(() => {
    if (!isKnown || preview.data === undefined) return undefined
    return id === '' || record.data === undefined ? preview.data : fromRecord(record.data, preview.data)
  }, [isKnown, id, preview.data, record.data])
  return {
    data,
    error: (isKnown ? preview.error : undefined) ?? (id === '' ? undefined : record.error),
    isLoading: preview.isLoading,
  }
}

const ORDER = Object.keys(VISIBILITIES)

/** What the caller sees first. */
function inOrder(items: readonly SurfaceItem[]): readonly SurfaceItem[] {
  return items.toSorted((a, b) => ORDER.indexOf(a.visibility) - ORDER.indexOf(b.visibility))
}

function passes(item: SurfaceItem, text: string, only: string): boolean {
  if (only !== '' && item.visibility !== only) return false
  const wanted = text.toLowerCase()
  return [item.name, item.tool_id, item.reason_message].some((each) => each.toLowerCase().includes(wanted))
}

function Counts({
  items,
  only,
}: {
  readonly items: readonly SurfaceItem[]
  readonly only: string
}): ReactNode {
  const choices = Object.entries(VISIBILITIES).flatMap(([name, { words, meaning }]) => {
    const count = items.filter(({ visibility }) => visibility === name).length
    return count === 0 && name !== only ? [] : [{ name, words, meaning, count }]
  })
  return (
    <div className="surface-counts" role="group" aria-label="Which tools">
      {[
        { name: '', words: 'all', meaning: 'Every tool of the catalog.', count: items.length },
        ...choices,
      ].map(({ name, words, meaning, count }) => (
        <button
          key={name}
          type="button"
          className="chip"
          title={meaning}
          aria-pressed={only === name}
          onClick={() => setQuery({ show: name })}
        >
          {words} <strong>{count.toLocaleString()}</strong>
        </button>
      ))}
    </div>
  )
}

const COLUMNS: readonly Column<SurfaceItem>[] = [
  { title: 'Tool', width: 'minmax(0, 2fr)', render: (item) => <ItemLink item={item} /> },
  { title: 'Shown', width: '90px', render: (item) => <VisibilityBadge item={item} /> },
  {
    title: 'Why',
    width: 'minmax(0, 4fr)',
    render: (item) => (
      <span className="surface-why" title={visibleText(item.reason_message)}>
        <Text>{item.reason_message}</Text>
      </span>
    ),
  },
  { title: 'Tokens', width: '70px', isNumber: true, render: (item) => item.tokens?.toLocaleString() ?? '' },
]

/** Where reasons are long, every row has a second line for them. */
function rowHeights(items: readonly SurfaceItem[]): { rowHeight?: number; narrowRowHeight?: number } {
  const longest = Math.max(...items.map(({ reason_message: why }) => why.length))
  return { ...(longest > 80 && { rowHeight: 52 }), ...(longest > 40 && { narrowRowHeight: 104 }) }
}

function renderNarrow(item: SurfaceItem): ReactNode {
  return (
    <div className="surface-narrow">
      <div>
        <span className="cut">
          <ItemLink item={item} />
        </span>
        <VisibilityBadge item={item} />
      </div>
      <div className="muted surface-why">
        <Text>{item.reason_message}</Text>
      </div>
    </div>
  )
}

function ItemLink({ item }: { readonly item: SurfaceItem }): ReactNode {
  return (
    <Link to={toolPath(item.tool_id)} title={visibleText(item.tool_id)}>
      <Text>{item.name}</Text>
    </Link>
  )
}

function VisibilityBadge({ item }: { readonly item: SurfaceItem }): ReactNode {
  const { words, tone, meaning } = VISIBILITIES[item.visibility]
  return (
    <Badge tone={tone} title={meaning}>
      {words}
    </Badge>
  )
}

function NothingShown({
  hasName,
  isReady,
}: {
  readonly hasName: boolean
  readonly isReady: boolean
}): ReactNode {
  if (hasName || !isReady) return <Loading />
  return (
    <Empty title="No surface is configured">
      A surface says which tools a caller sees. Name surfaces under serve.surfaces in the config, or write an
      agent file.
    </Empty>
  )
}
