import { matchesOf } from '../matches-of.js'
import { escapeWildcards, literalArg } from './arg.js'
import { scanText } from './scan-text.js'
import type { Trace } from './trace.js'

const MAX_STRINGS = 64

// Calls with which programs in the usual languages delete or overwrite something.
const DELETES =
  /\b(?:unlink|unlinkSync|rmtree|rmdir|rmdirSync|rmSync|removedirs|remove_dir|remove_file|rm_rf|rm_r|rmi?|delete|drop|truncate|kill|terminate|destroy|FileUtils\.rm\w*)\b|\bos\.remove\b|\.remove\s*\(|\bfs\.(?:rm|promises\.rm)\b/i
const WRITES =
  /\b(?:writeFile\w*|write_text|write_bytes|file_put_contents|createWriteStream|copyFile\w*|rename\w*)\b|open\s*\([^)]*['"][waxr]\+?b?\+?['"]|>\s*['"]|\.write\s*\(/
const NETWORK =
  /\b(?:fetch|requests|urllib|urlopen|http|https|httplib|socket|net|aiohttp|axios|Net::HTTP|LWP|curl|websocket)\b/i
const STARTS =
  /\b(?:system|popen|exec\w*|spawn\w*|subprocess|Popen|check_output|check_call|call|run|shell_exec|passthru|do shell script|Open3)\b|`|%x/

const PATHS = /(?<![\w/)\]])~?\/[\w.][\w./-]*/g
const STRINGS = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g

/** A program text in a language that is not parsed: its possible effects by its words and strings. */
export function scanCode(code: string, { by, trace }: { by: number; trace: Trace }): void {
  const strings = stringsIn(code)
  if (NETWORK.test(code)) trace.openWorld('Its code seems to use the network.')
  if (DELETES.test(code)) trace.destructive('Its code seems to delete something.')
  const mayWrite = WRITES.test(code) || DELETES.test(code)
  for (const { text } of strings) {
    if (text.includes('://')) trace.host(text)
    if (text === '' || /[\s()]/.test(text)) continue
    trace.read(literalArg(text))
    if (mayWrite && /[./~]/.test(text)) trace.write(escapeWildcards(text))
    if (DELETES.test(code) && /[./~]/.test(text)) trace.remove(escapeWildcards(text))
  }
  for (const [path] of matchesOf(PATHS, code)) trace.read(path)
  if (STARTS.test(code)) runStrings(strings, { by, trace })
}

interface Quoted {
  readonly text: string
  /** The characters between it and the previous string. */
  readonly gap: string
}

function stringsIn(code: string): Quoted[] {
  const found: Quoted[] = []
  let end = 0
  for (const match of matchesOf(STRINGS, code)) {
    if (found.length >= MAX_STRINGS) break
    found.push({
      text: (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(/\\(.)/g, '$1'),
      gap: code.slice(end, match.index),
    })
    end = match.index + match[0].length
  }
  return found
}

/** Strings with spaces may be scripts; `'rm', '-rf', 'x'` in a row may be a command. */
function runStrings(strings: readonly Quoted[], { by, trace }: { by: number; trace: Trace }): void {
  let row: string[] = []
  const endRow = (): void => {
    if (row.length > 1) trace.engine.run(row.map(literalArg), { from: 0, by }, trace)
    else if (row.length === 1 && /^[\w./-]+(?:\s|$)/.test(row[0]!)) runScript(row[0]!, { by, trace })
    row = []
  }
  for (const { text, gap } of strings) {
    if (!/^\s*,\s*\[?\s*$/.test(gap)) endRow()
    row.push(text)
  }
  endRow()
}

function runScript(text: string, { by, trace }: { by: number; trace: Trace }): void {
  if (/\s/.test(text)) trace.engine.runText(text, by, trace)
  else scanText(text, trace)
}
