export interface SettingsHook {
  event: string
  /** Which tools, as a pattern over their names; empty for all of them. */
  matcher: string
  command: string
  timeoutMs: number | undefined
  line: number
}

export interface AgentSettings {
  /** Whether the text could be parsed; otherwise there are problems and nothing else. */
  isReadable: boolean
  allow: SettingsRule[]
  ask: SettingsRule[]
  deny: SettingsRule[]
  defaultMode: string | undefined
  additionalDirectories: string[]
  /** `disableBypassPermissionsMode`: nobody may switch the rules off. */
  isBypassDisabled: boolean
  hooks: SettingsHook[]
  /** Where the settings stand that are no lists. */
  lines: { defaultMode: number; disableBypassPermissionsMode: number }
  /** What was meant to count and cannot be read. */
  problems: { line: number; message: string }[]
  /** What has no meaning for tool calls, or none here. */
  ignored: { line: number; key: string }[]
}

export interface SettingsRule {
  text: string
  line: number
}
