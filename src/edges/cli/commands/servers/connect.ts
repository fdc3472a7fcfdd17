import { ownCommand, sameCommand } from '../../../../platform/text/own-command.js'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { shortPath } from '../../../../platform/config/describe-problem.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { CribSettings } from '../../../../host/crib-settings.js'
import { hasSources } from '../../../../sources/kinds.js'
import { isOwnConfig } from '../../../../platform/trust/own-config.js'
import { clientSnippet } from '../../clients/client-snippet.js'
import type { Client, Endpoint } from '../../clients/client.js'
import { clients } from '../../clients/clients.js'
import { connectFiles, type Written } from '../../clients/connect-files.js'
import {
  directServers,
  howToMoveHere,
  isMovable,
  leavesOtherFolders,
  type DirectServers,
} from '../../clients/direct-servers.js'
import { clientFile, clientEnvironment, findClient, homePath } from '../../clients/find-client.js'
import type { Offer } from '../../clients/offers.js'
import { agree, printOffers, importServers } from '../../clients/import-servers.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { ownProgram } from '../../program/own-program.js'
import { serveAddress } from '../../../../host/serving/serve-address.js'
import { TOKEN_PLACEHOLDER } from '../../../../host/serving/admission.js'
import { tokenOf } from '../../serve/token-of.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

/** The gateway's entry for a client: printed, or written into its file. */
export async function run({ arguments: [given], options }: Given, terminal: Terminal): Promise<ExitCode> {
  if (given === undefined) return listClients(options, terminal)
  const client = findClient(given)
  if (options['move'] === true && options['keep'] === true)
    throw usageProblem('Give either --move or --keep: the servers of the client are moved, or stay.')
  const isWritten = options['write'] === true || options['move'] === true
  let settings = await loadSettingsOrStop(options)
  let connected = clientEntryFor(client, settings, options)
  if (isWritten && connected.endpoint?.token === TOKEN_PLACEHOLDER)
    throw usageProblem(
      'The tokens of the config are known by their hashes only; give the one of this client with --token.',
    )
  const direct = directServers(client, settings, clientEnvironment())
  const move = isWritten ? await moveServers(client, direct, { settings, options, terminal }) : undefined
  if (move) {
    // The config may be new, or may have changed since it was trusted.
    settings = await loadSettingsOrStop(options)
    connected = clientEntryFor(client, settings, options)
  }
  const moved = move?.offers ?? []
  const { entry, endpoint } = connected
  const written = isWritten
    ? connectFiles(client, { entry, holdsToken: endpoint?.token !== undefined, moved })
    : undefined
  const left = direct.offers.filter((offer) => !moved.includes(offer))
  if (options.json) return printConnected(client, { connected, written, move, left }, terminal)
  if (written) printWritten(client, written, move, terminal)
  else printHow(client, connected, terminal)
  printDirect(client, left, direct, options, terminal)
  printNeeds(settings, connected, terminal)
  return 0
}

function listClients(options: GivenOptions, terminal: Terminal): ExitCode {
  if (options.json) terminal.printJson(clients.map((client) => client.id))
  else {
    for (const { id: name, title } of clients) terminal.print(`${name.padEnd(16)}${title}`)
    terminal.explain(
      `Next: "${ownCommand('connect <client>')}" prints what it needs, and --write puts it in place.`,
    )
  }
  return 0
}

interface Move {
  readonly file: string
  readonly offers: readonly Offer[]
}

/** After a person's yes, or by a flag. Into Toolcrib's config first, so that a server is never lost. */
async function moveServers(
  client: Client,
  { target: file, offers, stays }: DirectServers,
  { settings, options, terminal }: { settings: CribSettings; options: GivenOptions; terminal: Terminal },
): Promise<Move | undefined> {
  const movable = offers.filter(isMovable)
  const isForced = options['move'] === true
  const sure = isForced ? movable.filter((offer) => !leavesOtherFolders(offer, settings)) : []
  const canAsk = terminal.isInteractive && options.json !== true && options['keep'] !== true
  const isAsked = canAsk && sure.length < movable.length
  if (options['keep'] === true || (sure.length === 0 && !isAsked)) return undefined
  if (stays !== undefined) {
    if (isForced) throw usageProblem(`${stays}; write the servers into it yourself.`)
    return undefined
  }
  const isAgreed = isAsked && (await agreeToMove(client, movable, { file, settings, terminal }))
  const taken = isAgreed ? movable : sure
  if (taken.length === 0) return undefined
  await importServers(file, taken, { isPerson: isAgreed })
  return { file, offers: taken }
}

async function agreeToMove(
  client: Client,
  movable: readonly Offer[],
  { file, settings, terminal }: { file: string; settings: CribSettings; terminal: Terminal },
): Promise<boolean> {
  terminal.explain(`${client.title} also reaches these servers directly, beside the gateway:`)
  printOffers(movable, terminal)
  const far = movable.filter((offer) => leavesOtherFolders(offer, settings))
  if (far.length > 0)
    terminal.explain(
      `You have ${far.map(({ name }) => oneLine(name)).join(', ')} in all folders; ${shortPath(file)} is of this folder, and the gateway would have them for this config alone.`,
    )
  const them = movable.length === 1 ? 'this server' : `${movable.length} servers`
  const givesTrust = !existsSync(file) || settings.trust.isTrusted
  const isNew = movable.some(({ isKnown }) => !isKnown)
  return agree(
    `Move ${them} behind the gateway, into ${shortPath(file)}`,
    { file, givesTrust, isNew },
    terminal,
  )
}

function printConnected(
  client: Client,
  {
    connected: { entry, transport },
    written,
    move,
    left,
  }: {
    connected: ClientEntry
    written: Written | undefined
    move: Move | undefined
    left: readonly Offer[]
  },
  terminal: Terminal,
): ExitCode {
  const { format, key, id } = client
  const [backup] = written?.backups ?? []
  const named = (offer: Offer): object => ({ name: offer.name, file: offer.from.file })
  terminal.printJson(
    {
      client: id,
      file: clientFile(client),
      format,
      key,
      transport,
      entry,
      written: written !== undefined,
      ...(backup !== undefined && { backup }),
      ...(move && { config: move.file }),
      moved: (move?.offers ?? []).map((offer) => ({ ...named(offer), as: offer.as })),
      direct: left.map(named),
    },
    2,
  )
  return 0
}

function printWritten(
  client: Client,
  { backups, isMadePrivate }: Written,
  move: Move | undefined,
  terminal: Terminal,
): void {
  const file = homePath(clientFile(client))
  terminal.explain(`${client.title} now uses Toolcrib (${file}); restart it to see the tools.`)
  for (const backup of backups) terminal.explain(`The file as it was: ${homePath(backup)}`)
  if (move) {
    const names = move.offers.map(({ name, as }) => (name === as ? name : `${name} (as ${as})`))
    terminal.explain(
      `Moved into ${shortPath(move.file)}: ${names.map(oneLine).join(', ')}. To put everything back: ${ownCommand(`disconnect ${client.id}`)}`,
    )
  }
  if (isMadePrivate) terminal.explain(`${file} contains a token now; only you can read it.`)
}

function printHow(client: Client, connected: ClientEntry, terminal: Terminal): void {
  terminal.print(clientSnippet(client, connected.entry))
  terminal.explain(
    `Put this into ${homePath(clientFile(client))}; "${sameCommand('--write', { words: ['connect', client.id] })}" does it for you.`,
  )
  const command = connected.endpoint && client.command?.(connected.endpoint)
  if (command !== undefined) terminal.explain(`Or run: ${command}`)
}

/** A user who expects that all calls pass the gateway must learn which do not. */
function printDirect(
  client: Client,
  left: readonly Offer[],
  { target, stays }: DirectServers,
  options: GivenOptions,
  terminal: Terminal,
): void {
  if (left.length === 0) return
  const count = left.length === 1 ? 'one server' : `${left.length} servers`
  const names = left.map(({ name }) => oneLine(name)).join(', ')
  terminal.explain(
    `${client.title} reaches ${count} directly, beside the gateway: ${names}.`,
    terminal.sayStyle.bad,
  )
  for (const { name, leftOut } of left.filter((offer) => !isMovable(offer)))
    terminal.explain(`  ${oneLine(name)} is not moved: ${oneLine(leftOut ?? '')}`)
  // With --move, these stayed because no person could agree.
  const asked = options['move'] === true ? left.filter(isMovable) : []
  for (const { name } of asked)
    terminal.explain(`  ${oneLine(name)} is not moved: ${howToMoveHere(client, target)}`)
  if (stays !== undefined) terminal.explain(`They are not moved: ${stays}.`)
  else if (asked.length === 0 && left.some(isMovable) && options['keep'] !== true)
    terminal.explain(
      `To move ${left.length === 1 ? 'it' : 'them'} behind the gateway: ${sameCommand('--move', { words: ['connect', client.id], without: ['--write'] })}`,
    )
}

function printNeeds(settings: CribSettings, { transport }: ClientEntry, terminal: Terminal): void {
  if (transport === 'http') terminal.explain(`It answers while "${ownCommand('serve')}" runs.`)
  if (hasSources(settings) && !settings.trust.isTrusted)
    terminal.explain(
      `Its servers are not started before you trust ${shortPath(settings.configPath!)}: ${ownCommand('trust')}`,
      terminal.sayStyle.bad,
    )
}

interface ClientEntry {
  transport: 'http' | 'stdio'
  entry: Record<string, unknown>
  endpoint?: Endpoint
}

function clientEntryFor(client: Client, settings: CribSettings, options: GivenOptions): ClientEntry {
  const wantsStdio = options['stdio'] === true
  if (wantsStdio && options['url'] !== undefined)
    throw usageProblem('Give either --url or --stdio: a client uses one of the two.')
  if (!client.overHttp && options['url'] !== undefined)
    throw usageProblem(`${client.title} only starts programs; leave --url out.`)
  if (wantsStdio || !client.overHttp) {
    const args = ['serve', '--stdio', ...configWords(settings)]
    return { transport: 'stdio', entry: client.overStdio(ownProgram(args)) }
  }
  const endpoint = { url: addressOf(settings, options), token: tokenOf(settings, options) }
  return { transport: 'http', entry: client.overHttp(endpoint), endpoint }
}

/** A config that was found is searched for again, not named: its servers must be trusted at each start. */
function configWords({ configPath, isNamed }: CribSettings): string[] {
  if (configPath === undefined) return []
  return isNamed === true || isOwnConfig(configPath)
    ? ['--config', configPath]
    : ['--project', dirname(configPath)]
}

function addressOf(settings: CribSettings, { url }: GivenOptions): string {
  if (url === undefined) return serveAddress(settings).url
  if (typeof url === 'string' && URL.canParse(url) && /^https?:/.test(url)) return url
  throw usageProblem('--url must be an http or https address, such as http://127.0.0.1:4747/mcp.')
}
