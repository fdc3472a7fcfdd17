import { judge, createRuleBook, type RuleBook } from '../../src/policy/judge.js'
import type { Judgement } from '../../src/policy/judgement.js'
import type { JudgedFacts } from '../../src/policy/decision.js'
import type { JudgedCall } from '../../src/policy/judged-call.js'
import { createPolicy, type Policy, type PolicyOptions } from '../../src/policy/policy.js'
import { readRules, type RuleSet } from '../../src/policy/rules/read-rules.js'
import { NO_FIELDS, type RuleTool } from '../../src/policy/rules/rule-tool.js'
import type { Rule } from '../../src/policy/rules/rule.js'
import type { Touched, TouchedPath } from '../../src/policy/commands/touched.js'
import type { ShellReading, SubCommand } from '../../src/shell/shell-reading.js'
import type { RuleSource } from '../../src/contract/unions.js'

/** Working and home folders of the fictitious callers. They do not exist. */
export const WORK = '/work/project'
export const HOME = '/home/ann'

export interface RuleLists {
  allow?: readonly unknown[]
  ask?: readonly unknown[]
  deny?: readonly unknown[]
  waivers?: readonly unknown[]
  mode?: unknown
  working_directories?: unknown
}

export function setOf(lists: RuleLists, source: RuleSource = 'user_settings', base = WORK): RuleSet {
  return readRules({ ...lists }, { source, base }, { home: HOME })
}

export function rulesOf(
  lists: RuleLists,
  source: RuleSource = 'user_settings',
  base = WORK,
): readonly Rule[] {
  return setOf(lists, source, base).rules
}

export interface BookOptions {
  own?: readonly string[]
  workingDirectories?: readonly string[]
  now?: number
}

export function bookOf(
  rules: readonly Rule[],
  { own = [], workingDirectories = [], now = 0 }: BookOptions = {},
): RuleBook {
  return createRuleBook({ rules, home: HOME, protectedPaths: { own }, workingDirectories, now })
}

/** A policy of these rules, in the default mode, at time 0. */
export function policyWith(rules: readonly Rule[], more: Partial<PolicyOptions> = {}): Policy {
  return createPolicy({
    rules,
    mode: 'default',
    workingDirectories: [],
    home: HOME,
    protectedPaths: { own: [] },
    baseOf: () => WORK,
    now: () => 0,
    ...more,
  })
}

export const WRITES: JudgedFacts = {
  is_read_only: false,
  is_destructive: false,
  is_open_world: false,
  is_concurrency_safe: false,
  requires_user_interaction: false,
  origins: { is_read_only: 'declared', is_destructive: 'declared', is_open_world: 'declared' },
}
export const READS: JudgedFacts = { ...WRITES, is_read_only: true }
/** Nothing was declared. */
export const UNSAID: JudgedFacts = {
  ...WRITES,
  is_open_world: true,
  origins: { is_read_only: 'default', is_destructive: 'default', is_open_world: 'default' },
}

export function toolOf(name: string, more: Partial<RuleTool> = {}): RuleTool {
  return {
    toolId: name,
    kind: 'function',
    names: [name],
    ownNames: [name],
    ids: [name],
    nativeIds: [],
    fields: NO_FIELDS,
    profile: {},
    ...more,
  }
}

export const shellTool = toolOf('shell.exec', {
  kind: 'shell_command',
  fields: { ...NO_FIELDS, command: { field: 'command', cwd: 'cwd' } },
})
export const readTool = toolOf('files.read', {
  kind: 'file_operation',
  fields: { ...NO_FIELDS, paths: [{ field: 'path', access: 'read' }] },
})
export const writeTool = toolOf('files.write', {
  kind: 'file_operation',
  fields: { ...NO_FIELDS, paths: [{ field: 'path', access: 'write' }] },
})
export const fetchTool = toolOf('http.fetch', { fields: { ...NO_FIELDS, urls: ['url'] } })

export function callOf(tool: RuleTool, more: Partial<JudgedCall> = {}): JudgedCall {
  return {
    tool,
    input: {},
    facts: WRITES,
    touched: undefined,
    workspace: WORK,
    mode: 'default',
    actor: undefined,
    role: undefined,
    session: undefined,
    surfaceId: 'surface_1',
    tenant: 'default',
    ...more,
  }
}

export function pathOf(access: 'read' | 'write', path: string, more: Partial<TouchedPath> = {}): TouchedPath {
  return { access, path, real: path, isGlob: false, ...more }
}

const NOTHING: Touched = { paths: [], hosts: [], urls: [], command: undefined, commandText: undefined }

export function touching(more: Partial<Touched>): Touched {
  return { ...NOTHING, ...more }
}

export const reading = (path: string, more: Partial<TouchedPath> = {}): Touched =>
  touching({ paths: [pathOf('read', path, more)] })

export const writing = (path: string, more: Partial<TouchedPath> = {}): Touched =>
  touching({ paths: [pathOf('write', path, more)] })

/** One simple command in the form that the command reader returns. */
export function part(text: string, more: Partial<SubCommand> = {}): SubCommand {
  return {
    text,
    words: text.split(' '),
    isLiteral: true,
    isReadOnly: false,
    wrappedBy: undefined,
    isTransparent: false,
    ...more,
  }
}

export interface Line {
  commands: readonly SubCommand[]
  text?: string
  reading?: Partial<ShellReading>
  paths?: readonly TouchedPath[]
  hosts?: readonly string[]
}

/** A whole command line, built by hand. */
export function running({ commands, text, reading: more, paths = [], hosts = [] }: Line): Touched {
  const command: ShellReading = {
    is_read_only: false,
    is_destructive: false,
    is_open_world: false,
    is_concurrency_safe: false,
    reads: paths.filter(({ access }) => access === 'read').map(({ path }) => path),
    writes: paths.filter(({ access }) => access === 'write').map(({ path }) => path),
    deletes: [],
    redirects: [],
    executes: [],
    hosts,
    commands,
    given: [],
    isComplete: true,
    isBlind: false,
    hasLooseGap: false,
    hidesTarget: false,
    changesMeaning: false,
    hidesCode: false,
    isParsed: true,
    reasons: [],
    ...more,
  }
  const commandText = text ?? commands.map((each) => each.text).join(' && ')
  return { paths, hosts, urls: [], command, commandText }
}

/** The decision of the rules about a call, each list from the user's settings. */
export function judged(lists: RuleLists, call: JudgedCall, options?: BookOptions): Judgement {
  return judge(bookOf(rulesOf(lists), options), call)
}

export const behaviorOf = (lists: RuleLists, call: JudgedCall, options?: BookOptions): string =>
  judged(lists, call, options).behavior
