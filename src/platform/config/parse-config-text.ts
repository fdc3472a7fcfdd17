import type { Document, LineCounter, Node, ParsedNode, YAMLError, YAMLMap } from 'yaml'
import { MAX_LEVELS } from '../json/too-deep.js'
import type { ConfigPath } from './check-config.js'
import type { ConfigProblem } from './describe-problem.js'
import { yamlErrorStart, type Yaml } from './yaml-error-start.js'

export interface Position {
  line: number
  column: number
}

export interface ParsedConfigText {
  /** Undefined when the text could not be read; the problems then say why. */
  value: unknown
  problems: ConfigProblem[]
  /** The position of a key or a list item in the text. */
  locate(path: ConfigPath): Position | undefined
}

/** YAML, and JSON as a subset of YAML, with a line for every value. */
export async function parseConfigText(text: string, file: string): Promise<ParsedConfigText> {
  const yaml = await import('yaml')
  const deep = findTooDeep(text, yaml)
  if (deep) return unreadable([{ file, ...deep, message: `it is nested deeper than ${MAX_LEVELS} levels` }])
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    merge: true,
    uniqueKeys: false, // the parser would compare each key with all keys before it
    prettyErrors: false, // these would add an excerpt of the code to the sentence
  })
  const toProblem = (offset: number, message: string): ConfigProblem => ({
    file,
    ...positionAt(offset, lines),
    message,
  })
  const problems = file.endsWith('.json') ? slashComments(text, file) : []
  for (const error of document.errors) {
    problems.push(toProblem(yamlErrorStart(error, document, yaml), sentenceFor(error)))
  }
  const nodeProblem = problems.length === 0 ? findBadNode(document, yaml) : undefined
  if (nodeProblem) problems.push(toProblem(nodeProblem.offset, nodeProblem.message))

  // Duplicate keys leave a value that can still be checked; other errors leave guesses.
  if (problems.length > 0) return unreadable(problems)
  problems.push(...findDuplicateKeys(document, yaml, lines).map(({ at, message }) => toProblem(at, message)))
  try {
    const value: unknown = document.toJS() ?? {} // an empty file has no settings
    return { value, problems, locate: (path) => locate(path, document, yaml, lines) }
  } catch (error) {
    const isBomb = String(error).includes('Excessive alias count')
    const message = isBomb ? 'too many aliases (*name); write some of them out' : String(error)
    return unreadable([...problems, { file, message }])
  }
}

const unreadable = (problems: ConfigProblem[]): ParsedConfigText => ({
  value: undefined,
  problems: oncePerLine(problems),
  locate: () => undefined,
})

/** Where a text has so many levels that the parser would run out of stack. */
function findTooDeep(text: string, { LineCounter: Lines, Lexer, Parser }: Yaml): Position | undefined {
  const lines = new Lines()
  const parser = new Parser(lines.addNewLine)
  for (const lexeme of new Lexer().lex(text)) {
    Array.from(parser.next(lexeme))
    if (parser.stack.length > MAX_LEVELS) return positionAt(parser.offset, lines)
  }
  return undefined
}

function positionAt(offset: number, lines: LineCounter): Position {
  const { line, col } = lines.linePos(offset)
  return { line, column: col }
}

/** Errors come in cascades; only the first on each line is useful. */
function oncePerLine(problems: ConfigProblem[]): ConfigProblem[] {
  const seen = new Set<number | undefined>()
  return problems.filter(({ line }) => !seen.has(line) && seen.add(line))
}

/** Read as YAML, a `// comment` becomes part of the next key, and the message would be misleading. */
function slashComments(text: string, file: string): ConfigProblem[] {
  return text.split('\n').flatMap((line, index) => {
    const column = line.search(/\S/) + 1
    if (!/^\s*\/[/*]/.test(line)) return []
    return [
      { file, line: index + 1, column, message: 'comments with / are not possible here; start them with #' },
    ]
  })
}

/** Text that parses but has no value: an alias without anchor, a key that is a list or an object. */
function findBadNode(document: Document, yaml: Yaml): { offset: number; message: string } | undefined {
  let bad: { offset: number; message: string } | undefined
  // The parser would search the whole document for the anchor of each alias.
  const anchors = new Set<string>()
  yaml.visit(document, {
    Value(_, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor)
    },
    Alias(_, alias) {
      if (anchors.has(alias.source)) return undefined
      bad = {
        offset: alias.range?.[0] ?? 0,
        message: `*${alias.source} is used, but &${alias.source} is not set before it`,
      }
      return yaml.visit.BREAK
    },
    Pair(_, pair) {
      if (!yaml.isCollection(pair.key)) return undefined
      bad = { offset: pair.key.range?.[0] ?? 0, message: 'a key must be a word, not a list or an object' }
      return yaml.visit.BREAK
    },
  })
  return bad
}

function sentenceFor(error: YAMLError): string {
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return 'a tab cannot indent YAML; use spaces'
    case 'MULTIPLE_DOCS':
      return 'only one document is allowed; remove "---" and what follows'
    case 'MULTILINE_IMPLICIT_KEY':
      return 'this line has no ":" between key and value'
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'two ": " on one line; put the value in quotes'
    case 'MISSING_CHAR':
      return error.message.includes('quote') ? 'this quote is never closed' : ownSentence(error)
    case 'BAD_INDENT':
      return error.message.startsWith('Flow')
        ? 'a bracket opened above is not closed before this line'
        : 'the indentation does not fit the lines above'
    case 'UNEXPECTED_TOKEN':
      return /at node end|in YAML stream/.test(error.message)
        ? 'nothing may follow after the end of the value'
        : ownSentence(error)
    default: // the parser has some twenty codes, and its own messages are good enough for the rest
      return ownSentence(error)
  }
}

const ownSentence = (error: YAMLError): string =>
  error.message.charAt(0).toLowerCase() + error.message.slice(1)

function findDuplicateKeys(
  document: Document,
  yaml: Yaml,
  lines: LineCounter,
): { at: number; message: string }[] {
  const found: { at: number; message: string }[] = []
  yaml.visit(document, {
    Map(_, { items }) {
      const first = new Map<unknown, number>()
      for (const { key } of items) {
        if (!yaml.isScalar(key)) continue
        const at = startOfKey(key) ?? 0
        const known = first.get(key.value)
        if (known === undefined) first.set(key.value, at)
        else found.push({ at, message: duplicateSentence(key.value, positionAt(known, lines)) })
      }
    },
  })
  return found
}

const duplicateSentence = (key: unknown, { line }: Position): string =>
  `duplicate key ${JSON.stringify(String(key).slice(0, 40))}; it already stands on line ${line}`

const startOfKey = (key: unknown): number | undefined => (key as ParsedNode | undefined)?.range?.[0]

function locate(path: ConfigPath, document: Document, yaml: Yaml, lines: LineCounter): Position | undefined {
  let node: unknown = document.contents
  let offset = startOfKey(node)
  for (const part of path) {
    if (yaml.isAlias(node)) node = node.resolve(document)
    if (yaml.isMap(node)) {
      const pair = findPair(node, String(part), document, yaml)
      if (!pair) break
      node = pair.value
      offset = startOfKey(pair.key) ?? offset
    } else if (yaml.isSeq(node)) {
      node = node.items[Number(part)]
      offset = startOfKey(node) ?? offset
    } else break
  }
  return offset === undefined ? undefined : positionAt(offset, lines)
}

/** The pair of a key: of the map itself, otherwise of what it merges in with `<<`. */
function findPair(
  map: YAMLMap,
  key: string,
  document: Document,
  yaml: Yaml,
): YAMLMap['items'][number] | undefined {
  const own = map.items.findLast((pair) => yaml.isScalar(pair.key) && String(pair.key.value) === key)
  if (own) return own
  for (const pair of map.items) {
    if (!yaml.isScalar(pair.key) || typeof pair.key.value !== 'symbol') continue // the parser's mark of a merge
    const merged = resolveAlias(pair.value, document, yaml)
    for (const source of yaml.isSeq(merged) ? merged.items : [merged]) {
      const target = resolveAlias(source, document, yaml)
      // Not deeper than one merge: an anchor that merges itself would never end.
      const found = yaml.isMap(target)
        ? target.items.find((inner) => yaml.isScalar(inner.key) && String(inner.key.value) === key)
        : undefined
      if (found) return found
    }
  }
  return undefined
}

const resolveAlias = (node: unknown, document: Document, yaml: Yaml): Node | undefined =>
  yaml.isAlias(node) ? node.resolve(document) : (node as Node | undefined)
