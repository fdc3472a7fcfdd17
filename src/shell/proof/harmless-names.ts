// Names in lower case that shells or libraries do read.
const meaningful = new Set(
  'path fpath cdpath manpath mailpath histchars prompt argv aliases functions commands options'.split(' '),
)

/**
 * Whether a variable may be set without changing what any command does. Programs read variables in upper case, or with
 * an underscore (`http_proxy`, `npm_config_registry`); a short name in lower case is the script's own.
 */
export function isOwnVariable(name: string): boolean {
  return /^(?:[a-z][a-z0-9]{0,19}|[A-Z])$/.test(name) && !meaningful.has(name)
}

const isPlain = (value: string) => /^[\w.,:@+-]*$/.test(value)
// In another encoding a byte of a character may be a backslash or a quote to the shell.
const isLocale = (value: string) => /^(?:|C|POSIX|[\w@]+\.utf-?8)$/i.test(value)
const isZone = (value: string) => /^[A-Za-z][\w+/-]*$/.test(value)
const isNoPager = (value: string) => value === '' || value === 'cat'

const environment = new Map<string, (value: string) => boolean>([
  ['LANG', isLocale],
  ['LANGUAGE', isPlain],
  ['TZ', isZone],
  ['NO_COLOR', isPlain],
  ['FORCE_COLOR', isPlain],
  ['CLICOLOR', isPlain],
  ['CLICOLOR_FORCE', isPlain],
  ['TERM', isPlain],
  ['COLUMNS', isPlain],
  ['LINES', isPlain],
  ['CI', isPlain],
  ['GIT_OPTIONAL_LOCKS', isPlain],
  ['GIT_TERMINAL_PROMPT', isPlain],
  ['HOMEBREW_NO_AUTO_UPDATE', isPlain],
  ['AWS_REGION', isPlain],
  ['AWS_DEFAULT_REGION', isPlain],
  ['AWS_DEFAULT_OUTPUT', isPlain],
  ['PAGER', isNoPager],
  ['GIT_PAGER', isNoPager],
  ['GH_PAGER', isNoPager],
  ['AWS_PAGER', isNoPager],
  ['SYSTEMD_PAGER', isNoPager],
])

/** Whether a command may get this in its environment: one of the few names whose every meaning is known. */
export function isHarmlessEnvironment(name: string, value: string): boolean {
  if (isOwnVariable(name)) return true
  if (/^LC_[A-Z]+$/.test(name)) return isLocale(value)
  return environment.get(name)?.(value) ?? false
}
