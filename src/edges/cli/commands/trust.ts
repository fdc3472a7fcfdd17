import { shortPath } from '../../../foundation/config/describe-problem.js'
import { loadLayers } from '../../../runtime/load-layers.js'
import { distrustFile, trustFileText } from '../../../runtime/trust.js'
import { askPerson } from '../ask-person.js'
import type { ExitCode, Given } from '../command.js'
import { refuseInsideCall } from '../refuse-inside-call.js'
import { loadSettingsOrStop } from '../load-or-stop.js'
import { oneLine } from '../printable.js'
import type { Terminal } from '../terminal.js'
import { usageProblem } from '../usage-problem.js'

/** Trust is a person's word about a file as it is now. Nobody else can give it. */
export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadSettingsOrStop(options)
  if (settings.configPath === undefined)
    throw usageProblem('There is no config file here, so there is nothing to trust.')
  const layers = await loadLayers(settings)
  if (options['revoke'] === true) {
    const revoked = layers.filter(({ path }) => path !== undefined && distrustFile(path))
    terminal.say(revoked.length > 0 ? 'Its rules that loosen no longer count.' : 'Nothing here was trusted.')
    return 0
  }
  const waiting = layers.filter(({ untrusted }) => untrusted.length > 0)
  if (waiting.length === 0) {
    terminal.say('Nothing here waits for your trust.')
    return 0
  }
  for (const { path, untrusted } of waiting) {
    terminal.say(terminal.sayStyle.bold(`${shortPath(path!)} wants to loosen:`))
    for (const each of untrusted) terminal.say(`  ${oneLine(each)}`)
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
