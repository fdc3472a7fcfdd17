export interface SettingsHook {
  event: string
  /** Which tools, as a pattern over their names; empty for all. */
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
  /** `disableBypassPermissionsMode`: no caller may switch the rules off. */
  isBypassDisabled: boolean
  hooks: SettingsHook[]
  /** Positions of the settings that are not lists. */
  lines: { defaultMode: number; disableBypassPermissionsMode: number }
  /** Settings that matter but cannot be read. */
  problems: { line: number; message: string }[]
  /** Settings that have no meaning for tool calls, or none here. */
  ignored: { line: number; key: string }[]
}

export interface SettingsRule {
  text: string
  line: number
}
