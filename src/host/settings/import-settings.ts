import { homedir } from 'node:os'
import { checkConfig } from '../../platform/config/check-config.js'
import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import type { AgentSettings, SettingsHook } from '../../policy/import/agent-settings.js'
import { parseMode, permissionModes } from '../../policy/permission-mode.js'
import { readRules } from '../../policy/rules/read-rules.js'
import { ruleBehaviors } from '../../policy/rules/rule.js'
import type { RuleUpdate } from '../../policy/rules/rule-update.js'
import { loadHooks, type HookEntry } from '../hooks/load-hooks.js'
import { ruleBase, type RuleFile } from '../../policy/files/rule-files.js'
import { loosens } from '../../policy/files/without-loosening.js'

/** What an import would write, and what it would omit. */
export interface ImportPlan {
  readonly updates: readonly RuleUpdate[]
  readonly hooks: readonly HookEntry[]
  /** Changes that allow more than before, as sentences. */
  readonly loosening: readonly string[]
  readonly leftOut: readonly { line: number; message: string }[]
}

export interface ImportContext {
  /** The file for the rules. */
  readonly rules: RuleFile
  /** The file for the hooks; absent where no file can take them. */
  readonly configPath: string | undefined
  readonly config: CribConfig
  /** Hooks whose failure lets the call continue, as in the other agent. */
  readonly keepsGoing: boolean
}

/** Decides which settings of another agent are imported. Nothing is written. */
export function planImport(settings: AgentSettings, place: ImportContext): ImportPlan {
  const leftOut = [...settings.problems]
  const updates = [...ruleUpdates(settings, place, leftOut), ...otherUpdates(settings, place, leftOut)]
  const hooks = newHooks(settings.hooks, place, leftOut)
  const loosening = [
    ...updates.flatMap(looseningOf),
    ...hooks.map(({ id, command }) => `what the hook "${id}" allows: ${command}`),
  ]
  return { updates, hooks, loosening, leftOut: leftOut.toSorted((a, b) => a.line - b.line) }
}

type LeftOut = { line: number; message: string }[]

function ruleUpdates(
  settings: AgentSettings,
  { rules: file }: ImportContext,
  leftOut: LeftOut,
): RuleUpdate[] {
  const { source } = file
  return ruleBehaviors.flatMap((behavior): RuleUpdate[] => {
    const readable = settings[behavior].filter(({ text, line }) => {
      const set = readRules({ [behavior]: [text] }, { source, base: ruleBase(file) }, { home: homedir() })
      const problem = set.rules[0]?.problem
      if (problem !== undefined)
        leftOut.push({ line, message: `the ${behavior} rule "${text}" ${problem}; it is left out` })
      return problem === undefined
    })
    if (readable.length === 0) return []
    return [{ type: 'add_rules', behavior, rules: readable.map(({ text }) => text), destination: source }]
  })
}

function otherUpdates(settings: AgentSettings, place: ImportContext, leftOut: LeftOut): RuleUpdate[] {
  const updates: RuleUpdate[] = []
  const { source: destination } = place.rules
  const { defaultMode, isBypassDisabled, additionalDirectories, lines } = settings
  const mode = defaultMode === undefined ? undefined : parseMode(defaultMode)
  if (mode !== undefined && mode !== 'default') updates.push({ type: 'set_mode', mode, destination })
  if (defaultMode !== undefined && mode === undefined) {
    const known = permissionModes.join(', ')
    leftOut.push({
      line: lines.defaultMode,
      message: `there is no mode "${defaultMode}" (there are ${known}); it is left out`,
    })
  }
  if (isBypassDisabled) {
    const message =
      '"disableBypassPermissionsMode" cannot be taken over and is left out; a mode in the administrator\'s rules (/etc/toolcrib/policy.yaml) limits everyone\'s'
    leftOut.push({ line: lines.disableBypassPermissionsMode, message })
  }
  if (additionalDirectories.length > 0) {
    // The other agent lists them in addition to the working folder, which has to be named here.
    updates.push({ type: 'add_directories', directories: ['.', ...additionalDirectories], destination })
  }
  return updates
}

const EVENTS: Readonly<Record<string, HookEntry['event']>> = {
  PreToolUse: 'pre_tool_use',
  PostToolUse: 'post_tool_use',
  PostToolUseFailure: 'post_tool_use_failure',
  PermissionRequest: 'permission_request',
}

/** Hooks as a config names them, without those that the config has already or could not load. */
function newHooks(given: readonly SettingsHook[], place: ImportContext, leftOut: LeftOut): HookEntry[] {
  const { configPath, config, keepsGoing } = place
  const present: HookEntry[] = [...(config.hooks ?? [])]
  const added: HookEntry[] = []
  for (const { event, matcher, command, timeoutMs, line } of given) {
    if (configPath === undefined) {
      leftOut.push({ line, message: `the hook "${command}" needs a toolcrib.yaml; it is left out` })
      continue
    }
    const hook: HookEntry = {
      id: freeId(present),
      event: EVENTS[event]!,
      ...(matcher !== '' && matcher !== '*' && { matcher }),
      command,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(keepsGoing && { onFailure: 'continue' }),
    }
    if (present.some((each) => isSame(each, hook))) continue
    const [finding] = [...checkConfig({ hooks: [hook] }), ...loadHooks([hook], configPath).findings]
    if (finding) {
      leftOut.push({ line, message: `${finding.message}; the hook is left out` })
      continue
    }
    present.push(hook)
    added.push(hook)
  }
  return added
}

function freeId(present: readonly HookEntry[]): string {
  for (let number = 1; ; number++) {
    const id = `imported-${number}`
    if (!present.some((each) => each.id === id)) return id
  }
}

function isSame(a: HookEntry, b: HookEntry): boolean {
  return a.event === b.event && a.matcher === b.matcher && a.command === b.command && a.args === undefined
}

function looseningOf(update: RuleUpdate): string[] {
  switch (update.type) {
    case 'add_rules':
      return update.behavior === 'allow' ? update.rules.map((text) => `allow ${text}`) : []
    case 'set_mode':
      return loosens(update.mode) ? [`the mode ${update.mode}`] : []
    case 'add_directories':
      return update.directories.map((folder) => `the working folder ${folder}`)
    default:
      return []
  }
}
