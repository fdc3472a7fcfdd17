import { readStrayLine } from '../wire/stray-line.js'

const MAX_CHARS = 300

/** Output of a program that explains why it does not answer, as sentences that follow the reason. */
export function describeOutput(lines: readonly string[], isOver: boolean): string | undefined {
  const strays = lines.map(readStrayLine).filter((text) => text !== undefined)
  const last = isOver ? tellingLine(lines.filter((line) => readStrayLine(line) === undefined)) : undefined
  const sentences = [
    ...(strays[0] === undefined ? [] : [describeStrayOutput(strays[0])]),
    ...(last === undefined ? [] : [`Its last line of standard error: ${last.slice(0, MAX_CHARS)}`]),
  ]
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

/** Many programs print logs to standard output, which is reserved for messages. */
export function describeStrayOutput(text: string): string {
  return `It writes text to its standard output that is no MCP message (${JSON.stringify(text.slice(0, MAX_CHARS))}); a server must write logs to standard error.`
}

/** What runtimes print below an error: the stack, its fields, their own version. */
const BELOW_AN_ERROR = /^\s|^\s*$|^[}\])]|^Node\.js v\d|^npm (?:error|ERR!) A complete log/

/** The last informative line: after a crash, the error itself. */
function tellingLine(lines: readonly string[]): string | undefined {
  const line =
    lines.findLast((each) => !BELOW_AN_ERROR.test(each)) ?? lines.findLast((each) => each.trim() !== '')
  return line?.trim()
}
