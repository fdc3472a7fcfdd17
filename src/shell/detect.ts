import type { Detection } from './detection/detection.js'
import { scanText } from './detection/scan-text.js'
import { Trace } from './detection/trace.js'
import { engine, walkIdle, walkText } from './detection/walk.js'
import { parseCommand, type ParsedCommand, type ParsedText } from './parse/parse-command.js'
import type { ShellContext } from './shell-reading.js'

/** Lists what a command touches, also inside wrappers. It only tightens. */
export function detect(parsed: ParsedCommand, context: ShellContext): Detection {
  const trace = new Trace(parsed, context, engine)
  try {
    if (parsed.ok) walkAll(parsed, trace)
    else detectAnyway(parsed.text, parsed.problem, trace)
  } catch {
    // Too deep for the stack, or a bug in here: it must not loosen anything.
    trace.hide('It cannot be followed.')
    scanText(parsed.text, trace)
  }
  return trace
}

function walkAll(parsed: ParsedText, trace: Trace): void {
  walkText(parsed, trace)
  walkIdle(trace)
}

/** A text that was not parsed: the worst is assumed, and everything recognizable is listed. */
function detectAnyway(text: string, problem: string, trace: Trace): void {
  trace.hide(problem)
  const joined = text.includes('\\\n') ? parseCommand(text.replaceAll('\\\n', '')) : undefined
  if (!joined?.ok) return scanText(text, trace)
  trace.depth++
  walkAll(joined, trace)
}
