import { isContainer, type JsonContainer, type JsonNode } from './json-node.js'
import { endOfString, skipSpace, skipValue } from './skip-json.js'

const MAX_DEPTH = 48
const MAX_CHILDREN = 1000
const MAX_CHILDREN_BELOW = 200

const leaf = /(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=[\s,\]}]|$)/y

interface Reading {
  text: string
  at: number
  key: string
  /** The containers around the position, the innermost last. Not the call stack: input may be nested without limit. */
  open: JsonContainer[]
  root: JsonNode | undefined
}

type Step = 'value' | 'after' | 'cut' | 'broken'

/** The structure of a JSON text, also of a truncated one. `undefined` when it is no JSON. */
export function readOutline(text: string): JsonNode | undefined {
  const reading: Reading = { text, at: skipSpace(text, 0), key: '', open: [], root: undefined }
  if (reading.at >= text.length) return undefined
  let step: Step = 'value'
  for (;;) {
    if (step === 'broken') return undefined
    if (step === 'cut') return closeAll(reading)
    if (step === 'after' && reading.open.length === 0)
      return skipSpace(text, reading.at) >= text.length ? reading.root : undefined
    step = step === 'value' ? readValue(reading) : readAfter(reading)
  }
}

function readValue(reading: Reading): Step {
  const { text, at } = reading
  const code = text.charCodeAt(at)
  if (code === 0x7b || code === 0x5b) return openContainer(reading, code === 0x7b ? 'object' : 'array')
  if (code === 0x22) {
    const end = endOfString(text, at)
    attach(reading, { type: 'string', start: at, end: end === -1 ? text.length : end })
    reading.at = end
    return end === -1 ? 'cut' : 'after'
  }
  leaf.lastIndex = at
  const found = leaf.exec(text)
  if (!found) return /^[-\w.+]*$/.test(text.slice(at, at + 40)) && text.length - at < 40 ? 'cut' : 'broken'
  attach(reading, { type: 'leaf', start: at, end: at + found[0].length })
  reading.at = at + found[0].length
  return 'after'
}

function openContainer(reading: Reading, type: 'array' | 'object'): Step {
  const { text, at, open } = reading
  const isClosed = open.length >= MAX_DEPTH
  const node: JsonContainer = {
    type,
    start: at,
    end: text.length,
    children: [],
    count: 0,
    isClosed,
    isCut: false,
  }
  attach(reading, node)
  if (isClosed) {
    const end = skipValue(text, at)
    reading.at = end
    return end === -1 ? 'cut' : 'after'
  }
  open.push(node)
  reading.at = skipSpace(text, at + 1)
  if (reading.at >= text.length) return 'cut'
  if (text[reading.at] === (type === 'object' ? '}' : ']')) return readAfter(reading)
  return type === 'object' ? readKey(reading) : 'value'
}

function readKey(reading: Reading): Step {
  const { text, at } = reading
  if (at >= text.length) return 'cut'
  if (text.charCodeAt(at) !== 0x22) return 'broken'
  const end = endOfString(text, at)
  if (end === -1) return 'cut'
  const colon = skipSpace(text, end)
  if (colon >= text.length) return 'cut'
  if (text.charCodeAt(colon) !== 0x3a) return 'broken'
  reading.key = text.slice(at, end)
  reading.at = skipSpace(text, colon + 1)
  return reading.at >= text.length ? 'cut' : 'value'
}

/** After a value: the next one, or the end of a container. Children beyond the limit are only counted. */
function readAfter(reading: Reading): Step {
  const { text, open } = reading
  const top = open.at(-1)!
  for (;;) {
    const at = skipSpace(text, reading.at)
    if (at >= text.length) return 'cut'
    const sign = text[at]
    if (sign === (top.type === 'object' ? '}' : ']')) {
      top.end = reading.at = at + 1
      open.pop()
      return 'after'
    }
    if (sign !== ',') return 'broken'
    reading.at = skipSpace(text, at + 1)
    if (reading.at >= text.length) return 'cut'
    if (top.children.length < (open.length === 1 ? MAX_CHILDREN : MAX_CHILDREN_BELOW))
      return top.type === 'object' ? readKey(reading) : 'value'
    top.count++
    const end = skipValue(text, reading.at)
    if (end === -1) return 'cut'
    reading.at = end
  }
}

function attach(reading: Reading, node: JsonNode): void {
  const parent = reading.open.at(-1)
  if (parent === undefined) reading.root = node
  else {
    parent.children.push({ key: parent.type === 'object' ? reading.key : '', node })
    parent.count++
  }
}

function closeAll({ open, root }: Reading): JsonNode | undefined {
  for (const node of open) node.isCut = true
  return root !== undefined && isContainer(root) ? root : undefined
}
