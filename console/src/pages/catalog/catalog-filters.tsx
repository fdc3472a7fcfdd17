import type { ReactNode } from 'react'
import type { ToolSummary } from '../../api/types.js'
import { setQuery } from '../../shell/router.js'
import { visibleText } from '../../ui/text.js'
import { TextFilter } from '../../ui/text-filter.js'
import { kindWords, stateWords } from './state-badge.js'

/** The filters of the catalog; they stand in the address. */
export const filterNames = ['query', 'source', 'kind', 'fact', 'state'] as const
export type CatalogFilterValues = Readonly<Record<string, string>>

const FACTS: Readonly<Record<string, readonly [words: string, has: (tool: ToolSummary) => boolean]>> = {
  reads: ['reads only', ({ facts }) => facts.is_read_only === true],
  writes: ['writes or may write', ({ facts }) => facts.is_read_only !== true],
  destroys: ['can destroy', ({ facts }) => facts.is_destructive !== false],
  outside: ['reaches outside', ({ facts }) => facts.is_open_world !== false],
  person: ['asks a person', ({ facts }) => facts.requires_user_interaction !== false],
  assumed: ['facts are assumed', ({ facts }) => Object.values(facts.origins).includes('default')],
}

export function passesFilters(tool: ToolSummary, filters: CatalogFilterValues): boolean {
  const { source, kind, fact, state } = filters
  if (source && tool.source !== source) return false
  if (kind && tool.kind !== kind) return false
  if (state && tool.state !== state) return false
  return !fact || FACTS[fact]?.[1](tool) !== false
}

interface CatalogFiltersProps {
  readonly filters: CatalogFilterValues
  readonly tools: readonly ToolSummary[]
  /** False: tools that are not loaded yet may have other sources, kinds and states. */
  readonly isComplete: boolean
}

export function CatalogFilters({ filters, tools, isComplete }: CatalogFiltersProps): ReactNode {
  const valuesOf = (field: 'source' | 'kind' | 'state'): readonly string[] =>
    [...new Set(tools.map((tool) => tool[field]))].toSorted()
  return (
    <div className="filters" role="search" aria-label="Filter tools">
      <TextFilter name="query" label="Search" value={filters['query'] ?? ''} />
      <Choice
        name="source"
        all="Any source"
        chosen={filters}
        options={valuesOf('source')}
        words={visibleText}
        isComplete={isComplete}
      />
      <Choice
        name="kind"
        all="Any kind"
        chosen={filters}
        options={valuesOf('kind')}
        words={kindWords}
        isComplete={isComplete}
      />
      <Choice
        name="fact"
        all="Any facts"
        chosen={filters}
        options={Object.keys(FACTS)}
        words={(name) => FACTS[name]?.[0] ?? name}
        isComplete
      />
      <Choice
        name="state"
        all="Any state"
        chosen={filters}
        options={valuesOf('state')}
        words={stateWords}
        isComplete={isComplete}
      />
    </div>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly all: string
  readonly chosen: CatalogFilterValues
  readonly options: readonly string[]
  readonly words: (option: string) => string
  readonly isComplete: boolean
}

function Choice({ name, all, chosen, options, words, isComplete }: ChoiceProps): ReactNode {
  const value = chosen[name] ?? ''
  const shown = value === '' || options.includes(value) ? options : [value, ...options]
  return (
    <select
      className="input"
      aria-label={all.replace('Any ', '')}
      value={value}
      onChange={(event) => setQuery({ [name]: event.target.value })}
    >
      <option value="">{all}</option>
      {shown.map((option) => (
        <option key={option} value={option}>
          {words(option)}
        </option>
      ))}
      {!isComplete && <option disabled>loading more…</option>}
    </select>
  )
}
