import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { shortPath } from '../../../foundation/config/describe-problem.js'
import { nearestWord } from '../../../foundation/config/nearest-word.js'
import { replaceFile } from '../../../foundation/files/replace-file.js'
import type { CribSettings } from '../../../runtime/load-tools.js'
import { hasServers } from '../../../runtime/open-servers.js'
import { isOwnConfig } from '../../../runtime/trust/own-config.js'
import { clientSnippet } from '../clients/client-snippet.js'
import type { Client, Endpoint } from '../clients/client.js'
import { clients } from '../clients/clients.js'
import { putIntoClientFile } from '../clients/put-into-client-file.js'
import type { ExitCode, Given, GivenOptions } from '../command.js'
import { loadSettingsOrStop } from '../load-or-stop.js'
import { ownProgram } from '../own-program.js'
import { serveAddress } from '../serve/serve-address.js'
import { PLACEHOLDER, tokenOf } from '../serve/token-of.js'
import type { Terminal } from '../terminal.js'
import { usageProblem } from '../usage-problem.js'

/** What a client has to be told so that it comes to our counter: printed, or put into its file. */
export async function run({ arguments: [given], options }: Given, terminal: Terminal): Promise<ExitCode> {
  if (given === undefined) {
    if (options.json) terminal.printJson(clients.map((client) => client.id))
    else {
      for (const { id: name, title } of clients) terminal.print(`${name.padEnd(16)}${title}`)
      terminal.explain(
        'Next: "toolcrib connect <client>" prints what it needs, and --write puts it in place.',
      )
    }
    return 0
  }
  const client = findClient(given)
  const settings = await loadSettingsOrStop(options)
  const told = tellClient(client, settings, options)
  const file = client.file({ home: homedir(), platform: process.platform, env: process.env })
  const isWritten = options['write'] === true
  if (isWritten && told.endpoint?.token === PLACEHOLDER)
    throw usageProblem(
      'The tokens of the config are known by their hashes only; give the one of this client with --token.',
    )
  const written = isWritten ? write(client, file, told) : undefined
  if (options.json) {
    const { entry, transport } = told
    const { format, key, id } = client
    const backup = written?.backup
    terminal.printJson(
      { client: id, file, format, key, transport, entry, written: isWritten, ...(backup && { backup }) },
      2,
    )
    return 0
  }
  if (written) sayWritten(client, file, written, terminal)
  else sayHow(client, file, told, terminal)
  sayWhatItNeeds(settings, told, terminal)
  return 0
}

function sayWritten(
  client: Client,
  file: string,
  { backup, isTightened }: Written,
  terminal: Terminal,
): void {
  terminal.explain(`${client.title} is told in ${homePath(file)}; restart it to see the tools.`)
  if (backup !== undefined) terminal.explain(`The file as it was: ${homePath(backup)}`)
  if (isTightened) terminal.explain('It holds a token now, and only you can read it any more.')
}

function sayHow(client: Client, file: string, told: Told, terminal: Terminal): void {
  terminal.print(clientSnippet(client, told.entry))
  const way = told.transport === 'stdio' && client.overHttp ? ' --stdio' : ''
  terminal.explain(
    `Put this into ${homePath(file)}; "toolcrib connect ${client.id}${way} --write" does it for you.`,
  )
  const command = told.endpoint && client.command?.(told.endpoint)
  if (command !== undefined) terminal.explain(`Or run: ${command}`)
}

function sayWhatItNeeds(settings: CribSettings, { transport }: Told, terminal: Terminal): void {
  if (transport === 'http') terminal.explain('It answers while "toolcrib serve" runs.')
  if (hasServers(settings) && !settings.trust.isTrusted)
    terminal.explain(
      `Its servers are not started before you trust ${shortPath(settings.configPath!)}: toolcrib trust`,
      terminal.sayStyle.bad,
    )
}

interface Told {
  transport: 'http' | 'stdio'
  entry: Record<string, unknown>
  endpoint?: Endpoint
}

function tellClient(client: Client, settings: CribSettings, options: GivenOptions): Told {
  const wantsStdio = options['stdio'] === true
  if (wantsStdio && options['url'] !== undefined)
    throw usageProblem('Give either --url or --stdio: a client reaches the door in one of both ways.')
  if (!client.overHttp && options['url'] !== undefined)
    throw usageProblem(`${client.title} only starts programs; leave --url out.`)
  if (wantsStdio || !client.overHttp) {
    const args = ['serve', '--stdio', ...configWords(settings)]
    return { transport: 'stdio', entry: client.overStdio(ownProgram(args)) }
  }
  const endpoint = { url: addressOf(settings, options), token: tokenOf(settings, options) }
  return { transport: 'http', entry: client.overHttp(endpoint), endpoint }
}

/** A config that was found is looked for again, not named: what it starts must be trusted each time, as it then is. */
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

function findClient(id: string): Client {
  const found = clients.find((client) => client.id === id.toLowerCase())
  if (found) return found
  const ids = clients.map((client) => client.id)
  const near = nearestWord(id, ids)
  throw usageProblem(
    `There is no client "${id}"; ${near ? `did you mean "${near}"?` : `known are ${ids.join(', ')}.`}`,
  )
}

interface Written {
  /** The copy that was made of the file as it was. */
  backup?: string
  /** Others could read it before. */
  isTightened: boolean
}

function write(client: Client, file: string, { entry, endpoint }: Told): Written {
  const isThere = existsSync(file)
  const before = isThere ? readFileSync(file, 'utf8') : ''
  const put = putIntoClientFile(before, { client, entry })
  if (!put.ok)
    throw usageProblem(`${homePath(file)} ${put.why}; put it there by hand: toolcrib connect ${client.id}`)
  const isOpen = isThere && process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
  const isTightened = isOpen && endpoint?.token !== undefined
  // Before the token is in it.
  if (isTightened) chmodSync(file, 0o600)
  if (put.text === before) return { isTightened }
  const backup = `${file}.before-toolcrib`
  if (isThere) replaceFile(backup, before)
  replaceFile(file, put.text)
  return { ...(isThere && { backup }), isTightened }
}

function homePath(file: string): string {
  const path = relative(homedir(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : join('~', path)
}
