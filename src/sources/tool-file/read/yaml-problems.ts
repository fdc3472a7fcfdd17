import type { Document, YAMLError } from 'yaml'
import { yamlErrorStart, type Yaml } from '../../../platform/config/yaml-error-start.js'
import type { RuleCode } from '../compile/rules.js'
import type { Span } from './file-node.js'
import type { Report } from './report.js'
import type { SourceText } from './source-text.js'

const MAX_REPORTED = 10

interface Mistake {
  readonly error: YAMLError
  readonly start: number
  readonly end: number
  /** The line that is indented wrongly, for a mistake of indentation. */
  readonly indented?: number | undefined
}

/** Reports the syntax errors of a document; true where there are some. */
export function reportSyntax(
  document: Document.Parsed,
  { yaml, report, base }: { yaml: Yaml; report: Report; base: number },
): boolean {
  const { source } = report
  const all = [...document.errors, ...document.warnings]
  const tabs = all.filter(({ code }) => code === 'TAB_AS_INDENT')
  const mistakes = (tabs.length > 0 ? tabs : all) // Behind a tab everything looks wrong.
    .map((error): Mistake => {
      const start = base + yamlErrorStart(error, document, yaml)
      const end = Math.max(start, base + error.pos[1])
      return { error, start, end, indented: indentedLine(error, start, source) }
    })
    .toSorted((left, right) => left.start - right.start)
  for (const mistake of firstOfEach(mistakes, source).slice(0, MAX_REPORTED)) {
    const { error, start, end } = mistake
    const template = findTemplate(source.text, start)
    if (template) report.add('aml/yaml-template', template, template.message)
    else {
      const { code, message } = describe(error, source.text.slice(start, start + 1_000))
      report.add(code, { start, end }, message)
    }
  }
  return mistakes.length > 0
}

/** One mistake causes a cascade: the first error of a line is of use, and the first of lines that are shifted together. */
function firstOfEach(mistakes: readonly Mistake[], source: SourceText): Mistake[] {
  const lines = source.text.split('\n')
  const first: Mistake[] = []
  const seen = new Set<number>()
  let shifted: number | undefined
  for (const mistake of mistakes) {
    const { line } = source.locate(mistake)
    const { indented } = mistake
    const isSame = shifted !== undefined && indented !== undefined && areTogether(lines, shifted, indented)
    shifted = indented ?? shifted
    // Where the parser has lost its way, every later token is unexpected.
    const isLost = mistake.error.code === 'UNEXPECTED_TOKEN' && first.length > 0
    if (!isSame && !isLost && !seen.has(line)) first.push(mistake)
    seen.add(line)
  }
  return first
}

/** Whether no line between two lines ends the block that the first one began. */
function areTogether(lines: readonly string[], from: number, to: number): boolean {
  if (to - from <= 1) return true
  const indentOf = (line: number): number => /^[ \t]*/.exec(lines[line - 1]!)![0].length
  for (let line = from + 1; line < to; line++)
    if (lines[line - 1]!.trim() !== '' && indentOf(line) < indentOf(from)) return false
  return true
}

function indentedLine(error: YAMLError, start: number, { text, locate }: SourceText): number | undefined {
  const { line } = locate({ start, end: start })
  if (error.code === 'TAB_AS_INDENT') return line
  if (error.code === 'BAD_INDENT') return error.message.startsWith('Flow') ? undefined : line
  return error.code === 'BLOCK_AS_IMPLICIT_KEY' && !hasTwoColons(text.slice(start, start + 1_000))
    ? line + 1
    : undefined
}

const hasTwoColons = (text: string): boolean => /^[^\n]*:\s/.test(text)

/** A template such as `{{ name }}` on the line, before a position or at it. YAML reads it as an object. */
export function findTemplate(text: string, at: number): (Span & { message: string }) | undefined {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const [, before, template] =
    /^((?:[^"'#\n]*[:,[{-])?\s*)(\{\{[^{}\n]{0,60}\}\})/.exec(text.slice(lineStart, lineStart + 1_000)) ?? []
  if (before === undefined || template === undefined) return undefined
  const start = lineStart + before.length
  if (start > at) return undefined
  return {
    start,
    end: start + template.length,
    message: `Write a value in place of ${template}, or put it in quotes; templates are not filled in.`,
  }
}

function describe(error: YAMLError, text: string): { code: RuleCode; message: string } {
  const syntax = (message: string): { code: RuleCode; message: string } => ({
    code: 'aml/yaml-syntax',
    message,
  })
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return { code: 'aml/yaml-tab', message: 'A tab cannot indent YAML; use spaces.' }
    case 'TAG_RESOLVE_FAILED':
      return { code: 'aml/yaml-tag', message: 'Remove this tag; it has no meaning here.' }
    case 'RESOURCE_EXHAUSTION':
      return { code: 'aml/yaml-too-deep', message: 'Values are nested too deeply.' }
    case 'BAD_ALIAS':
      return { code: 'aml/yaml-alias', message: 'This alias cannot be read; write the value out.' }
    case 'MULTIPLE_DOCS':
      return syntax('Only one document is allowed; remove the line that ends it.')
    case 'MULTILINE_IMPLICIT_KEY':
      return syntax('This line needs a ":" between key and value.')
    case 'BLOCK_AS_IMPLICIT_KEY':
      return syntax(
        hasTwoColons(text)
          ? 'There are two ": " on one line; put the value in quotes.'
          : 'The line below this value is indented too far.',
      )
    case 'BAD_SCALAR_START':
      return syntax(`A value cannot begin with "${text.slice(0, 1)}"; put it in quotes.`)
    case 'BAD_INDENT':
      return syntax(
        error.message.startsWith('Flow')
          ? 'Close the bracket that was opened above.'
          : 'The indentation must fit the lines above.',
      )
    case 'MISSING_CHAR':
      if (error.message.includes('quote')) return syntax('Close this quote.')
      return syntax(
        error.message.startsWith('Implicit map keys')
          ? 'This line needs a ":" between key and value.'
          : `This is not valid YAML: ${error.message}.`,
      )
    default: // some twenty codes, whose own messages are clear
      return syntax(`This is not valid YAML: ${error.message.replace(/\.$/, '')}.`)
  }
}
