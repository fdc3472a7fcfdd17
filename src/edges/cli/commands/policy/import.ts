import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { shortPath } from '../../../../platform/config/describe-problem.js'
import { errorMessage } from '../../../../platform/text/error-message.js'
import { readAgentSettings } from '../../../../policy/import/read-agent-settings.js'
import type { AgentSettings } from '../../../../policy/import/agent-settings.js'
import { addHooks } from '../../../../host/hooks/add-hooks.js'
import { changeRuleFile } from '../../../../policy/files/change-rule-file.js'
import { planImport, type ImportContext, type ImportPlan } from '../../../../host/settings/import-settings.js'
import { loadRuleFile } from '../../../../policy/files/load-rules.js'
import { isRuleText, ruleFiles } from '../../../../policy/files/rule-files.js'
import { askYesOrNo } from '../../terminal/ask-yes-or-no.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { ruleDestination } from '../../rules/rule-destination.js'
import { printRuleProblems } from '../../rules/print-rule-problems.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

const USUAL_FILE = '.claude/settings.json'

/** Imports permission rules and hooks of another agent. */
export async function run({ arguments: [given], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const file = resolve(given ?? USUAL_FILE)
  const settings = await readOrStop(file)
  const place = await placeOf(options)
  const plan = planImport(settings, place)
  report(settings, plan, { file: shortPath(file), terminal })
  const isOwn = !place.rules.isProject
  if (isOwn && !terminal.isInteractive && plan.loosening.length > 0) {
    throw usageProblem('Only a person at a terminal can loosen their own rules; nothing was changed.')
  }
  const code = plan.leftOut.length > 0 ? 1 : 0
  if (options['dryRun'] === true) return code
  if (plan.updates.length === 0 && plan.hooks.length === 0) {
    terminal.say('There is nothing new to take over; nothing was changed.')
    return code
  }
  const isTrusted = await askForTrust(plan, { isOwn, terminal })
  // The user's own rules always count, so that they are written only as they were agreed to, or not at all.
  if (isOwn && !isTrusted) {
    terminal.say('Nothing was changed.')
    return 1
  }
  await write(plan, { ...place, isTrusted, terminal })
  return code
}

async function readOrStop(file: string): Promise<AgentSettings> {
  if (!existsSync(file)) {
    throw usageProblem(`There is no ${shortPath(file)}; name a settings.json: toolcrib import <file>`)
  }
  const settings = await readAgentSettings(textOf(file), file)
  if (settings.isReadable) return settings
  const [{ line, message } = { line: 1, message: 'it is not JSON' }] = settings.problems
  throw usageProblem(`${shortPath(file)}:${line} cannot be read, so nothing was taken over: ${message}`)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw usageProblem(`${shortPath(file)} cannot be read (${code}); name a settings.json.`)
  }
}

async function placeOf(options: GivenOptions): Promise<ImportContext> {
  const destination = ruleDestination(options)
  const { configPath, config } = await loadSettingsOrStop(options)
  const rules = ruleFiles(configPath).find(({ source }) => source === destination)
  if (!rules)
    throw usageProblem('There is no config file here; make a toolcrib.yaml first, or use --to user.')
  const canTakeHooks = configPath !== undefined && isRuleText(configPath)
  return {
    rules,
    config,
    configPath: canTakeHooks ? configPath : undefined,
    keepsGoing: options['keepGoing'] === true,
  }
}

/** Whether rules that loosen may count at once. If no person can be asked, they wait for trust. */
async function askForTrust(
  { loosening }: ImportPlan,
  { isOwn, terminal }: { isOwn: boolean; terminal: Terminal },
): Promise<boolean> {
  if (loosening.length === 0) return true
  if (!terminal.isInteractive) return false
  terminal.say(terminal.sayStyle.bold('This would loosen:'))
  for (const each of loosening) terminal.explain(`  ${oneLine(each)}`)
  return askYesOrNo(isOwn ? 'Add it to your own rules?' : 'Trust it?', terminal)
}

async function write(
  { updates, hooks, loosening }: ImportPlan,
  {
    rules,
    configPath,
    keepsGoing,
    isTrusted,
    terminal,
  }: ImportContext & { isTrusted: boolean; terminal: Terminal },
): Promise<void> {
  const isPerson = isTrusted && terminal.isInteractive
  try {
    for (const update of updates) await changeRuleFile(rules, update, { isPerson })
    if (hooks.length > 0) await addHooks(configPath!, hooks, { isPerson })
  } catch (error) {
    throw usageProblem(errorMessage(error))
  }
  if (updates.length > 0) terminal.explain(`The rules are in ${shortPath(rules.path)}.`)
  if (hooks.length > 0) {
    terminal.explain(`The hooks are in ${shortPath(configPath!)}.`)
    terminal.explain(
      keepsGoing
        ? 'They carry "onFailure: continue": a hook that breaks lets the call go on, as it did there.'
        : 'A hook that breaks counts as an ask here; "onFailure: continue" (--keep-going) lets the call go on.',
    )
  }
  if (loosening.length > 0) await sayWhatWaits({ rules, configPath }, terminal)
}

/** Rules that loosen and do not count yet, including earlier ones. */
async function sayWhatWaits(
  { rules, configPath }: Pick<ImportContext, 'rules' | 'configPath'>,
  terminal: Terminal,
): Promise<void> {
  const files = ruleFiles(configPath).filter(({ path }) => path === rules.path || path === configPath)
  const layers = await Promise.all(files.map((file) => loadRuleFile(file)))
  printRuleProblems(
    layers.filter((layer) => layer !== undefined),
    terminal,
  )
}

function report(
  { allow, ask, deny, hooks, ignored }: AgentSettings,
  { leftOut }: ImportPlan,
  { file, terminal }: { file: string; terminal: Terminal },
): void {
  terminal.explain(
    `${file}: ${allow.length} allow, ${ask.length} ask, ${deny.length} deny, ${hooks.length} hooks.`,
  )
  for (const { line, message } of leftOut)
    terminal.explain(`${file}:${line}: ${oneLine(message)}`, terminal.sayStyle.bad)
  for (const { line, key } of ignored) {
    const sentence = `${file}:${line}: ${oneLine(key)} has no meaning here and is left out`
    terminal.explain(sentence, terminal.sayStyle.dim)
  }
}
