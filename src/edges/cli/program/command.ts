import type { Terminal } from '../terminal/terminal.js'

/** 0: well. 1: a tool call ended with an error. 2: the command line, the config or the store is wrong. */
export type ExitCode = 0 | 1 | 2

/** What was typed, as commander read it. */
export interface Given {
  arguments: readonly string[]
  options: GivenOptions
}

export interface GivenOptions {
  config?: string
  store?: string
  json?: boolean
  [name: string]: unknown
}

export type RunCommand = (given: Given, terminal: Terminal) => Promise<ExitCode>

export interface ArgumentRow {
  /** `<tool>`, `[object]` or `[pairs...]`, as commander writes it. */
  name: string
  description: string
  /** What a shell offers for it: names that are looked up, or words. */
  completes?: CompletedNames | readonly string[]
}

export type CompletedNames = 'tools' | 'servers'

export interface OptionRow {
  flags: string
  description: string
  default?: string
  /** It may be given several times; the command gets a list. */
  isRepeated?: boolean
  /** Its value may be a secret: hints do not repeat it. */
  isSecret?: boolean
}

/** Commands that belong together, under one title of the help. */
export interface CommandSection {
  title: string
  commands: readonly CommandRow[]
}

/** One command: everything its help and its page in the docs say. */
export interface CommandRow {
  /** `tools`, or `tools show` for a command below another. */
  name: string
  summary: string
  /** More for the docs and the command's own help. */
  details?: string
  arguments?: readonly ArgumentRow[]
  options?: readonly OptionRow[]
  examples: readonly string[]
  /** Whether it answers, or lets more run than before, with these options. No process of a tool may do that. */
  widens?(options: GivenOptions): boolean
  /** Imported only when the command runs. */
  load: () => Promise<{ run: RunCommand }>
}
