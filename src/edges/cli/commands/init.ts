import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { shortPath } from '../../../foundation/config/describe-problem.js'
import { sameJson } from '../../../foundation/json/same-json.js'
import { secretsOfEnvironment } from '../../../foundation/redaction/secrets-of-environment.js'
import { addServers } from '../../../runtime/add-servers.js'
import type { CribSettings } from '../../../runtime/load-tools.js'
import { isOwnConfig } from '../../../runtime/trust/own-config.js'
import { isRuleText } from '../../../runtime/rule-files.js'
import { askPerson } from '../ask-person.js'
import { ENTRY } from '../clients/client-snippet.js'
import { findClientServers, type FoundServers } from '../clients/find-client-servers.js'
import type { ExitCode, Given } from '../command.js'
import { serverLines } from '../describe-server.js'
import { loadSettingsOrStop } from '../load-or-stop.js'
import { oneLine } from '../../../foundation/text/printable.js'
import type { Terminal } from '../terminal.js'
import { usageProblem } from '../usage-problem.js'

interface Offer {
  name: string
  entry: Record<string, unknown>
  from: string
  /** Why it is not taken over. */
  leftOut?: string
}

/** Takes over the servers that other clients know already; what stands in the config stays. */
export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadSettingsOrStop(options)
  const target = settings.configPath ?? join(process.cwd(), 'toolcrib.yaml')
  if (!isRuleText(target))
    throw usageProblem(
      `${shortPath(target)} is a program; write the servers into it yourself, under "mcpServers".`,
    )
  const found = findClientServers(process.cwd(), {
    home: homedir(),
    platform: process.platform,
    env: process.env,
  })
  const offers = offersOf(found, settings)
  // What a person adds to a file is trusted with it where it is new, or was trusted as it is.
  const givesTrust = !existsSync(target) || settings.trust.isTrusted
  const wanted = offers.filter(({ leftOut }) => leftOut === undefined)
  const isTaken =
    wanted.length > 0 &&
    (await isAgreed(
      { found, offers, target, isYes: options['yes'] === true, givesTrust },
      options.json === true,
      terminal,
    ))
  const isPerson = isTaken && terminal.isInteractive && options['yes'] !== true
  if (isTaken) await take(target, wanted, isPerson)
  if (options.json) {
    terminal.printJson(
      {
        config: target,
        found: found.map(({ servers, ...file }) => ({ ...file, servers: Object.keys(servers) })),
        servers: offers.map(({ name, from, leftOut }) => ({
          name,
          from,
          taken: isTaken && leftOut === undefined,
          ...(leftOut !== undefined && { left_out: leftOut }),
        })),
      },
      2,
    )
    return 0
  }
  const isReady = givesTrust && (isPerson || isOwnConfig(target))
  sayWhatNext({ target, offers, wanted, isTaken, isReady }, terminal)
  return 0
}

function offersOf(found: readonly FoundServers[], { config }: CribSettings): Offer[] {
  const known = new Map<string, object>(Object.entries(config.mcpServers ?? {}))
  const offers: Offer[] = []
  for (const { file, servers } of found) {
    for (const [name, entry] of Object.entries(servers)) {
      const before = known.get(name)
      const leftOut = isOurselves(name, entry)
        ? 'that is this program itself'
        : before === undefined
          ? undefined
          : sameJson(before, entry)
            ? 'it is there already'
            : `another "${name}" is there already`
      if (leftOut === undefined) known.set(name, entry)
      offers.push({ name, entry, from: file, ...(leftOut !== undefined && { leftOut }) })
    }
  }
  return offers
}

/** A client that was told of us before: we would call ourselves. */
function isOurselves(name: string, { command, args }: Record<string, unknown>): boolean {
  if (name === ENTRY) return true
  const words = [command, ...(Array.isArray(args) ? (args as unknown[]) : [])].filter(
    (word) => typeof word === 'string',
  )
  return words.some((word) => /(?:^|[\\/])toolcrib(?:\.js)?$/.test(word)) && words.includes('serve')
}

async function isAgreed(
  {
    found,
    offers,
    target,
    isYes,
    givesTrust,
  }: {
    found: readonly FoundServers[]
    offers: readonly Offer[]
    target: string
    isYes: boolean
    givesTrust: boolean
  },
  isQuiet: boolean,
  terminal: Terminal,
): Promise<boolean> {
  if (!isQuiet) for (const each of found) sayFound(each, offers, terminal)
  if (isYes) return true
  if (!terminal.isInteractive || isQuiet) return false
  const count = offers.filter(({ leftOut }) => leftOut === undefined).length
  const them = count === 1 ? 'this server' : `these ${count} servers`
  const file = shortPath(target)
  terminal.explain(
    givesTrust
      ? `A yes trusts them: they are started as they stand above, until ${file} changes.`
      : `${file} is not trusted as it is, so that nothing of it is started before: toolcrib trust`,
  )
  const question = givesTrust
    ? `Take ${them} over into ${file}, and trust? [y/N] `
    : `Take ${them} over into ${file}? [y/N] `
  return /^\s*y(es)?\s*$/i.test((await askPerson(question, { terminal })) ?? '')
}

function sayFound(
  { file, title, problem }: FoundServers,
  offers: readonly Offer[],
  terminal: Terminal,
): void {
  terminal.say(terminal.sayStyle.bold(`${shortPath(file)} (${title})`))
  if (problem !== undefined) terminal.say(`  ${problem}`)
  for (const { name, entry, leftOut } of offers.filter(({ from }) => from === file)) {
    const lines =
      leftOut === undefined
        ? serverLines(name, entry, terminal.sayColumns)
        : [`  ${oneLine(name)}  (${oneLine(leftOut)})`]
    for (const line of lines) terminal.say(line)
  }
}

async function take(target: string, wanted: readonly Offer[], isPerson: boolean): Promise<void> {
  try {
    await addServers(target, Object.fromEntries(wanted.map(({ name, entry }) => [name, entry])), { isPerson })
  } catch (error) {
    throw usageProblem(error instanceof Error ? error.message : String(error))
  }
}

function sayWhatNext(
  {
    target,
    offers,
    wanted,
    isTaken,
    isReady,
  }: {
    target: string
    offers: readonly Offer[]
    wanted: readonly Offer[]
    isTaken: boolean
    isReady: boolean
  },
  terminal: Terminal,
): void {
  const file = shortPath(target)
  if (offers.length === 0) {
    terminal.explain(
      `No client here knows MCP servers yet. Write them into ${file}, under "mcpServers", as any client does; then: toolcrib serve`,
    )
    return
  }
  if (wanted.length === 0) return terminal.explain('There is nothing new to take over. Next: toolcrib serve')
  if (!isTaken) return terminal.explain('Nothing was changed; "toolcrib init --yes" takes all of them over.')
  terminal.explain(
    `${wanted.length === 1 ? 'One server is' : `${wanted.length} servers are`} in ${file} now.`,
  )
  const secret = wanted.filter(holdsSecret).map(({ name }) => oneLine(name))
  if (secret.length > 0)
    terminal.explain(
      `The entries of ${secret.join(', ')} hold keys; keep ${file} to yourself, or write \${NAME} in their place.`,
    )
  terminal.explain(isReady ? 'Next: toolcrib serve' : 'Next: toolcrib trust, then toolcrib serve')
}

function holdsSecret({ entry: { env, headers } }: Offer): boolean {
  const isPlain = (value: unknown): boolean => typeof value === 'string' && !value.includes('${')
  const variables =
    typeof env === 'object' && env !== null ? Object.entries(env).filter(([, value]) => isPlain(value)) : []
  const sent = typeof headers === 'object' && headers !== null ? Object.values(headers).filter(isPlain) : []
  return (
    sent.length > 0 || secretsOfEnvironment(Object.fromEntries(variables) as NodeJS.ProcessEnv).length > 0
  )
}
