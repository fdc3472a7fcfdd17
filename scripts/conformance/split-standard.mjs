// Cuts the text of the standard into sentences and keeps the normative ones, the same way every time, so that
// docs/conformance.json can hold a digest per sentence instead of the sentence.
//
// The published text has one paragraph per line and glues things together: a heading runs into its first
// sentence, and the last list item or table row runs into the paragraph after it. The rules:
//
// - fenced code is skipped; white space is collapsed; heading marks, list marks and table pipes are not text.
// - a sentence ends at `.`, `!` or `?` before white space, or at `:` at the end of a line or before " - "; never
//   inside a code span. The words of a heading cannot be told from the sentence after it and stay part of it.
// - a list item ends with its first sentence. An item that is only a code span ends there when a capital or
//   another code span follows. What comes after an item on its line is running text.
// - table cells lie between pipes; what comes after the last pipe of a row is running text.
// - items and rows right after a normative sentence that ends in `:` belong to that sentence.
import { createHash } from 'node:crypto'

const KEYWORD = /\b(?:MUST|SHOULD)\b/
const LIST_MARK = /^(?:-|\d+\.)\s+/

/** Sentences with an upper-case MUST (NOT) or SHOULD (NOT), each with the number of the line it starts on. */
export function normativeSentences(text) {
  const found = []
  let open // the normative sentence whose colon still collects items and rows
  for (const unit of units(text)) {
    if (open && unit.hangs) {
      open.sentence += ` ${unit.text}`
      continue
    }
    open = undefined
    if (!KEYWORD.test(unit.text)) continue
    const entry = { line: unit.line, sentence: unit.text }
    found.push(entry)
    if (unit.text.endsWith(':')) open = entry
  }
  return found
}

/** First 12 hex characters of the SHA-256 of a sentence. */
export function digestOf(sentence) {
  return createHash('sha256').update(collapse(sentence)).digest('hex').slice(0, 12)
}

function* units(text) {
  let fenced = false
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = index + 1
    const content = collapse(raw)
    if (content.startsWith('```')) {
      fenced = !fenced
    } else if (!fenced && content !== '') {
      for (const unit of unitsOfLine(content)) yield { line, ...unit }
    }
  }
}

function* unitsOfLine(content) {
  if (content.startsWith('|')) {
    const cells = cut(content, /\|/g, 0).map((cell) => cell.replace(/^\|/, '').trim())
    const tail = cells.pop()
    for (const cell of cells) if (cell !== '' && !/^:?-+:?$/.test(cell)) yield { text: cell, hangs: true }
    yield* running(tail)
  } else if (LIST_MARK.test(content)) {
    const body = content.replace(LIST_MARK, '')
    const glued = /^(`[^`]*`)\s+(?=[A-Z`])(.*)$/.exec(body)
    const [first, ...rest] = glued ? [glued[1], ...sentences(glued[2])] : sentences(body)
    yield { text: first, hangs: true }
    for (const sentence of rest) yield* running(sentence)
  } else {
    yield* running(content.replace(/^#+\s+/, ''))
  }
}

/** Running text; a sentence with a list mark of its own is an item of a list written within the paragraph. */
function* running(text) {
  for (const sentence of sentences(text)) {
    const hangs = sentence.startsWith('- ')
    yield { text: hangs ? sentence.slice(2) : sentence, hangs }
  }
}

function sentences(text) {
  return cut(text, /[.!?](?=\s|$)|:(?=$|\s-\s)/g, 1)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Cuts `text` at each match of `pattern` outside code spans, `after` characters behind the start of the match. */
function cut(text, pattern, after) {
  const masked = text.replace(/`[^`]*`/g, (span) => '_'.repeat(span.length))
  const parts = []
  let start = 0
  for (const match of masked.matchAll(pattern)) {
    parts.push(text.slice(start, match.index + after))
    start = match.index + after
  }
  parts.push(text.slice(start))
  return parts
}

function collapse(text) {
  return text.replace(/\s+/g, ' ').trim()
}
