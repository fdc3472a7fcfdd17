import { valueOf, type Arg } from './arg.js'
import { isEvaluatedVariable } from './evaluated-variables.js'
import type { Trace } from './trace.js'

const HARMLESS = new Set(
  (
    'CI DEBUG LANG LANGUAGE TZ TERM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR COLORTERM NODE_ENV RAILS_ENV ' +
    'APP_ENV GO111MODULE RUST_LOG RUST_BACKTRACE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE DEBIAN_FRONTEND ' +
    'FORCE VERBOSE LOG_LEVEL GIT_TERMINAL_PROMPT'
  ).split(' '),
)

/** Programs read it, but it does not change what they do. */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS.has(name) || name.startsWith('LC_')
}

/** It may decide which programs run, and how: every name that is not harmless and not the script's own in lower case. */
export function changesPrograms(name: string): boolean {
  return !isHarmlessVariable(name) && !/^(?:[a-z_][a-z0-9_]*|[A-Z])$/.test(name)
}

// A shell runs their value.
const COMMANDS = new Set(
  (
    'PAGER MANPAGER GIT_PAGER GH_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_EXTERNAL_DIFF ' +
    'GIT_SSH_COMMAND GIT_SSH GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS GIT_PROXY_COMMAND LESSOPEN LESSCLOSE BROWSER ' +
    'PROMPT_COMMAND FZF_DEFAULT_COMMAND RSYNC_RSH CVS_RSH MAKEFLAGS SHELL CC CXX'
  ).split(' '),
)
// A file that is loaded as code.
const CODE_FILES = new Set('BASH_ENV ENV LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES PYTHONSTARTUP'.split(' '))

/** Its value is run sooner or later. */
export function isCommandVariable(name: string): boolean {
  return COMMANDS.has(name) || CODE_FILES.has(name) || isEvaluatedVariable(name)
}

interface VariableTarget {
  readonly trace: Trace
  /** Index of the command that gets it. */
  readonly by: number | undefined
}

export function noteVariable(name: string, value: Arg, { trace, by }: VariableTarget): void {
  trace.incomplete('Variables that are set for it may change what it does.')
  const text = valueOf(value)
  if (isEvaluatedVariable(name)) trace.hide('It sets a variable whose value the shell runs.')
  if (COMMANDS.has(name)) trace.engine.runText(text, by, trace)
  else if (CODE_FILES.has(name)) trace.script(value)
  else if (text.includes('/') && !text.includes(':')) trace.read(value)
}
