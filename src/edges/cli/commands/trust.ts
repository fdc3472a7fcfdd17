import { readFileSync } from 'node:fs'
import { shortPath } from '../../../foundation/config/describe-problem.js'
import { loadLayers } from '../../../runtime/load-layers.js'
import type { LoadedRules } from '../../../runtime/load-rules.js'
import type { CribSettings } from '../../../runtime/load-tools.js'
import { isOwnConfig } from '../../../runtime/own-config.js'
import { distrustFile, isConfigTrusted, trustFileText } from '../../../runtime/trust.js'
import { askPerson } from '../ask-person.js'
import type { ExitCode, Given } from '../command.js'
import { describeServer } from '../describe-server.js'
import { wrapText } from '../fit-text.js'
import { refuseInsideCall } from '../refuse-inside-call.js'
import { loadSettingsOrStop } from '../load-or-stop.js'
import { oneLine } from '../../../foundation/text/printable.js'
import type { Terminal } from '../terminal.js'
import { giveFolderTrust } from '../trust-folder.js'
import { usageProblem } from '../usage-problem.js'

/** Trust is a person's word about a file as it is now. Nobody else can give it. */
export async function run({ arguments: words, options }: Given, terminal: Terminal): Promise<ExitCode> {
  const [folder] = words
  if (folder !== undefined)
    return giveFolderTrust(folder, { isRevoked: options['revoke'] === true, terminal })
  const { configPath } = await loadSettingsOrStop(options)
  if (configPath === undefined)
    throw usageProblem('There is no config file here, so there is nothing to trust.')
  // Before what it says is looked at: what is written in between is then not what is trusted.
  const configText = readFileSync(configPath, 'utf8')
  const settings = await loadSettingsOrStop(options)
  const layers = (await loadLayers(settings)).map((layer) =>
    layer.path === configPath ? withServers(layer, settings, configText) : layer,
  )
  if (options['revoke'] === true) {
    const revoked = layers.filter(({ path }) => path !== undefined && distrustFile(path))
    terminal.say(revoked.length > 0 ? 'What it loosens no longer counts.' : 'Nothing here was trusted.')
    return 0
  }
  const waiting = layers.filter(({ untrusted }) => untrusted.length > 0)
  if (waiting.length === 0) {
    terminal.say('Nothing here waits for your trust.')
    return 0
  }
  for (const { path, untrusted } of waiting) {
    terminal.say(terminal.sayStyle.bold(`${shortPath(path!)} wants to loosen:`))
    for (const each of untrusted) for (const line of wanted(each, terminal)) terminal.say(line)
  }
  refuseInsideCall()
  if (!terminal.isInteractive) {
    throw usageProblem('Only a person at a terminal can give trust; nothing was changed.')
  }
  const answer = await askPerson('Trust these files as they are now? [y/N] ', { terminal })
  if (!/^\s*y(es)?\s*$/i.test(answer ?? '')) {
    terminal.say('Nothing was changed.')
    return 1
  }
  // As they were when they were shown: what was written since has been read by nobody.
  for (const { path, text } of waiting) {
    if (path !== undefined && text !== undefined) trustFileText(path, text)
  }
  terminal.say('Trusted. Any change of these files asks again.')
  return 0
}

/** Programs that a project would start are shown as they would be started. */
function withServers(layer: LoadedRules, settings: CribSettings, text: string): LoadedRules {
  if (isOwnConfig(settings.configPath!) || isConfigTrusted(settings)) return layer
  const servers = Object.entries(settings.config.mcpServers ?? {}).map(
    ([name, entry]) => `the MCP server "${name}" ${describeServer(entry).join('\n')}`,
  )
  if (servers.length === 0) return layer
  if (layer.text !== undefined && layer.text !== text)
    throw usageProblem('The config was changed while it was read; nothing was trusted. Try again.')
  return { ...layer, text, untrusted: [...layer.untrusted, ...servers] }
}

/** In full: a line that was cut would be trusted unread. */
function wanted(text: string, { sayColumns }: Terminal): string[] {
  return text.split('\n').flatMap((part, at) => {
    const start = at === 0 ? '  ' : '    '
    return wrapText(oneLine(part), sayColumns - 4).map(
      (line, index) => `${index === 0 ? start : '    '}${line}`,
    )
  })
}
