import type { ErrorLine } from './sample.js'

const KEPT_FIRST = 100
const KEPT_LAST = 30
const FRAMES = 4
// A frame must follow its error within this many lines.
const FRAME_REACH = 6
const SHAPE_CHARS = 120

/** A substring is a view of its chunk, and would keep all of it in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

/** The first and the last error lines, each kind of line once, with the first frames of their traces. */
export function collectErrors(): { see(line: number, text: string): void; end(): ErrorLine[] } {
  const first: ErrorLine[] = []
  const last: ErrorLine[] = []
  const shapes = new Map<string, ErrorLine>()
  let framesLeft = 0
  let lastKept = 0

  const keep = (kept: ErrorLine): void => {
    lastKept = kept.line
    kept.text = ownCopy(kept.text)
    if (first.length < KEPT_FIRST) return void first.push(kept)
    last.push(kept)
    // Trimmed in bulk: one at a time would move all others each time.
    if (last.length > 2 * KEPT_LAST) last.splice(0, last.length - KEPT_LAST)
  }

  return {
    see(line, text) {
      if (framesLeft > 0 && line - lastKept <= FRAME_REACH && isFrame(text) && !tellsOfCause(text)) {
        framesLeft--
        keep({ line, text })
        return
      }
      if (!tellsOfError(text)) return
      framesLeft = 0
      const shape = ownCopy(text.slice(0, SHAPE_CHARS).replace(/\d+/g, '#'))
      const known = shapes.get(shape)
      if (known) {
        known.times = (known.times ?? 1) + 1
        return
      }
      framesLeft = FRAMES
      const kept: ErrorLine = { line, text }
      if (shapes.size < KEPT_FIRST) shapes.set(shape, kept)
      keep(kept)
    },
    end: () => [...first, ...last.slice(-KEPT_LAST)],
  }
}

// Words that failing programs print, but not as a part of a file or package name.
const words =
  /(?<![\w./-])(?:errors?|err!|fatal|panic(?:ked)?|fail(?:ed|s|ure|ures|ing)?|exceptions?|traceback|critical|emerg|abort(?:ed)?|segmentation fault|core dumped|out of memory|oom-?kill(?:er|ed)?|killed|not ok \d+|undefined reference|command not found|no such file|permission denied|access denied|connection refused|timed out)(?![\w/-]|\.\w)|(?:^|: )(?:cannot|could not|unable to)\b|^caused by:/i

// Names of errors, and the signs that test runners print before a failure.
const names = /[A-Za-z](?:Error|Exception)(?![\w-])|^\s*(?:✗|✘|✖|×|❌|E {2,}|E\d{4} )/

const noErrors =
  /\b(?:0|no|without(?: any)?|zero) (?:errors?|failures?|failed|failing|exceptions?)\b|\b(?:errors?|fail(?:ed|ures?)?|exceptions?)\s*[:=]\s*(?:0|none|null|false|\[\])(?![\w.])/gi

// A frame of a stack trace, or a compiler's line that points at the location.
const frame =
  /^\s+(?:at\s|File "|from\s+\S+:\d+|\.\.\. \d+ |-->|\||\d+\s*[:|]|❯|>\s*\d+|\S+\.\w{1,4}:\d+)|^ {4}\S|^\s*\^[~^]*\s*$|^\t\S+\.go:\d+|^goroutine \d+|^[\w./*]+\([^()]*\)$|^\d+ \|/

/** Whether a line reports an error. A count of zero errors does not. */
function tellsOfError(line: string): boolean {
  if (names.test(line)) return true
  if (!words.test(line)) return false
  if (!line.includes('0') && !/\b(?:no|without|zero|none|null|false)\b|\[\]/i.test(line)) return true
  return words.test(line.replace(noErrors, ''))
}

/** Whether a line after an error shows where it happened. */
function isFrame(line: string): boolean {
  return frame.test(line)
}

/** Whether a line names a cause: an indented line of a trace may be one as well. */
function tellsOfCause(line: string): boolean {
  return /(?:error|exception)\b[^/\\]*:|^caused by:/i.test(line)
}
