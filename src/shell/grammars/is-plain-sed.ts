const simple = '=dDgGhHnNpPxzF'
// Other characters may have a special meaning in the text that they delimit.
const delimiters = '/|,#:@!%_+~;='

interface SedScan {
  readonly script: string
  at: number
}

/**
 * Whether a sed script can only edit what it prints. It follows GNU sed's grammar command by command and stops at the
 * first that reads, writes or runs something else (`r`, `w`, `e`, and the `w` and `e` flags of `s`), or that other
 * versions of sed would parse differently.
 */
export function isPlainSed(script: string): boolean {
  const scan: SedScan = { script, at: 0 }
  for (;;) {
    skip(scan, ' \t\n;{}')
    if (scan.at >= script.length) return true
    if (!takeAddresses(scan) || !takeCommand(scan)) return false
  }
}

function skip(scan: SedScan, characters: string): void {
  while (scan.at < scan.script.length && characters.includes(scan.script[scan.at]!)) scan.at += 1
}

function takeAddresses(scan: SedScan): boolean {
  if (!takeAddress(scan)) return false
  skip(scan, ' \t')
  if (scan.script[scan.at] === ',') {
    scan.at += 1
    skip(scan, ' \t+~')
    if (!takeAddress(scan)) return false
  }
  skip(scan, ' \t!')
  return true
}

/** One address, or none. */
function takeAddress(scan: SedScan): boolean {
  const character = scan.script[scan.at]
  if (character === '$') {
    scan.at += 1
    return true
  }
  if (character === '/' || character === '\\') {
    if (character === '\\') scan.at += 1
    if (takePart(scan, scan.script[scan.at]) === undefined) return false
    skip(scan, 'IM')
    return true
  }
  skip(scan, '0123456789~')
  return true
}

/**
 * Reads the text between a delimiter and its next one, and stops there. Undefined if it does not end, spans lines, or
 * leaves a bracket open: some versions of sed would continue to its end.
 */
function takePart(scan: SedScan, delimiter: string | undefined): string | undefined {
  if (delimiter === undefined || !delimiters.includes(delimiter)) return undefined
  const start = scan.at + 1
  for (let at = start; at < scan.script.length; at++) {
    const character = scan.script[at]
    if (character === '\n') return undefined
    if (character === '\\') at += 1
    else if (character === delimiter) {
      const part = scan.script.slice(start, at)
      scan.at = at + 1
      return hasOpenBracket(part) ? undefined : part
    }
  }
  return undefined
}

function hasOpenBracket(pattern: string): boolean {
  let isOpen = false
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    if (isOpen) isOpen = character !== ']'
    else if (character === '\\') at += 1
    else if (character === '[') {
      isOpen = true
      if (pattern[at + 1] === '^') at += 1
      if (pattern[at + 1] === ']') at += 1
    }
  }
  return isOpen
}

function takeCommand(scan: SedScan): boolean {
  const command = scan.script[scan.at]
  if (command === undefined) return false
  if (command === '{' || command === '}') return true
  scan.at += 1
  if (simple.includes(command)) return isAtEnd(scan)
  switch (command) {
    case '#':
      return takeLine(scan) !== undefined
    case 's':
      return takeSubstitution(scan, 'gpiImM0123456789')
    case 'y':
      return takeSubstitution(scan, '')
    case 'l':
    case 'q':
    case 'Q':
      skip(scan, ' \t')
      skip(scan, '0123456789')
      return isAtEnd(scan)
    case ':':
    case 'b':
    case 't':
    case 'T':
      skip(scan, ' \t')
      skip(scan, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_')
      return isAtEnd(scan)
    case 'a':
    case 'i':
    case 'c':
      // A backslash at the end of the line continues the text into what looks like commands.
      return takeLine(scan)?.endsWith('\\') === false
    default:
      return false
  }
}

function takeLine(scan: SedScan): string | undefined {
  const end = scan.script.indexOf('\n', scan.at)
  const line = end === -1 ? scan.script.slice(scan.at) : scan.script.slice(scan.at, end)
  scan.at += line.length
  return line
}

function takeSubstitution(scan: SedScan, flags: string): boolean {
  const delimiter = scan.script[scan.at]
  if (takePart(scan, delimiter) === undefined) return false
  scan.at -= 1
  if (takePart(scan, delimiter) === undefined) return false
  skip(scan, flags)
  return isAtEnd(scan)
}

function isAtEnd(scan: SedScan): boolean {
  skip(scan, ' \t')
  const next = scan.script[scan.at]
  return next === undefined || ';\n}#'.includes(next)
}
