import type { Document, YAMLError } from 'yaml'
import { yamlErrorStart, type Yaml } from '../../../platform/config/yaml-error-start.js'
import type { RuleCode } from '../compile/rules.js'
import type { Report } from './report.js'

const MAX_REPORTED = 10

/** Reports the syntax errors of a document; true where there are some. */
export function reportSyntax(
  document: Document.Parsed,
  { yaml, report, base }: { yaml: Yaml; report: Report; base: number },
): boolean {
  const all = [...document.errors, ...document.warnings]
  const tabs = all.filter(({ code }) => code === 'TAB_AS_INDENT')
  // Behind a tab everything looks wrong.
  const problems = tabs.length > 0 ? tabs : all
  const lines = new Set<number>()
  for (const error of problems) {
    const start = base + yamlErrorStart(error, document, yaml)
    const at = { start, end: Math.max(start, base + error.pos[1]) }
    const { line } = report.source.locate(at)
    // One mistake causes a cascade; the first of each line is of use.
    if (lines.has(line)) continue
    lines.add(line)
    const { code, message } = describe(error, report.source.text.slice(at.start, at.start + 1_000))
    report.add(code, at, message)
    if (lines.size === MAX_REPORTED) break
  }
  return problems.length > 0
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
        /^[^\n]*:\s/.test(text)
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
