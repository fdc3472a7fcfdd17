const WRITTEN = /(?:\d|&)?>{1,2}\|?\s*(?:"[^"]*"|'[^']*'|[^\s;|&()<>"']+)/g

/**
 * Everything in a shell line that may be a word, however it is quoted and whichever command it belongs to. Some are no
 * words; they match no file.
 */
export function shellWords(line: string, variables: Readonly<Record<string, string>> = {}): string[] {
  const text = withVariables(withoutWritten(line), variables)
  const quoted = [...text.matchAll(/"([^"]*)"|'([^']*)'/g)].map(
    ([, double, single]) => double ?? single ?? '',
  )
  const escaped = text.replaceAll(/\\(.)/g, (_, letter: string) => (/\s/.test(letter) ? '\0' : letter))
  const plain = [text, escaped, text.replaceAll(/["']/g, '')].flatMap((each) =>
    each.split(/[\s;|&()<>"'`,{}]+/).flatMap((word) => [word, ...word.split(/[=:@]/)]),
  )
  return [...new Set([...quoted, ...plain].map((word) => word.replaceAll('\0', ' ')))].filter(
    (word) => word !== '',
  )
}

/** The target of a redirect is no program, unless its name says otherwise. */
export function withoutWritten(line: string): string {
  return line
    .replaceAll('\\\n', '')
    .replaceAll(WRITTEN, (written) => (/\.(?:[cm]?[jt]s|sh|py|rb|pl)["']?$/.test(written) ? written : ' '))
}

export function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{?(\w+)\}?/g, (whole, name: string) => variables[name] ?? whole)
}
