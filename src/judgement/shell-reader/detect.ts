import type { Detection } from './detection/detection.js'
import { scanText } from './detection/scan-text.js'
import { Trace } from './detection/trace.js'
import { engine, walkIdle, walkStatements } from './detection/walk.js'
import { parseCommand, type ParsedCommand } from './parse-command.js'
import type { ShellPlace } from './shell-reading.js'

/** Lists what a command touches and sees through wrappers. It only ever tightens. */
export function detect(parsed: ParsedCommand, place: ShellPlace): Detection {
  const trace = new Trace(place, engine, parsed.text, parsed.ok)
  if (parsed.ok) {
    walkStatements(parsed.script.commands, trace)
    walkIdle(trace)
  } else detectAnyway(parsed.text, parsed.problem, trace)
  return trace
}

/** A text that was not parsed: the worst is assumed, and whatever can be recognised is listed. */
function detectAnyway(text: string, problem: string, trace: Trace): void {
  trace.strict(problem)
  const joined = text.includes('\\\n') ? parseCommand(text.replaceAll('\\\n', '')) : undefined
  if (!joined?.ok) return scanText(text, trace)
  trace.depth++
  walkStatements(joined.script.commands, trace)
  walkIdle(trace)
}
