import { sayNumber } from '../cuts/say-number.js'
import type { PreviewBudget } from '../preview-body.js'
import { isContainer, type JsonContainer, type JsonNode } from './json-node.js'

const KEY_BATCH = 16
const MANY_KEYS = 64
const LEAF_BATCH = 5
const STRING_CHARS = 80
const LAST_ROUND = 240
const MARK_CHARS = 34

/** What an outline shows: how many children of each opened container, and how much of each long string. */
export interface Choice {
  shown: ReadonlyMap<JsonNode, number>
  stringChars: ReadonlyMap<JsonNode, number>
}

interface Task {
  node: JsonContainer
  from: number
  depth: number
}

/**
 * Opens containers near the root first. The first item of an array is opened deeper than the others, because it shows
 * the shape of them all; more items follow in growing steps.
 */
export function chooseNodes(root: JsonNode, room: PreviewBudget): Choice {
  const shown = new Map<JsonNode, number>()
  const long: JsonNode[] = []
  const rounds: Task[][] = []
  const later = (round: number, task: Task): void => {
    if (round < LAST_ROUND && task.from < task.node.children.length) (rounds[round] ??= []).push(task)
  }
  let [chars, lines] = [room.chars - MARK_CHARS, room.lines - 1]
  const takeString = (node: JsonNode): void => {
    if (node.type === 'string' && node.end - node.start > STRING_CHARS) long.push(node)
  }
  takeString(root)
  if (isContainer(root)) later(0, { node: root, from: 0, depth: 1 })
  for (let round = 0; round < rounds.length; round++) {
    // A round may grow during the loop.
    for (const task of rounds[round] ?? []) {
      const { node, from, depth } = task
      const opening = from === 0 ? { chars: 4 * depth + MARK_CHARS, lines: 2 } : { chars: 0, lines: 0 }
      let to = from
      let [charsThen, linesThen] = [chars - opening.chars, lines - opening.lines]
      for (const { key, node: child } of node.children.slice(from, from + batchOf(node, from))) {
        charsThen -= 2 * depth + (key === '' ? 0 : key.length + 2) + charsOf(child) + 2
        linesThen--
        if (charsThen < 0 || linesThen < 0) break
        ;[chars, lines] = [charsThen, linesThen]
        takeString(child)
        if (isContainer(child))
          later(round + 1 + (node.type === 'array' && to > 0 ? 2 : 0), {
            node: child,
            from: 0,
            depth: depth + 1,
          })
        to++
      }
      if (to === from) continue
      shown.set(node, to)
      if (to === from + batchOf(node, from)) later(round + delayOf(task, to), { node, from: to, depth })
    }
  }
  return { shown, stringChars: shareAmong(long, chars) }
}

function batchOf(node: JsonContainer, from: number): number {
  if (node.type === 'object') return KEY_BATCH
  const first = node.children[0]
  return Math.max(first !== undefined && isContainer(first.node) ? 1 : LEAF_BATCH, from * 2)
}

/**
 * After how many rounds more children are shown. The keys of the root come first; a map further down is treated like an
 * array.
 */
function delayOf({ node, depth }: Task, shown: number): number {
  if (node.type === 'array') return 3
  return depth === 1 && shown < MANY_KEYS ? 0 : 1
}

/** The space that a value takes while it is not opened. */
function charsOf(node: JsonNode): number {
  if (isContainer(node)) return node.count === 0 ? 2 : 14 + sayNumber(node.count).length
  const length = node.end - node.start
  return node.type === 'string' && length > STRING_CHARS ? STRING_CHARS + MARK_CHARS : length
}

/** The remaining space goes to the truncated strings, evenly, the shorter ones first. */
function shareAmong(strings: readonly JsonNode[], chars: number): Map<JsonNode, number> {
  const shares = new Map<JsonNode, number>()
  let left = Math.max(0, chars)
  for (const [index, node] of strings.toSorted((a, b) => a.end - a.start - (b.end - b.start)).entries()) {
    const wanted = node.end - node.start - STRING_CHARS
    const share = Math.max(0, Math.min(wanted, Math.floor(left / (strings.length - index))))
    left -= share
    shares.set(node, STRING_CHARS + share)
  }
  return shares
}
