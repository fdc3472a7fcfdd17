import { existsSync } from 'node:fs'
import { shortPath } from '../../../../platform/config/describe-problem.js'
import { mcpSection } from '../../../../platform/config/source-sections.js'
import { secretsOfEnvironment } from '../../../../redaction/secrets-of-environment.js'
import { ownCommand, shellWord } from '../../../../platform/text/own-command.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { serverLines } from '../../servers/describe-server.js'
import { changeEntriesFile, entriesFile, isReady, refuseTakenName } from '../../servers/entries-file.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

/** Adds one server to the config. The whole entry is shown before the question. */
export async function run({ arguments: words, options }: Given, terminal: Terminal): Promise<ExitCode> {
  const [name = '', ...target] = words
  const entry = entryOf(checkedName(name), target, options)
  const file = await entriesFile(options)
  refuseTakenName(file, name)
  if (options.json !== true)
    for (const line of serverLines(name, entry, terminal.sayColumns)) terminal.say(line)
  const said = { config: file.path, kind: mcpSection.key, source: name }
  if (options['dryRun'] === true) {
    if (options.json) terminal.printJson({ ...said, written: false }, 2)
    else terminal.explain('Nothing was changed: --dry-run only looks.')
    return 0
  }
  const where = shortPath(file.path)
  const isAdded = await changeEntriesFile(
    file,
    {
      change: { key: mcpSection.key, put: { [name]: entry } },
      question: file.givesTrust
        ? `Add this server to ${where}, and trust it?`
        : `Add this server to ${where}?`,
      isYes: options['yes'] === true,
    },
    terminal,
  )
  if (!isAdded) return 1
  if (options.json) {
    terminal.printJson({ ...said, written: true, trusted: isReady(file) }, 2)
    return 0
  }
  terminal.explain(`The server "${oneLine(name)}" is in ${where} now.`)
  if (holdsSecret(entry))
    terminal.explain(
      `Its entry holds a key as it is; keep ${where} to yourself, or write \${NAME} in its place.`,
    )
  const show = ownCommand(`servers show ${shellWord(name)}`)
  terminal.explain(isReady(file) ? `Next: ${show}` : `Next: ${ownCommand('trust')}, then ${show}`)
  return 0
}

function checkedName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name
  throw usageProblem(
    `The name of a server has up to 64 letters, digits, dots, dashes and underscores, not "${name}".`,
  )
}

interface Entry extends Record<string, unknown> {
  env?: Record<string, string>
  headers?: Record<string, string>
}

const how = (): string =>
  `${ownCommand('add mcp <name> <url>')}, or ${ownCommand('add mcp <name>')} -- <command> [args…]`

function entryOf(name: string, [first, ...rest]: readonly string[], options: GivenOptions): Entry {
  const env = pairsOf(options['env'], /^([^=\s]+)=(.*)$/s, '--env takes NAME=value')
  const headers = pairsOf(options['header'], /^([^:\s]+):\s*(.*)$/s, '--header takes "Name: value"')
  if (first === undefined) throw usageProblem(`Say how the server "${name}" is reached: ${how()}`)
  if (!/^https?:\/\//i.test(first)) {
    if (looksLikeAddress(first) && !existsSync(first))
      throw usageProblem(
        `"${first}" looks like an address, but an address begins with http:// or https://. For a program in a folder, begin with ./`,
      )
    if (headers) throw usageProblem('--header is for an address; a program takes --env.')
    return { command: first, ...(rest.length > 0 && { args: rest }), ...(env && { env }) }
  }
  if (!URL.canParse(first)) throw usageProblem(`"${first}" is no address.`)
  if (rest.length > 0) throw usageProblem(`Nothing follows an address: ${how()}`)
  if (env) throw usageProblem('--env is for a program; an address takes --header.')
  return { url: first, ...(headers && { headers }) }
}

/**
 * A mistake in an address must not start a program of that name: `https//host`, `htps://host`, `localhost:80`,
 * `example.com/mcp`.
 */
function looksLikeAddress(word: string): boolean {
  return (
    /^[a-z][\w+.-]*:?\/\//i.test(word) ||
    /^h?t?tps?[:;,.]/i.test(word) ||
    /^(?:localhost|\d+(?:\.\d+){3}|\[[\da-f:]+\]|[\w-]+(?:\.[\w-]+)+):\d+(?:\/|$)/i.test(word) ||
    /^(?:[\w-]+\.)+[a-z]{2,}\//i.test(word) ||
    /^www\./i.test(word)
  )
}

function pairsOf(given: unknown, pattern: RegExp, how: string): Record<string, string> | undefined {
  const pairs = ((given ?? []) as string[]).map((each) => {
    const found = pattern.exec(each)
    if (!found) throw usageProblem(`${how}, not "${each}".`)
    return [found[1]!, found[2]!] as const
  })
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

function holdsSecret({ env = {}, headers = {} }: Entry): boolean {
  const plain = (values: Record<string, string>): [string, string][] =>
    Object.entries(values).filter(([, value]) => !value.includes('${'))
  return plain(headers).length > 0 || secretsOfEnvironment(Object.fromEntries(plain(env))).length > 0
}
