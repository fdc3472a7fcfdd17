/** One server of a TOML file: its tables as written, and their value. */
export interface TomlServer {
  raw: string
  /** Undefined where a value has a type that is not supported here. */
  entry: Record<string, unknown> | undefined
}

interface Lines {
  lines: string[]
  /** The server of each line. */
  owners: (string | undefined)[]
}

const HEADER = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/
const KEY = /^\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*/

/** The servers of `[<key>.<name>]` tables, with the tables below them. */
export function tomlServers(text: string, key: string): Map<string, TomlServer> {
  const { lines, owners } = ownedLines(text, key)
  const servers = new Map<string, TomlServer>()
  for (const name of new Set(owners.filter((owner) => owner !== undefined))) {
    const own = lines.filter((_, at) => owners[at] === name)
    servers.set(name, { raw: own.join('\n').trimEnd(), entry: readTables(own) })
  }
  for (const name of inlineNames(lines, key))
    if (!servers.has(name)) servers.set(name, { raw: '', entry: undefined })
  return servers
}

/** Servers that are written as `name = { … }` below `[<key>]`, or as `<key>.name.command = …`: only their names are read. */
function inlineNames(lines: readonly string[], key: string): Set<string> {
  const names = new Set<string>()
  let table: string[] | undefined = []
  for (const line of lines) {
    const header = HEADER.exec(line)?.[1]
    if (header !== undefined) table = keysOf(header)
    else if (/^\s*\[\[/.test(line)) table = undefined
    const keys = table && keysOf(/^([^=#]+)=/.exec(line)?.[1] ?? '')
    const [first, name] = [...(table ?? []), ...(keys ?? [])]
    if (header === undefined && first === key && name !== undefined && table!.length < 2) names.add(name)
  }
  return names
}

/** The text with the tables of one server, in place of its former ones or at the end. */
export function putTomlServer(text: string, key: string, name: string, raw: string): string {
  const { lines, owners } = ownedLines(text, key)
  const at = owners.indexOf(name)
  if (at === -1) return `${text.trimEnd()}${text.trim() === '' ? '' : '\n\n'}${raw}\n`
  const kept = (_: string, line: number): boolean => owners[line] !== name
  const after = lines.slice(at).filter((line, index) => kept(line, index + at))
  const gap = after.every((line) => line.trim() === '') ? [] : ['']
  return [...lines.slice(0, at), raw, ...gap, ...after].join('\n').replace(/\n*$/, '\n')
}

export function removeTomlServer(text: string, key: string, name: string): string {
  const { lines, owners } = ownedLines(text, key)
  if (!owners.includes(name)) return text
  return lines
    .filter((_, at) => owners[at] !== name)
    .join('\n')
    .replace(/\n*$/, '\n')
    .replace(/^\n+$/, '')
}

function ownedLines(text: string, key: string): Lines {
  const lines = text.split('\n')
  let owner: string | undefined
  let isInText = false
  const owners = lines.map((line) => {
    const header = isInText ? undefined : HEADER.exec(line)?.[1]
    // A line in a multi-line string may look like the head of a table.
    if ((line.match(/"""|'''/g)?.length ?? 0) % 2 === 1) isInText = !isInText
    if (header !== undefined) {
      const [first, name] = keysOf(header)
      owner = first === key ? name : undefined
    } else if (/^\s*\[\[/.test(line)) owner = undefined
    return owner
  })
  return { lines, owners: withoutTail(lines, owners) }
}

/** Comments right above a table belong to it, and not to the table before. */
function withoutTail(lines: readonly string[], owners: (string | undefined)[]): (string | undefined)[] {
  const found = [...owners]
  for (let at = lines.length - 1; at > 0; at--) {
    if (!/^\s*#/.test(lines[at]!)) continue
    const next = lines[at + 1]
    const isHead =
      next !== undefined && (/^\s*\[/.test(next) || (/^\s*#/.test(next) && found[at + 1] !== found[at]))
    if (isHead && owners[at + 1] !== owners[at]) found[at] = undefined
  }
  return found
}

function keysOf(path: string): string[] {
  const keys: string[] = []
  for (let rest = path.trim(); rest !== '';) {
    const match = KEY.exec(rest)
    if (!match) return []
    keys.push(match[1] === undefined ? (match[2] ?? match[3]!) : unescaped(match[1]))
    rest = rest.slice(match[0].length).replace(/^\.\s*/, '')
  }
  return keys
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

/** `[key.name]` and `[key.name.env]` as one object. */
function readTables(lines: readonly string[]): Record<string, unknown> | undefined {
  const entry: Record<string, unknown> = {}
  let table = entry
  for (let at = 0; at < lines.length; at++) {
    const header = HEADER.exec(lines[at]!)?.[1]
    if (header !== undefined) {
      table = entry
      for (const name of keysOf(header).slice(2)) table = tableIn(table, name)
      continue
    }
    if (/^\s*(?:#.*)?$/.test(lines[at]!)) continue
    const match = KEY.exec(lines[at]!)
    let rest = match && lines[at]!.slice(match[0].length)
    if (!match || !rest?.startsWith('=')) return undefined
    rest = rest.slice(1)
    let read = readValue(rest.trimStart())
    // A list may span several lines.
    while (!read && at + 1 < lines.length) {
      rest += `\n${lines[++at]!}`
      read = readValue(rest.trimStart())
    }
    if (!read || !/^\s*(?:#.*)?$/.test(read.rest)) return undefined
    const name = match[1] === undefined ? (match[2] ?? match[3]!) : unescaped(match[1])
    table[name] = read.value
  }
  return entry
}

function tableIn(table: Record<string, unknown>, name: string): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  const found = (table[name] ??= made)
  return found as Record<string, unknown>
}

interface Read {
  value: unknown
  rest: string
}

const BLANKS = /^(?:\s|#[^\n]*(?:\n|$))*/

function readValue(text: string): Read | undefined {
  const basic = /^"(?!"")((?:[^"\\\n]|\\.)*)"/.exec(text)
  if (basic) return { value: unescaped(basic[1]!), rest: text.slice(basic[0].length) }
  const literal = /^'(?!'')([^'\n]*)'/.exec(text)
  if (literal) return { value: literal[1]!, rest: text.slice(literal[0].length) }
  const word = /^(?:true|false|[+-]?\d[\d_]*(?:\.\d+)?)(?![\w:.-])/.exec(text)
  if (word) return { value: JSON.parse(word[0].replace(/^\+|_/g, '')), rest: text.slice(word[0].length) }
  if (text.startsWith('[')) return readList(text)
  return text.startsWith('{') ? readInlineTable(text) : undefined
}

function readList(text: string): Read | undefined {
  const value: unknown[] = []
  let rest = text.slice(1).replace(BLANKS, '')
  while (!rest.startsWith(']')) {
    const read = readValue(rest)
    if (!read) return undefined
    value.push(read.value)
    rest = read.rest.replace(BLANKS, '')
    if (rest.startsWith(',')) rest = rest.slice(1).replace(BLANKS, '')
    else if (!rest.startsWith(']')) return undefined
  }
  return { value, rest: rest.slice(1) }
}

function readInlineTable(text: string): Read | undefined {
  const value: Record<string, unknown> = {}
  let rest = text.slice(1).trimStart()
  while (!rest.startsWith('}')) {
    const match = KEY.exec(rest)
    const after = match && rest.slice(match[0].length)
    if (!match || !after?.startsWith('=')) return undefined
    const read = readValue(after.slice(1).trimStart())
    if (!read) return undefined
    value[match[1] === undefined ? (match[2] ?? match[3]!) : unescaped(match[1])] = read.value
    rest = read.rest.trimStart()
    if (rest.startsWith(',')) rest = rest.slice(1).trimStart()
    else if (!rest.startsWith('}')) return undefined
  }
  return { value, rest: rest.slice(1) }
}
