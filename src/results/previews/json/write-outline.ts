import { sayCount, sayNumber } from '../cuts/say-number.js'
import type { Choice } from './choose-nodes.js'
import { cutString } from './cut-string.js'
import { isContainer, type JsonContainer, type JsonNode } from './json-node.js'

const INLINE_CHARS = 100

/** The outline as text: JSON with marks for omitted parts. Only chosen containers are entered. */
export function writeOutline(
  source: string,
  root: JsonNode,
  { shown, stringChars }: Choice,
): { text: string; items: number } {
  let items = 0
  const write = (node: JsonNode, indent: string): string => {
    if (!isContainer(node)) return writeLeaf(node)
    const [opening, closing] = node.type === 'array' ? '[]' : '{}'
    const count = withoutClosedEnd(node, shown)
    if (count === 0) {
      items += node.count
      return node.count === 0 && !node.isClosed
        ? `${opening}${closing}`
        : `${opening} … ${sizeOf(node)}${closing}`
    }
    const parts = node.children.slice(0, count).map(({ key, node: child }) => {
      const value = write(child, `${indent}  `)
      return key === '' ? value : `${key}: ${value}`
    })
    const more = node.count - count
    items += more
    if (more > 0 || node.isCut) parts.push(sayMore(node, more))
    return layOut(parts, { opening: opening!, closing: closing!, indent })
  }
  const writeLeaf = (node: JsonNode): string => {
    const text = source.slice(node.start, node.end)
    return node.type === 'string' ? cutString(text, stringChars.get(node) ?? Infinity) : text
  }
  const text = write(root, '')
  return { text, items }
}

/** Unopened items at the end show no more than their count does. */
function withoutClosedEnd(node: JsonContainer, shown: ReadonlyMap<JsonNode, number>): number {
  let count = shown.get(node) ?? 0
  if (node.type === 'object') return count
  while (count > 1) {
    const last = node.children[count - 1]!.node
    if (!isContainer(last) || last.count === 0 || shown.has(last)) break
    count--
  }
  return count
}

function layOut(
  parts: readonly string[],
  { opening, closing, indent }: { opening: string; closing: string; indent: string },
): string {
  const length = parts.reduce((sum, part) => sum + part.length + 2, indent.length + 2)
  if (length <= INLINE_CHARS && !parts.some((part) => part.includes('\n')))
    return `${opening}${parts.join(', ')}${closing}`
  const inner = parts.map((part) => `${indent}  ${part}`).join(',\n')
  return `${opening}\n${inner}\n${indent}${closing}`
}

function sizeOf(node: JsonContainer): string {
  if (node.isClosed) return 'deeper'
  const least = node.isCut ? 'at least ' : ''
  return `${least}${node.type === 'array' ? sayCount(node.count, 'item') : sayCount(node.count, 'key')} `
}

function sayMore(node: JsonContainer, more: number): string {
  const what = node.type === 'array' ? 'item' : 'key'
  if (!node.isCut) return `… ${sayNumber(more)} more ${what}${more === 1 ? '' : 's'}`
  return more === 0 ? '… more that was not read' : `… at least ${sayNumber(more)} more ${what}s`
}
