// Words that a failing program writes, but not as a part of a file's or a package's name.
const words =
  /(?<![\w./-])(?:errors?|err!|fatal|panic(?:ked)?|fail(?:ed|s|ure|ures|ing)?|exceptions?|traceback|critical|emerg|abort(?:ed)?|segmentation fault|core dumped|out of memory|oom-?kill(?:er|ed)?|killed|not ok \d+|undefined reference|command not found|no such file|permission denied|access denied|connection refused|timed out)(?![\w/-]|\.\w)|(?:^|: )(?:cannot|could not|unable to)\b|^caused by:/i

// Names of errors, and the signs that test runners put before what failed.
const names = /[A-Za-z](?:Error|Exception)(?![\w-])|^\s*(?:✗|✘|✖|×|❌|E {2,}|E\d{4} )/

const noErrors =
  /\b(?:0|no|without(?: any)?|zero) (?:errors?|failures?|failed|failing|exceptions?)\b|\b(?:errors?|fail(?:ed|ures?)?|exceptions?)\s*[:=]\s*(?:0|none|null|false|\[\])(?![\w.])/gi

// A frame of a stack trace, or a line of a compiler that points at the place.
const frame =
  /^\s+(?:at\s|File "|from\s+\S+:\d+|\.\.\. \d+ |-->|\||\d+\s*[:|]|❯|>\s*\d+|\S+\.\w{1,4}:\d+)|^ {4}\S|^\s*\^[~^]*\s*$|^\t\S+\.go:\d+|^goroutine \d+|^[\w./*]+\([^()]*\)$|^\d+ \|/

/** Whether a line tells of an error. A count of none does not. */
export function tellsOfError(line: string): boolean {
  if (names.test(line)) return true
  if (!words.test(line)) return false
  if (!line.includes('0') && !/\b(?:no|without|zero|none|null|false)\b|\[\]/i.test(line)) return true
  return words.test(line.replace(noErrors, ''))
}

/** Whether a line after an error shows where it happened. */
export function isFrame(line: string): boolean {
  return frame.test(line)
}

/** Whether a line says why: an indented line of a trace may be one as well. */
export function tellsOfCause(line: string): boolean {
  return /(?:error|exception)\b[^/\\]*:|^caused by:/i.test(line)
}
