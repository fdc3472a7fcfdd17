import { isObject } from '../../../platform/json/is-object.js'
import { secretsOfEnvironment } from '../../../redaction/secrets-of-environment.js'
import { oneLine, printableJson } from '../../../platform/text/printable.js'
import { wrapText } from '../terminal/fit-text.js'

/** Variables that decide which code a program runs; their values are always shown. */
const DECIDES_WHAT_RUNS =
  /^(?:PATH|PATHEXT|HOME|SHELL|ENV|BASH_ENV|NODE_\w+|LD_\w+|DYLD_\w+|PYTHON\w+|RUBY(?:OPT|LIB)|PERL5\w+|PHP\w+|LUA_\w+|JAVA_TOOL_OPTIONS|_?JAVA_OPTIONS|JDK_JAVA_OPTIONS|DOTNET_\w+|GCONV_PATH|ELECTRON_\w+|GIT_\w+|SSH_\w+|NPM_CONFIG_\w+|UV_\w+|PIP_\w+|DOCKER_\w+|XDG_\w+|\w*_PROXY)$/i

/** Everything that would run or be contacted, in full: a person must be able to read what they trust. */
export function describeServer(entry: Readonly<Record<string, unknown>>): string[] {
  const { command, args, url, cwd, env, inheritEnv, headers } = entry
  const words = [command, ...(Array.isArray(args) ? (args as unknown[]) : [])]
  return [
    typeof url === 'string' ? `at ${addressOf(url)}` : `starts ${words.map(asWord).join(' ')}`,
    ...(cwd === undefined ? [] : [`in ${asWord(cwd)}`]),
    ...variablesOf(env),
    ...(Array.isArray(inheritEnv) ? [`with your variables ${inheritEnv.map(asWord).join(', ')}`] : []),
    ...(isObject(headers) ? [`with the headers ${Object.keys(headers).map(asWord).join(', ')}`] : []),
  ]
}

/** The name and the description of a server, wrapped to the columns; nothing is truncated. */
export function serverLines(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  columns: number,
): string[] {
  const [first = '', ...rest] = describeServer(entry)
  const broken = (text: string, start: string): string[] =>
    wrapText(text, columns - start.length).map((line) => `${start}${line}`)
  return [
    ...broken(`${oneLine(name)}  ${first}`, '  ').map((line, at) => (at === 0 ? line : `  ${line}`)),
    ...rest.flatMap((line) => broken(line, '    ')),
  ]
}

function variablesOf(env: unknown): string[] {
  if (!isObject(env) || Object.keys(env).length === 0) return []
  const shown = Object.entries(env).map(([name, value]) => {
    const isSecret = secretsOfEnvironment({ [name]: String(value) }).length > 0
    return isSecret && !DECIDES_WHAT_RUNS.test(name) ? asWord(name) : `${asWord(name)}=${asWord(value)}`
  })
  return [`with ${shown.join(' ')}`]
}

/** Without the query, which may be secret: people copy addresses with keys in them. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return asWord(url.replace(/\?.*$/s, '?…'))
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}

/** A word that contains spaces or special characters is quoted, and nothing is hidden. */
function asWord(word: unknown): string {
  return typeof word === 'string' && /^[\w@%+=:,./~${}\\-]+$/.test(word) ? word : printableJson(word)
}
