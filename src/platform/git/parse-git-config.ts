/** One line of a configuration: `[section "subsection"] name = value`. */
export interface GitSetting {
  /** In lower case, as is `name`. A subsection keeps its case. */
  readonly section: string
  readonly subsection: string | undefined
  readonly name: string
  /** Absent for a name without a value, which git reads as true. */
  readonly value: string | undefined
}

export type ParsedGitConfig =
  | { readonly ok: true; readonly settings: readonly GitSetting[] }
  | { readonly ok: false; readonly line: number }

interface Scan {
  readonly text: string
  at: number
}

// Characters that no configuration needs, and that C and JavaScript programs may treat differently.
const ODD = /(?![\t\n\r])\p{Cc}|[\u2028\u2029]|\r(?!\n)/u

/**
 * Parses a configuration by git's own grammar, character by character. It is stricter than git: it rejects what git
 * would read leniently, or differently in other versions.
 */
export function parseGitConfig(text: string): ParsedGitConfig {
  const odd = ODD.exec(text)
  if (odd !== null) return { ok: false, line: lineAt(text, odd.index) }
  const scan: Scan = { text: text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'), at: 0 }
  const settings: GitSetting[] = []
  let header: Header | undefined
  for (;;) {
    skipBlank(scan)
    const character = scan.text[scan.at]
    if (character === undefined) return { ok: true, settings }
    if (character === '[') {
      header = takeHeader(scan)
      if (header === undefined) return { ok: false, line: lineAt(scan.text, scan.at) }
      continue
    }
    const setting = header && takeSetting(scan, header)
    if (setting === undefined) return { ok: false, line: lineAt(scan.text, scan.at) }
    settings.push(setting)
  }
}

type Header = Pick<GitSetting, 'section' | 'subsection'>

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** White space, empty lines and comments. */
function skipBlank(scan: Scan): void {
  takeMatch(scan, /(?:[ \t\n]|[#;][^\n]*)*/y)
}

function takeMatch(scan: Scan, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = scan.at
  const found = pattern.exec(scan.text)
  if (found === null) return undefined
  scan.at += found[0].length
  return found
}

function takeHeader(scan: Scan): Header | undefined {
  const quoted = takeMatch(scan, /\[([A-Za-z0-9.-]+)[ \t]+"((?:[^"\\\n]|\\[^\n])*)"\]/y)
  if (quoted !== undefined)
    return { section: quoted[1]!.toLowerCase(), subsection: quoted[2]!.replace(/\\(.)/g, '$1') }
  const plain = takeMatch(scan, /\[([A-Za-z0-9.-]+)\]/y)
  if (plain === undefined) return undefined
  // The old spelling of a subsection, which is all in lower case.
  const name = plain[1]!.toLowerCase()
  const dot = name.indexOf('.')
  if (dot === -1) return { section: name, subsection: undefined }
  return { section: name.slice(0, dot), subsection: name.slice(dot + 1) }
}

function takeSetting(scan: Scan, header: Header): GitSetting | undefined {
  // A dot before the subsection would change the section's name.
  if (header.section.includes('.')) return undefined
  const found = takeMatch(scan, /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=|(?=\n)|$)/y)
  if (found === undefined) return undefined
  const name = found[1]!.toLowerCase()
  if (found[2] === '') return { ...header, name, value: undefined }
  const value = takeValue(scan)
  return value === undefined ? undefined : { ...header, name, value }
}

const ESCAPES: Readonly<Record<string, string>> = {
  t: '\t',
  b: '\b',
  n: '\n',
  '\\': '\\',
  '"': '"',
  '\n': '',
}

/** The value up to the end of its line, which a backslash continues on the next. */
function takeValue(scan: Scan): string | undefined {
  let value = ''
  let blanks = ''
  let isQuoted = false
  for (; ; scan.at++) {
    const character = scan.text[scan.at]
    if (character === undefined || character === '\n') return isQuoted ? undefined : value
    if (!isQuoted && (character === '#' || character === ';')) {
      takeMatch(scan, /[^\n]*/y)
      return value
    }
    if (!isQuoted && (character === ' ' || character === '\t')) {
      if (value !== '') blanks += character
      continue
    }
    // Some versions turn it into a space, where something follows.
    if (blanks.includes('\t')) return undefined
    value += blanks
    blanks = ''
    if (character === '"') {
      isQuoted = !isQuoted
    } else if (character !== '\\') {
      value += character
    } else {
      scan.at += 1
      const next = scan.text[scan.at]
      const meant = next === undefined ? undefined : ESCAPES[next]
      if (meant === undefined) return undefined
      value += meant
    }
  }
}
