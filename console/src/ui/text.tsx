import type { ReactNode } from 'react'
import { STEERING } from '../../../src/platform/text/printable.js'

/**
 * Text of a model, a tool or a caller. Characters that do not show, or that turn the direction of the text, stand there as
 * their code: what a reviewer reads is what would run.
 */
export function Text({ children }: { readonly children: string }): ReactNode {
  const parts = splitVisible(children)
  if (parts.length === 1 && !parts[0]?.isHidden) return children
  return parts.map(({ text, isHidden }, index) =>
    isHidden ? (
      <span key={index} className="hidden-character" title={`Character ${text}, which does not show`}>
        {text}
      </span>
    ) : (
      text
    ),
  )
}

/** The text in parts; a hidden character is a part of its own, as `U+202E`. */
export function splitVisible(
  given: string,
): readonly { readonly text: string; readonly isHidden: boolean }[] {
  const text = given.replaceAll('\r\n', '\n')
  const parts: { text: string; isHidden: boolean }[] = []
  let end = 0
  for (const match of text.matchAll(STEERING)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isHidden: false })
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    parts.push({ text: `U+${code}`, isHidden: true })
    end = match.index + match[0].length
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), isHidden: false })
  return parts
}

/** The same as one text, for places that take no elements, such as titles and labels. */
export function visibleText(text: string): string {
  return splitVisible(text)
    .map((part) => (part.isHidden ? `[${part.text}]` : part.text))
    .join('')
}
