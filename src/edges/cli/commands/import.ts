import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { shortPath } from '../../../foundation/config/describe-problem.js'
import {
  readAgentSettings,
  type AgentSettings,
} from '../../../judgement/policy/import/read-agent-settings.js'
import { changeRuleFile } from '../../../runtime/change-rule-file.js'
import { addHooks, importedHooks, importedUpdates } from '../../../runtime/import-settings.js'
import { ruleFiles } from '../../../runtime/rule-files.js'
import type { ExitCode, Given } from '../command.js'
import { loadSettingsOrStop } from '../load-or-stop.js'
import { oneLine } from '../printable.js'
import { refuseInsideCall } from '../refuse-inside-call.js'
import { ruleDestination } from '../rule-destination.js'
import type { Terminal } from '../terminal.js'
import { usageProblem } from '../usage-problem.js'

const USUAL_FILE = '.claude/settings.json'

/** Takes over the permission rules and hooks that somebody already has. */
export async function run({ arguments: [given], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const file = resolve(given ?? USUAL_FILE)
  if (!existsSync(file)) {
    throw usageProblem(`There is no ${shortPath(file)}; name a settings.json: toolcrib import <file>`)
  }
  const settings = await readAgentSettings(readFileSync(file, 'utf8'), file)
  report(settings, shortPath(file), terminal)
  if (options['dryRun'] === true) return 0
  refuseInsideCall()
  const destination = ruleDestination(options)
  const crib = await loadSettingsOrStop(options)
  const rules = ruleFiles(crib.configPath).find(({ source }) => source === destination)
  if (!rules)
    throw usageProblem('There is no config file here; make a toolcrib.yaml first, or use --to user.')
  if (destination === 'user_settings' && !terminal.isInteractive && settings.allow.length > 0) {
    throw usageProblem('Only a person at a terminal can loosen their own rules; nothing was changed.')
  }
  for (const update of importedUpdates(settings, destination)) {
    await changeRuleFile(rules, update, { isPerson: terminal.isInteractive })
  }
  terminal.say(`The rules are in ${shortPath(rules.path)}.`)
  if (settings.hooks.length > 0)
    await importHooks(settings, crib.configPath, options['keepGoing'] === true, terminal)
  return settings.problems.length > 0 ? 1 : 0
}

async function importHooks(
  { hooks }: AgentSettings,
  configPath: string | undefined,
  keepsGoing: boolean,
  terminal: Terminal,
): Promise<void> {
  if (configPath === undefined || !/\.(?:ya?ml|json)$/.test(configPath)) {
    terminal.say('The hooks were not taken over: they need a toolcrib.yaml.')
    return
  }
  await addHooks(configPath, importedHooks(hooks, keepsGoing))
  terminal.say(`The hooks are in ${shortPath(configPath)}.`)
  terminal.say(
    keepsGoing
      ? 'They carry "onFailure: continue": a hook that breaks lets the call go on, as it did there.'
      : 'A hook that breaks counts as an ask here; "onFailure: continue" (--keep-going) lets the call go on.',
  )
}

function report(settings: AgentSettings, file: string, terminal: Terminal): void {
  const { allow, ask, deny, hooks, problems, ignored } = settings
  terminal.say(
    `${file}: ${allow.length} allow, ${ask.length} ask, ${deny.length} deny, ${hooks.length} hooks.`,
  )
  for (const { line, message } of problems)
    terminal.say(terminal.sayStyle.bad(`${file}:${line}: ${oneLine(message)}`))
  for (const { line, key } of ignored) {
    terminal.say(
      terminal.sayStyle.dim(`${file}:${line}: ${oneLine(key)} has no meaning here and is left out`),
    )
  }
}
