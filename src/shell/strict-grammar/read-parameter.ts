import { codeAt } from './code-at.js'
import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart, Word, WordPart } from 'unbash'
import { endOfName, isDigit, isNameStart, refuse, showText, type GrammarReader } from './grammar-reader.js'

const CLOSE_BRACE = 125

/**
 * `${…}` that reads a variable: its length, a default, the rest after a prefix or suffix is removed, a slice by
 * numbers. The texts in it are plain: quotes in them have different meanings inside and outside of double quotes.
 */
export function readParameter(reader: GrammarReader): ParameterExpansionPart | undefined {
  const { text, at: pos } = reader
  let at = pos + 2
  const prefix = text[at] === '#' && codeAt(text, at + 1) !== CLOSE_BRACE ? '#' : undefined
  if (prefix !== undefined) at += 1
  const end = endOfParameter(text, at)
  if (end === at) return odd(reader)
  const parameter = text.slice(at, end)
  reader.at = end
  const index = readIndex(reader)
  if (reader.problem !== '') return undefined
  const operation = codeAt(text, reader.at) === CLOSE_BRACE ? undefined : readOperation(reader)
  if (codeAt(text, reader.at) !== CLOSE_BRACE || (prefix !== undefined && operation !== undefined))
    return odd(reader)
  reader.at += 1
  return {
    type: 'ParameterExpansion',
    pos,
    end: reader.at,
    text: text.slice(pos, reader.at),
    parameter,
    parameterPos: at,
    parameterEnd: end,
    prefix,
    index,
    operation,
  }
}

function odd(reader: GrammarReader): undefined {
  const start = reader.text.lastIndexOf('${', reader.at)
  return refuse(reader, `The expansion ${showText(reader, start, '}')} can do more than read a variable.`)
}

function endOfParameter(text: string, from: number): number {
  const first = codeAt(text, from)
  if (isNameStart(first)) return endOfName(text, from)
  if (text[from] === '@' || text[from] === '*') return from + 1
  let at = from
  while (isDigit(codeAt(text, at))) at++
  return at
}

/** `[0]`, `[@]` or `[*]`: any other subscript is evaluated. */
function readIndex(reader: GrammarReader): Word | undefined {
  const found = match(reader, /\[([0-9]+|[@*])\]/y)
  if (found === undefined) return undefined
  if (reader.shell !== 'bash') return refuse(reader, 'Not every shell knows arrays.')
  return word(found[1]!, reader.at)
}

function readOperation(reader: GrammarReader): ParameterOperation | undefined {
  const { at: pos, shell } = reader
  const base = (operator: string) => ({ pos, operatorEnd: pos + operator.length })
  const chosen = match(reader, /:?[-+?]/y)?.[0] as '-' | undefined
  if (chosen !== undefined)
    return closed(reader, {
      type: 'Default',
      operator: chosen,
      operand: readOperand(reader),
      end: 0,
      ...base(chosen),
    })
  const removes = match(reader, /##?|%%?/y)?.[0] as '#' | undefined
  if (removes !== undefined)
    return closed(reader, {
      type: 'Remove',
      operator: removes,
      operand: readOperand(reader),
      end: 0,
      ...base(removes),
    })
  if (shell !== 'bash') return odd(reader)
  const slice = match(reader, /:( ?-?[0-9]+)(?::(-?[0-9]+))?(?=\})/y)
  if (slice !== undefined) {
    const length = slice[2] === undefined ? undefined : word(slice[2], reader.at)
    return closed(reader, {
      type: 'Slice',
      operator: ':',
      offset: word(slice[1]!, reader.at),
      length,
      end: 0,
      ...base(':'),
    })
  }
  const replaces = match(reader, /\/[/#%]?/y)?.[0] as '/' | undefined
  if (replaces !== undefined)
    return closed(reader, { ...base(replaces), ...readReplacement(reader, replaces) })
  const cases = match(reader, /(?:\^\^?|,,?)(?=\})/y)?.[0] as '^' | undefined
  if (cases !== undefined)
    return closed(reader, {
      type: 'CaseModification',
      operator: cases,
      operand: undefined,
      end: 0,
      ...base(cases),
    })
  const transform = match(reader, /@([QULu])(?=\})/y)
  if (transform !== undefined)
    return closed(reader, {
      type: 'Transform',
      operator: '@',
      operand: word(transform[1]!, reader.at),
      end: 0,
      ...base('@'),
    })
  return odd(reader)
}

function closed<Operation extends { end: number }>(
  reader: GrammarReader,
  operation: Operation,
): Operation | undefined {
  if (reader.problem !== '') return undefined
  operation.end = reader.at
  return operation
}

function readReplacement(reader: GrammarReader, operator: '/') {
  const pattern = readOperand(reader, '/')
  const hasText = reader.text[reader.at] === '/'
  if (hasText) reader.at += 1
  const replacement = hasText ? readOperand(reader) : word('', reader.at)
  return { type: 'Replace' as const, operator, pattern, replacement, end: 0 }
}

const plain = new Uint8Array(128)
for (let code = 32; code < 127; code++)
  if (/[\w ./:@%+=,~^*?-]/.test(String.fromCharCode(code))) plain[code] = 1

/** A text with at most plain variables, up to the closing brace or to `stop`. */
function readOperand(reader: GrammarReader, stop?: string): Word {
  const { text, at: pos } = reader
  const parts: WordPart[] = []
  let start = pos
  let at = pos
  for (; at < text.length; at++) {
    const code = codeAt(text, at)
    if (code === CLOSE_BRACE || text[at] === stop) break
    if (code < 128 && plain[code] === 1) continue
    const end = text[at] === '$' ? endOfVariable(text, at) : at
    if (end === at) {
      odd(reader)
      break
    }
    if (at > start) parts.push(literal(text, start, at))
    parts.push(variable(text, at, end))
    start = end
    at = end - 1
  }
  if (parts.length > 0 && at > start) parts.push(literal(text, start, at))
  reader.at = at
  const found = word(text.slice(pos, at), pos)
  return parts.length === 0 ? found : { ...found, parts }
}

/** Where `$name` or `${name}` ends; where it begins if it is neither. */
function endOfVariable(text: string, from: number): number {
  const isBraced = text[from + 1] === '{'
  const start = isBraced ? from + 2 : from + 1
  const first = codeAt(text, start)
  if (!isNameStart(first) && !isDigit(first)) return from
  const end = isNameStart(first) ? endOfName(text, start) : start + 1
  if (!isBraced) return end
  return codeAt(text, end) === CLOSE_BRACE ? end + 1 : from
}

function variable(text: string, pos: number, end: number): SimpleExpansionPart {
  const written = text.slice(pos, end)
  return {
    type: 'SimpleExpansion',
    pos,
    end,
    text: written[1] === '{' ? `$${written.slice(2, -1)}` : written,
  }
}

function literal(source: string, pos: number, end: number): WordPart {
  const text = source.slice(pos, end)
  return { type: 'Literal', pos, end, text, value: text }
}

function word(text: string, pos: number): Word {
  return { type: 'Word', text, value: text, pos, end: pos + text.length, parts: undefined }
}

function match(reader: GrammarReader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)
  if (found === null) return undefined
  reader.at += found[0].length
  return found
}
