import { useEffect, useId, useState, type ReactNode } from 'react'
import type { InvocationSummary } from '../api/types.js'
import { setQuery } from '../shell/router.js'

interface NameFilterProps {
  readonly name: string
  readonly label: string
  readonly value: string
  /** Names that are on offer; others can be typed. */
  readonly known: readonly string[]
  /** The one that `/` leads to. */
  readonly isSearch?: boolean
}

/** Longer than for a search by words: a part of a name finds nothing. */
const TYPING_MS = 600

/** A name, typed or chosen. The list follows when the typing pauses, or at once with Enter and with a known name. */
export function NameFilter({ name, label, value, known, isSearch = false }: NameFilterProps): ReactNode {
  const [text, setText] = useState(value)
  const listId = useId()
  const apply = (next: string): void => setQuery({ [name]: next.trim() })
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => apply(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <>
      <input
        type="search"
        className="input"
        aria-label={label}
        placeholder={label}
        list={listId}
        value={text}
        spellCheck={false}
        autoComplete="off"
        {...(isSearch ? { 'data-search': true } : {})}
        onChange={(event) => {
          setText(event.target.value)
          if (event.target.value === '' || known.includes(event.target.value)) apply(event.target.value)
        }}
        onKeyDown={(event) => event.key === 'Enter' && apply(text)}
      />
      <datalist id={listId}>
        {known.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  )
}

const MOST_KNOWN = 100
const MOST_READ = 1_000

/** The names that some calls have, to be offered. */
export function namesOf(
  calls: readonly InvocationSummary[],
  nameOf: (call: InvocationSummary) => string | undefined,
): readonly string[] {
  const names = new Set<string>()
  for (const call of calls.slice(0, MOST_READ)) {
    const name = nameOf(call)
    if (name !== undefined && names.size < MOST_KNOWN) names.add(name)
  }
  return [...names].sort()
}
