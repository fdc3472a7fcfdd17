/** What a script of sed does besides printing. */
export interface SedActs {
  readonly reads: string[]
  readonly writes: string[]
  readonly commands: string[]
  /** Lines of the text are run as commands. */
  runsText: boolean
}

const MAX_CHARS = 4096

/** Reads the commands of a script, as far as they can be separated. */
export function readSed(script: string): SedActs {
  const acts: SedActs = { reads: [], writes: [], commands: [], runsText: false }
  // A script of this length is not analyzed.
  if (script.length > MAX_CHARS) acts.runsText = true
  let at = script.length > MAX_CHARS ? script.length : 0
  while (at < script.length) at = readOne(script, skipAddress(script, at), acts)
  return acts
}

/** Numbers, `$`, `/pattern/` and what joins them; spaces and separators on the way. */
function skipAddress(script: string, start: number): number {
  let at = start
  while (at < script.length) {
    const char = script[at]!
    if (char === '/') at = endOfPart(script, at + 1, '/') + 1
    else if (char === '\\') at = endOfPart(script, at + 2, script[at + 1] ?? '') + 1
    else if (/[\s;{}\d$,!~+]/.test(char)) at++
    // `I` and `M` belong to the pattern before them.
    else if (/[IM]/.test(char) && at > start && script[at - 1] === '/') at++
    else break
  }
  return at
}

function readOne(script: string, at: number, acts: SedActs): number {
  const letter = script[at]
  if (letter === 's') return readSubstitution(script, at + 1, acts)
  if (letter === 'y') {
    const sign = script[at + 1] ?? ''
    return endOfPart(script, endOfPart(script, at + 2, sign) + 1, sign) + 1
  }
  if (letter === undefined || !/[rRwWeaicbtT:#v]/.test(letter)) return at + 1
  const line = endOfLine(script, at)
  const rest = script.slice(at + 1, line).trim()
  if (letter === 'r' || letter === 'R') acts.reads.push(rest)
  else if (letter === 'w' || letter === 'W') acts.writes.push(rest)
  else if (letter === 'e' && rest === '') acts.runsText = true
  else if (letter === 'e') acts.commands.push(rest)
  // A label ends at a semicolon; everything else takes the line.
  return /[btT:]/.test(letter) ? Math.min(line, indexOr(script, ';', at)) : line
}

/** `s/a/b/w file`, `s/a/b/e` */
function readSubstitution(script: string, at: number, acts: SedActs): number {
  const sign = script[at] ?? ''
  const middle = endOfPart(script, at + 1, sign)
  let end = endOfPart(script, middle + 1, sign) + 1
  for (; /[gpiImMe\d]/.test(script[end] ?? ''); end++) if (script[end] === 'e') acts.runsText = true
  if (script[end] !== 'w') return end
  const line = endOfLine(script, end)
  acts.writes.push(script.slice(end + 1, line).trim())
  return line
}

/** The position of the next sign outside of escapes and brackets. */
function endOfPart(script: string, start: number, sign: string): number {
  let isInClass = false
  for (let at = start; at < script.length; at++) {
    const char = script[at]
    if (char === '\\') at++
    else if (char === '[') isInClass = true
    else if (char === ']') isInClass = false
    else if (char === sign && !isInClass) return at
  }
  // A bracket that is never closed hides nothing.
  return isInClass ? indexOr(script, sign, start) : script.length
}

function endOfLine(script: string, from: number): number {
  return indexOr(script, '\n', from)
}

function indexOr(script: string, sign: string, from: number): number {
  const found = script.indexOf(sign, from)
  return found === -1 ? script.length : found
}
