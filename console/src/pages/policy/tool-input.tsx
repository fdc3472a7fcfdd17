import { useId, type ReactNode } from 'react'
import type { ToolSummary } from '../../api/types.js'

interface ToolInputProps {
  readonly id: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly tools: readonly ToolSummary[]
  readonly placeholder: string
}

const MOST_OFFERED = 50

/** A text with the names of tools as suggestions. */
export function ToolInput({ id, value, onChange, tools, placeholder }: ToolInputProps): ReactNode {
  const listId = useId()
  const typed = value.toLowerCase()
  const offered = tools.filter(({ name }) => name.toLowerCase().includes(typed)).slice(0, MOST_OFFERED)
  return (
    <>
      <input
        id={id}
        className="input code"
        list={listId}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {offered.map(({ tool_id, name }) => (
          <option key={tool_id} value={name} />
        ))}
      </datalist>
    </>
  )
}
