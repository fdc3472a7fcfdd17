import { useEffect, useState, type ReactNode } from 'react'
import { setQuery } from '../shell/router.js'

interface TextFilterProps {
  /** The name in the address. */
  readonly name: string
  readonly label: string
  readonly value: string
}

const TYPING_MS = 200

/** The search field of a page. The address, and so the list, follows when the person stops typing. */
export function TextFilter({ name, label, value }: TextFilterProps): ReactNode {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => setQuery({ [name]: text.trim() }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      type="search"
      className="input words"
      aria-label={label}
      placeholder={label}
      value={text}
      spellCheck={false}
      autoComplete="off"
      data-search
      onChange={(event) => setText(event.target.value)}
    />
  )
}
