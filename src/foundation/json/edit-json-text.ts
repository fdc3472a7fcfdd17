/** What to do with the member at a path: `value` puts it there, absent takes it away. */
export interface JsonEdit {
  readonly path: readonly string[]
  readonly value?: unknown
}

interface JsonNode {
  start: number
  end: number
  /** Where it is an object. */
  members?: JsonMember[]
}

interface JsonMember {
  key: string
  start: number
  value: JsonNode
}

/**
 * Changes one member of a JSON text; comments, blanks and everything else in it stay byte for byte. Nothing where the text is not
 * JSON with comments, or has something else than an object on the way.
 */
export function editJsonText(text: string, { path, value }: JsonEdit): string | undefined {
  const root = readJson(text)
  if (!root) return undefined
  return value === undefined ? without(text, root, path) : withMember(text, root, path, value)
}

function withMember(
  text: string,
  root: JsonNode,
  path: readonly string[],
  value: unknown,
): string | undefined {
  let at = root
  for (const [index, key] of path.entries()) {
    if (!at.members) return undefined
    const found = at.members.findLast((member) => member.key === key)
    if (found) {
      at = found.value
      continue
    }
    const rest = path.slice(index + 1).reduceRight<unknown>((inner, each) => ({ [each]: inner }), value)
    return inserted(text, at, key, rest)
  }
  return text.slice(0, at.start) + render(value, text, indentAt(text, at.start)) + text.slice(at.end)
}

/** Below the last member, in its indentation; in one line where the object is. */
function inserted(text: string, { start, end, members = [] }: JsonNode, key: string, value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const outer = indentAt(text, start)
  const [first, last] = [members[0], members.at(-1)]
  if (!first || !last) {
    const inner = outer + unitOf(text)
    const body = text.slice(start + 1, end - 1).trimEnd()
    const member = `${inner}${JSON.stringify(key)}: ${render(value, text, inner)}`
    return `${text.slice(0, start + 1)}${body}${eol}${member}${eol}${outer}${text.slice(end - 1)}`
  }
  const comma = skipBlank(text, last.value.end)
  const hasComma = text[comma] === ','
  const isInLine = !text.slice(start, first.start).includes('\n')
  const inner = indentAt(text, first.start)
  const member = `${JSON.stringify(key)}: ${isInLine ? JSON.stringify(value) : render(value, text, inner)}`
  const head = text.slice(0, last.value.end) + (hasComma ? '' : ',')
  if (isInLine) {
    const from = hasComma ? comma + 1 : last.value.end
    return `${head}${text.slice(last.value.end, from)} ${member}${text.slice(from)}`
  }
  // A comment behind the last member stays behind it.
  const lineEnd = Math.min(endOfLine(text, hasComma ? comma : last.value.end), end - 1)
  const between = text.slice(last.value.end, lineEnd)
  return `${head}${between.trimEnd()}${eol}${inner}${member}${hasComma ? ',' : ''}${text.slice(lineEnd)}`
}

function without(text: string, root: JsonNode, path: readonly string[]): string | undefined {
  let at = root
  for (const key of path.slice(0, -1)) {
    const found = at.members?.findLast((member) => member.key === key)
    if (!found) return undefined
    at = found.value
  }
  const members = at.members ?? []
  const index = members.findLastIndex(({ key }) => key === path.at(-1))
  const member = members[index]
  if (!member) return undefined
  const [before, isLast] = [members[index - 1], index === members.length - 1]
  let from = member.start
  const comma = skipBlank(text, member.value.end)
  let to = text[comma] === ',' ? comma + 1 : member.value.end
  // Alone on its lines: they go as a whole, with the comment behind it.
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const lineEnd = endOfLine(text, to)
  const isAlone = text.slice(lineStart, from).trim() === '' && skipBlank(text, to, lineEnd) >= lineEnd
  if (isAlone) {
    from = lineStart
    to = Math.min(lineEnd + (text.startsWith('\r\n', lineEnd) ? 2 : 1), text.length)
  } else while (!isLast && /[ \t]/.test(text[to] ?? '')) to++
  if (!isLast || !before) return text.slice(0, from) + text.slice(to)
  // The comma that led to it goes too.
  const lead = skipBlank(text, before.value.end)
  const kept = text.slice(lead + 1, from)
  return text.slice(0, lead) + (isAlone ? kept : kept.trimEnd()) + text.slice(to)
}

function render(value: unknown, text: string, indent: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${eol}${indent}`)
}

function unitOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0]
}

function endOfLine(text: string, from: number): number {
  const at = text.slice(from).search(/\r?\n/)
  return at === -1 ? text.length : from + at
}

const BLANK = /(?:[\s\uFEFF]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y

/** The first place from there that is neither blank nor in a comment. */
function skipBlank(text: string, from: number, to = text.length): number {
  BLANK.lastIndex = from
  BLANK.exec(text)
  return Math.min(Math.max(from, BLANK.lastIndex), to)
}

const STRING = /"(?:[^"\\\n]|\\.)*"/y
const WORD = /-?[\w.+-]+/y

function readJson(text: string): JsonNode | undefined {
  try {
    const node = readValue(text, skipBlank(text, 0))
    return skipBlank(text, node.end) === text.length ? node : undefined
  } catch {
    return undefined // a text that cannot be read is not changed
  }
}

function readValue(text: string, start: number): JsonNode {
  const open = text[start]
  if (open === '"') return { start, end: readPiece(STRING, text, start) }
  if (open !== '{' && open !== '[') return { start, end: readPiece(WORD, text, start) }
  const close = open === '{' ? '}' : ']'
  const members: JsonMember[] = []
  let at = skipBlank(text, start + 1)
  while (text[at] !== close) {
    const memberStart = at
    let key = ''
    if (open === '{') {
      const end = readPiece(STRING, text, at)
      key = JSON.parse(text.slice(at, end)) as string
      at = skipBlank(text, end)
      if (text[at] !== ':') throw new SyntaxError('no colon')
      at = skipBlank(text, at + 1)
    }
    const value = readValue(text, at)
    members.push({ key, start: memberStart, value })
    at = skipBlank(text, value.end)
    if (text[at] === ',') at = skipBlank(text, at + 1)
    else if (text[at] !== close) throw new SyntaxError('no end')
  }
  return { start, end: at + 1, ...(open === '{' && { members }) }
}

function readPiece(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  if (!pattern.test(text)) throw new SyntaxError('no value')
  return pattern.lastIndex
}
