import type { ReactNode } from 'react'
import { splitVisible, Text } from '../text.js'

const BEFORE_CHARS = 100
const SHOWN_CHARS = 500

/** A field shows text as the browser does. Where characters do not show or turn the text, it is repeated with their codes. */
export function HiddenCharacters({ text }: { readonly text: string }): ReactNode {
  const parts = splitVisible(text)
  if (!parts.some(({ isHidden }) => isHidden)) return null
  const [first] = parts
  const from = first?.isHidden === false ? Math.max(0, first.text.length - BEFORE_CHARS) : 0
  return (
    <div className="hidden-characters" role="status">
      This text has characters that do not show:
      <p className="prose">
        {from > 0 && '…'}
        <Text>{text.slice(from, from + SHOWN_CHARS)}</Text>
        {text.length > from + SHOWN_CHARS && '…'}
      </p>
    </div>
  )
}
