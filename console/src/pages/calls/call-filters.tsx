import type { FormEvent, ReactNode } from 'react'
import { resultStatuses } from '../../../../src/contract/unions.js'
import type { InvocationSummary } from '../../api/types.js'
import { callPath } from '../../paths.js'
import { navigate, setQuery } from '../../shell/router.js'
import { statusWords } from '../../ui/badge.js'
import { NameFilter, namesOf } from '../../ui/name-filter.js'
import { ExactTimes } from '../../ui/time.js'

/** The filters of calls, as the API names them; they stand in the address. */
export const filterNames = [
  'tool',
  'source',
  'status',
  'result_status',
  'actor',
  'session',
  'since',
  'until',
] as const
export type CallFilterValues = Readonly<Record<string, string>>

const OPEN = ['queued', 'running', 'awaiting_approval', 'needs_input'] as const

interface CallFiltersProps {
  readonly filters: CallFilterValues
  /** The calls on the page: their names are on offer. */
  readonly calls: readonly InvocationSummary[]
}

export function CallFilters({ filters, calls }: CallFiltersProps): ReactNode {
  const outcome = filters['result_status'] ?? ''
  const chosen = outcome === '' ? (filters['status'] ?? '') : outcome
  const choose = (value: string): void => {
    const isOpen = (OPEN as readonly string[]).includes(value)
    setQuery({ status: isOpen ? value : '', result_status: isOpen ? '' : value })
  }
  return (
    <div className="filters" role="search" aria-label="Filter calls">
      <NameFilter
        name="tool"
        label="Tool"
        value={filters['tool'] ?? ''}
        known={namesOf(calls, ({ tool_name }) => tool_name)}
        isSearch
      />
      {/* Set by links of other pages, and here to be removed. */}
      {filters['source'] !== undefined && filters['source'] !== '' && (
        <NameFilter name="source" label="Source" value={filters['source']} known={[]} />
      )}
      <select
        className="input"
        aria-label="Status"
        value={chosen}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">Any status</option>
        {chosen.includes(',') && <option value={chosen}>{severalWords(chosen)}</option>}
        <optgroup label="Open">
          {OPEN.map((status) => (
            <option key={status} value={status}>
              {statusWords(status)}
            </option>
          ))}
        </optgroup>
        <optgroup label="Ended">
          {resultStatuses.map((status) => (
            <option key={status} value={status}>
              {status === 'synthetic_error' ? 'failed (never ran)' : statusWords(status)}
            </option>
          ))}
        </optgroup>
      </select>
      <NameFilter
        name="actor"
        label="Agent"
        value={filters['actor'] ?? ''}
        known={namesOf(calls, ({ actor }) => actor)}
      />
      <NameFilter
        name="session"
        label="Session"
        value={filters['session'] ?? ''}
        known={namesOf(calls, ({ session }) => session)}
      />
      <SinceFilter value={filters['since'] ?? ''} />
      <CallId />
      <ExactTimes />
    </div>
  )
}

/** An id from a log or another system leads to the story of its call: with Enter, or as soon as it is pasted. */
function CallId(): ReactNode {
  const open = (id: string): void => {
    if (id.trim() !== '') navigate(callPath(id.trim()))
  }
  return (
    <form
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        open(String(new FormData(event.currentTarget).get('id')))
      }}
    >
      <input
        type="search"
        className="input"
        name="id"
        aria-label="Open the call with this id"
        placeholder="Call id ↵"
        spellCheck={false}
        autoComplete="off"
        onPaste={(event) => {
          const id = event.clipboardData.getData('text').trim()
          if (!id.startsWith('inv_')) return
          event.preventDefault()
          open(id)
        }}
      />
    </form>
  )
}

/** Links of other pages may name several statuses. */
function severalWords(statuses: string): string {
  const words = new Set(statuses.split(',').map(statusWords))
  return [...words].join(', ')
}

const HOUR = 3_600_000
const PERIODS: readonly (readonly [string, number])[] = [
  ['Last hour', HOUR],
  ['Last day', 24 * HOUR],
  ['Last week', 7 * 24 * HOUR],
]

function SinceFilter({ value }: { readonly value: string }): ReactNode {
  return (
    <select
      className="input"
      aria-label="Period"
      value={value}
      onChange={(event) => setQuery({ since: event.target.value, until: '' })}
    >
      <option value="">Any time</option>
      {value !== '' && <option value={value}>since {new Date(value).toLocaleString()}</option>}
      {PERIODS.map(([label, ms]) => (
        <option key={label} value={new Date(Math.floor((Date.now() - ms) / 60_000) * 60_000).toISOString()}>
          {label}
        </option>
      ))}
    </select>
  )
}
