import jsonc, { type Edit, type Node, type ParseError } from 'jsonc-parser'

const BOM = '\uFEFF'
/** Blanks and one comment behind a value, up to the end of its line. */
const REST_OF_LINE = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)?(?=\r?\n|$)/
const COMMENT = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g

type ObjectNode = Node & { readonly children: Node[] }

/** The object that a text with comments and trailing commas holds. Undefined where the text holds something else. */
export function parseJsonText(text: string): Record<string, unknown> | undefined {
  const root = rootOf(text)
  return root && (plain(jsonc.getNodeValue(root)) as Record<string, unknown>)
}

/** A member as it is written, comments included. */
export function rawMember(text: string, path: readonly string[]): string | undefined {
  const { body } = split(text)
  const root = rootOf(text)
  const node = root && jsonc.findNodeAtLocation(root, [...path])
  return node && body.slice(node.offset, node.offset + node.length)
}

/**
 * The text with one member set; missing objects on the path are created. `raw` is the JSON to write. Every other byte
 * stays. A text that is no object, or has something else on the path, is not changed: the caller must check this first.
 */
export function setMember(text: string, path: readonly string[], raw: string): string {
  const { bom, body } = split(text)
  const eol = body.includes('\r\n') ? '\r\n' : '\n'
  const root = rootOf(text)
  if (!root && body.trim() !== '') throw new TypeError('Only the text of an object can be changed.')
  if (!root) return `${bom}${nested(path, raw, { unit: '  ', indent: '', eol })}${eol}`
  const existing = jsonc.findNodeAtLocation(root, [...path])
  if (existing) return bom + apply(body, [{ offset: existing.offset, length: existing.length, content: raw }])
  let depth = path.length - 1
  while (!jsonc.findNodeAtLocation(root, path.slice(0, depth))) depth--
  const parent = jsonc.findNodeAtLocation(root, path.slice(0, depth))
  if (!isObject(parent)) throw new TypeError(`"${path.slice(0, depth).join('.')}" is no object.`)
  const unit = unitOf(body)
  const indent = memberIndent(body, parent, unit)
  const name = JSON.stringify(path[depth])
  const value = nested(path.slice(depth + 1), raw, { unit, indent, eol })
  return bom + apply(body, insertion(body, parent, { member: `${name}: ${value}`, indent, eol }))
}

/** The text without one member. Comments on lines of their own stay. */
export function removeMember(text: string, path: readonly string[]): string {
  const { bom, body } = split(text)
  const root = rootOf(text)
  const property = root && jsonc.findNodeAtLocation(root, [...path])?.parent
  const parent = property?.parent
  if (!property || !isObject(parent)) return text
  const end = property.offset + property.length
  const comma = commaAfter(body, end)
  const edits: Edit[] = [lineEdit(body, property.offset, comma === undefined ? end : comma + 1)]
  const at = parent.children.indexOf(property)
  const before = parent.children[at - 1]
  // The last member is gone, so the comma before it must go too.
  if (comma === undefined && before) {
    const stray = commaAfter(body, before.offset + before.length)
    if (stray !== undefined) edits.unshift({ offset: stray, length: 1, content: '' })
  }
  return bom + apply(body, edits)
}

/** A value as JSON, indented for this depth of the text. */
export function rawJson(value: unknown, text: string, path: readonly string[]): string {
  const unit = unitOf(text)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${unit.repeat(path.length)}`)
}

function rootOf(text: string): ObjectNode | undefined {
  const errors: ParseError[] = []
  const root = jsonc.parseTree(split(text).body, errors, { allowTrailingComma: true })
  return errors.length === 0 && isObject(root) ? root : undefined
}

const isObject = (node: Node | undefined): node is ObjectNode =>
  node?.type === 'object' && node.children !== undefined

function split(text: string): { bom: string; body: string } {
  return text.startsWith(BOM) ? { bom: BOM, body: text.slice(1) } : { bom: '', body: text }
}

const apply = (body: string, edits: Edit[]): string => jsonc.applyEdits(body, edits)

/** Objects of the parser have no prototype; comparisons expect one. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
}

function nested(
  path: readonly string[],
  raw: string,
  { unit, indent, eol }: { unit: string; indent: string; eol: string },
): string {
  const [name, ...rest] = path
  if (name === undefined) return raw
  const inner = indent + unit
  return `{${eol}${inner}${JSON.stringify(name)}: ${nested(rest, raw, { unit, indent: inner, eol })}${eol}${indent}}`
}

function insertion(
  body: string,
  parent: ObjectNode,
  { member, indent, eol }: { member: string; indent: string; eol: string },
): Edit[] {
  const last = parent.children.at(-1)
  const close = parent.offset + parent.length - 1
  if (!last) {
    const inside = body.slice(parent.offset + 1, close)
    const content = `${eol}${indent}${member}`
    // Between the brackets there are only blanks, or a comment that stays.
    if (inside.trim() !== '') return [{ offset: parent.offset + 1, length: 0, content }]
    const outer = lineIndent(body, parent.offset)
    return [{ offset: parent.offset + 1, length: inside.length, content: `${content}${eol}${outer}` }]
  }
  const end = last.offset + last.length
  const comma = commaAfter(body, end)
  const isOneLine = !/[\r\n]/.test(body.slice(parent.offset, close))
  const from = comma === undefined ? end : comma + 1
  const rest = isOneLine ? '' : (REST_OF_LINE.exec(body.slice(from, close))?.[0] ?? '')
  const content = isOneLine ? ` ${member}` : `${eol}${indent}${member}`
  if (comma !== undefined) return [{ offset: from + rest.length, length: 0, content }]
  // The comma goes behind the value, and the member behind the comment of that line.
  return [{ offset: end, length: rest.length, content: `,${rest}${content}` }]
}

/** From one offset to another: the whole line where nothing else is on it. */
function lineEdit(body: string, start: number, end: number): Edit {
  const lineStart = Math.max(body.lastIndexOf('\n', start - 1) + 1, 0)
  const isFirst = body.slice(lineStart, start).trim() === ''
  const rest = REST_OF_LINE.exec(body.slice(end))?.[0]
  if (!isFirst || rest === undefined) {
    const blanks = /^[ \t]*/.exec(body.slice(end))![0].length
    return { offset: start, length: end + blanks - start, content: '' }
  }
  const lineEnd = end + rest.length
  const eol = body.startsWith('\r\n', lineEnd) ? 2 : body[lineEnd] === '\n' ? 1 : 0
  return { offset: lineStart, length: lineEnd + eol - lineStart, content: '' }
}

/** Where the comma behind a value is, beyond blanks and comments. */
function commaAfter(body: string, end: number): number | undefined {
  const blank = body.slice(end).replaceAll(COMMENT, (comment) => ' '.repeat(comment.length))
  const at = /^\s*,/.exec(blank)?.[0].length
  return at === undefined ? undefined : end + at - 1
}

function memberIndent(body: string, parent: ObjectNode, unit: string): string {
  const [first] = parent.children
  if (first) {
    const lineStart = body.lastIndexOf('\n', first.offset - 1) + 1
    const before = body.slice(lineStart, first.offset)
    if (before.trim() === '' && lineStart > parent.offset) return before
  }
  return lineIndent(body, parent.offset) + unit
}

function lineIndent(body: string, offset: number): string {
  return /^[ \t]*/.exec(body.slice(body.lastIndexOf('\n', offset - 1) + 1))![0]
}

function unitOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
}
