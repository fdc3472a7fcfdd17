import type { Terminal } from '../terminal/terminal.js'

/** 0: success. 1: a tool call ended with an error. 2: the command line, the config or the store is wrong. */
export type ExitCode = 0 | 1 | 2

/** The options and arguments, as commander parsed them. */
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

/** The value of an option that takes a text; undefined where it was not given. */
export function textOption(options: GivenOptions, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

export type RunCommand = (given: Given, terminal: Terminal) => Promise<ExitCode>

export interface ArgumentRow {
  /** `<tool>`, `[object]` or `[pairs...]`, as commander writes it. */
  name: string
  description: string
  /** What a shell completes it with: names that are looked up, or words. */
  completes?: CompletedNames | readonly string[]
}

export type CompletedNames = 'tools' | 'servers' | 'secrets'

export interface OptionRow {
  flags: string
  description: string
  default?: string
  /** It may be given several times; the command gets a list. */
  isRepeated?: boolean
  /** Whether its value may be a secret: hints do not repeat it. */
  isSecret?: boolean
}

/** A group of commands under one title of the help. */
export interface CommandSection {
  title: string
  commands: readonly CommandRow[]
}

/** One command, with everything that its help and its page in the docs contain. */
export interface CommandRow {
  /** `tools`, or `tools show` for a command below another. */
  name: string
  summary: string
  /** More for the docs and the command's own help. */
  details?: string
  arguments?: readonly ArgumentRow[]
  options?: readonly OptionRow[]
  examples: readonly string[]
  /**
   * Whether the command, with these options, answers a question, lets more run, or copies or deletes records. No process
   * of a tool may do that.
   */
  widens?(options: GivenOptions): boolean
  /** Imported only when the command runs. */
  load: () => Promise<{ run: RunCommand }>
}
