import { parseConfigText, type ParsedConfigText } from '../../platform/config/parse-config-text.js'
import { blankComments } from '../rules/blank-comments.js'
import { readHooks } from './read-hooks.js'
import { createNotes, type Notes, type Path } from './settings-notes.js'
import type { AgentSettings } from './agent-settings.js'
import type { SettingsRule } from './agent-settings.js'

/**
 * Reads the permission rules and hooks of a coding agent's `settings.json`. Comments and trailing commas are accepted.
 * A text that cannot be parsed has problems and nothing else.
 */
export async function readAgentSettings(text: string, file: string): Promise<AgentSettings> {
  const settings: AgentSettings = {
    isReadable: false,
    allow: [],
    ask: [],
    deny: [],
    defaultMode: undefined,
    additionalDirectories: [],
    isBypassDisabled: false,
    hooks: [],
    lines: { defaultMode: 1, disableBypassPermissionsMode: 1 },
    problems: [],
    ignored: [],
  }
  const parsed = await parseConfigText(blankComments(text), file)
  const notes = createNotes(parsed, settings)
  for (const { line = 1, message } of parsed.problems) settings.problems.push({ line, message })
  if (parsed.value === undefined) return settings
  settings.isReadable = true
  readTop(parsed, settings, notes)
  return settings
}

function readTop({ value }: ParsedConfigText, settings: AgentSettings, notes: Notes): void {
  const top = notes.object(value, [])
  if (!top) return
  const areHooksOff = top['disableAllHooks'] === true
  for (const [key, member] of Object.entries(top)) {
    if (key === 'permissions') readPermissions(member, settings, notes)
    else if (key === 'hooks' && areHooksOff) notes.ignore([key])
    else if (key === 'hooks') settings.hooks.push(...readHooks(member, notes))
    else if (MISPLACED.has(key))
      notes.problem([key], `"${key}" has no effect here; move it into "permissions"`)
    else if (key !== '$schema') notes.ignore([key])
  }
}

/** Ignoring one of these would leave the user less protected than the file says. */
const MISPLACED = new Set(['allow', 'ask', 'deny', 'defaultMode', 'additionalDirectories'])

function readPermissions(given: unknown, settings: AgentSettings, notes: Notes): void {
  for (const [key, value] of Object.entries(notes.object(given, ['permissions']) ?? {})) {
    const path = ['permissions', key]
    switch (key) {
      case 'allow':
      case 'ask':
      case 'deny':
        settings[key].push(...rulesIn(value, path, notes))
        break
      case 'additionalDirectories':
        settings.additionalDirectories.push(...rulesIn(value, path, notes).map(({ text }) => text))
        break
      case 'defaultMode':
        settings.defaultMode = notes.text(value, path)
        settings.lines[key] = notes.lineOf(path)
        break
      case 'disableBypassPermissionsMode':
        // The only valid value is "disable"; any other is reported and read as it.
        settings.isBypassDisabled = value !== false && value !== null
        settings.lines[key] = notes.lineOf(path)
        if (value !== 'disable') notes.problem(path, `"${key}" must be "disable"; it is read as if it were`)
        break
      default:
        notes.ignore(path)
    }
  }
}

function rulesIn(value: unknown, path: Path, notes: Notes): SettingsRule[] {
  return notes.list(value, path).flatMap((each, index) => {
    const text = notes.text(each, [...path, index])
    return text === undefined ? [] : [{ text, line: notes.lineOf([...path, index]) }]
  })
}
