import type { SettingsHook } from './agent-settings.js'
import type { Notes, Path } from './settings-notes.js'

/** Events about a tool call. The others are about the agent around it: its prompts, its sessions, its end. */
const TOOL_EVENTS = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest'])

/** The hooks of all events, group by group. */
export function readHooks(given: unknown, notes: Notes): SettingsHook[] {
  return Object.entries(notes.object(given, ['hooks']) ?? {}).flatMap(([event, groups]) => {
    const path = ['hooks', event]
    if (!TOOL_EVENTS.has(event)) {
      notes.ignore(path)
      return []
    }
    return notes
      .list(groups, path)
      .flatMap((group, index) => readGroup(event, group, [...path, index], notes))
  })
}

function readGroup(event: string, given: unknown, path: Path, notes: Notes): SettingsHook[] {
  const group = notes.object(given, path)
  if (!group) return []
  const { matcher = '', hooks, ...others } = group
  for (const key of Object.keys(others)) notes.ignore([...path, key])
  if (typeof matcher !== 'string') {
    notes.problem([...path, 'matcher'], 'a matcher must be a text, such as "Bash|Edit"')
    return []
  }
  const listPath = [...path, 'hooks']
  return notes
    .list(hooks, listPath)
    .flatMap((hook, index) => readHook({ event, matcher }, hook, [...listPath, index], notes))
}

function readHook(
  { event, matcher }: Pick<SettingsHook, 'event' | 'matcher'>,
  given: unknown,
  path: Path,
  notes: Notes,
): SettingsHook[] {
  const hook = notes.object(given, path)
  if (!hook) return []
  const { type, command, timeout, ...others } = hook
  if (type !== 'command') {
    notes.problem(path, `a hook of type ${JSON.stringify(type)} cannot be taken over; only "command" can`)
    return []
  }
  const line = notes.text(command, [...path, 'command'])
  if (line === undefined) return []
  const changed = CHANGES_WHAT_RUNS.find((key) => key in others)
  if (changed !== undefined) {
    notes.problem(
      [...path, changed],
      `a hook with "${changed}" cannot be taken over; write it into the command`,
    )
    return []
  }
  for (const key of Object.keys(others)) notes.ignore([...path, key])
  const timeoutMs = toMilliseconds(timeout)
  if (timeoutMs === 'unreadable') {
    notes.problem([...path, 'timeout'], 'a timeout must be a number of seconds above 0; it is left out')
  }
  return [
    {
      event,
      matcher,
      command: line,
      timeoutMs: timeoutMs === 'unreadable' ? undefined : timeoutMs,
      line: notes.lineOf(path),
    },
  ]
}

/** Without these, another program would run than the file names. */
const CHANGES_WHAT_RUNS = ['shell', 'args']

function toMilliseconds(seconds: unknown): number | undefined | 'unreadable' {
  if (seconds === undefined) return undefined
  return typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds)
    ? Math.ceil(seconds * 1000)
    : 'unreadable'
}
