import { existsSync, readFileSync } from 'node:fs'
import { replaceFile } from '../foundation/files/replace-file.js'
import type { RuleSource } from '../foundation/contract/unions.js'
import type { AgentSettings, SettingsHook } from '../judgement/policy/import/read-agent-settings.js'
import { parseMode } from '../judgement/policy/permission-mode.js'
import { ruleBehaviors } from '../judgement/policy/rule.js'
import type { RuleUpdate } from '../judgement/policy/rule-update.js'

const EVENTS: Readonly<Record<string, string>> = {
  PreToolUse: 'pre_tool_use',
  PostToolUse: 'post_tool_use',
  PostToolUseFailure: 'post_tool_use_failure',
  PermissionRequest: 'permission_request',
}

/** The changes that take over another agent's permission rules. */
export function importedUpdates(settings: AgentSettings, destination: RuleSource): RuleUpdate[] {
  const updates: RuleUpdate[] = []
  for (const behavior of ruleBehaviors) {
    const rules = settings[behavior].map(({ text }) => text)
    if (rules.length > 0) updates.push({ type: 'add_rules', behavior, rules, destination })
  }
  const mode = settings.defaultMode === undefined ? undefined : parseMode(settings.defaultMode)
  if (mode !== undefined && mode !== 'default') updates.push({ type: 'set_mode', mode, destination })
  if (settings.additionalDirectories.length > 0) {
    // There they are beside the folder where one works, which here is named too.
    const directories = ['.', ...settings.additionalDirectories]
    updates.push({ type: 'add_directories', directories, destination })
  }
  return updates
}

/** Hooks as a config names them. What breaks counts as an ask, unless they are to go on as they did. */
export function importedHooks(hooks: readonly SettingsHook[], keepsGoing: boolean): object[] {
  return hooks.map(({ event, matcher, command, timeoutMs }, index) => ({
    id: `imported-${index + 1}`,
    event: EVENTS[event] ?? event,
    ...(matcher !== '' && matcher !== '*' && { matcher }),
    command,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(keepsGoing && { onFailure: 'continue' }),
  }))
}

/** Adds hooks to a config file; comments and everything else in it stay as they were. */
export async function addHooks(configPath: string, hooks: readonly object[]): Promise<void> {
  const yaml = await import('yaml')
  const document = yaml.parseDocument(existsSync(configPath) ? readFileSync(configPath, 'utf8') : '')
  if (document.errors.length > 0) {
    throw new Error(`${configPath} cannot be read, so it is not changed: mend it first.`)
  }
  const present = new Set(
    ((document.toJS() as { hooks?: { id?: string }[] } | null)?.hooks ?? []).map(({ id }) => id),
  )
  for (const hook of hooks) {
    if (present.has(Reflect.get(hook, 'id') as string)) continue
    if (yaml.isSeq(document.get('hooks'))) document.addIn(['hooks'], hook)
    else document.set('hooks', [hook])
  }
  replaceFile(configPath, document.toString(), { mode: 0o644 })
}
