import type { FileFix } from '../compiled.js'
import type { FileMember, FileNode, Span } from './file-node.js'
import type { SourceText } from './source-text.js'

export function replace(span: Span, text: string, title: string): FileFix {
  return { title, start: span.start, end: span.end, text }
}

/** Replaces a text, in quotes where it was in quotes. */
export function replaceText(node: FileNode, text: string): FileFix | undefined {
  if (node.style !== 'plain' && node.style !== 'quoted') return undefined
  const isSafe =
    node.style === 'plain' && /^[A-Za-z][\w./:-]*$/.test(text) && !/^(?:true|false|null)$/i.test(text)
  return replace(node, isSafe && !text.endsWith(':') ? text : JSON.stringify(text), `Change it to ${text}`)
}

/** Renames a key; undefined where the new name is taken. */
export function renameKey(members: FileNode['members'], key: Span, name: string): FileFix | undefined {
  return members?.has(name) ? undefined : replace(key, name, `Rename it to ${name}`)
}

/** Puts quotes around a number or another value that must be a text. */
export function quote(node: FileNode, { text }: SourceText): FileFix | undefined {
  if (node.style !== 'plain' || node.value === null || typeof node.value === 'object') return undefined
  return replace(node, JSON.stringify(text.slice(node.start, node.end)), 'Put it in quotes')
}

/** Makes a list of a text that must be one. */
export function asList(node: FileNode, { text }: SourceText): FileFix | undefined {
  if (typeof node.value !== 'string' || node.value.trim() === '') return undefined
  if (node.style !== 'quoted' && node.style !== 'plain') return undefined
  const written = text.slice(node.start, node.end)
  // Brackets and commas would have a meaning in a list.
  const item = node.style === 'plain' && !/^[\w-]+$/.test(written) ? JSON.stringify(written) : written
  return written.includes('\n') ? undefined : replace(node, `[${item}]`, `Change it to [${item}]`)
}

/** Adds a field behind the last field of an object. `text` is its value as YAML on one line. */
export function addMember(
  node: FileNode,
  { name, text, source }: { name: string; text: string; source: SourceText },
): FileFix | undefined {
  const members = [...(node.members?.values() ?? [])]
  const last = members.at(-1)
  const first = members[0]
  if (!first || !last || node.members?.has(name)) return undefined
  const title = `Add ${name}: ${text}`
  if (node.style === 'flow') {
    // An alias has its fields elsewhere.
    if (first.key.start < node.start || last.node.end > node.end) return undefined
    return { title, start: last.node.end, end: last.node.end, text: `, ${name}: ${text}` }
  }
  const indent = ' '.repeat(source.locate(first.key).column - 1)
  const at = endOfLines(last, source)
  const line = `${indent}${name}: ${text}`
  return at.isLineStart
    ? { title, start: at.offset, end: at.offset, text: `${line}${source.newline}` }
    : { title, start: at.offset, end: at.offset, text: `${source.newline}${line}` }
}

/** The end of the lines that a member takes, with the comment behind it. */
function endOfLines({ node }: FileMember, { text }: SourceText): { offset: number; isLineStart: boolean } {
  const inner = lastLeaf(node)
  if (text[inner.end - 1] === '\n') return { offset: inner.end, isLineStart: true }
  const newline = text.indexOf('\n', inner.end)
  if (newline < 0) return { offset: text.length, isLineStart: false }
  return { offset: text[newline - 1] === '\r' ? newline - 1 : newline, isLineStart: false }
}

/** Blocks end behind their last value; the position of their own end may be lines later. */
function lastLeaf(node: FileNode): FileNode {
  if (node.style !== 'block') return node
  const last = node.items ? node.items.at(-1) : [...(node.members?.values() ?? [])].at(-1)?.node
  return last ? lastLeaf(last) : node
}
