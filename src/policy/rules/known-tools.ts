import { reachByName, writesFiles, type ArgumentReach } from '../arguments/argument-reach.js'
import { readSchemaNames } from '../arguments/schema-names.js'
import type { JudgedFacts } from '../decision.js'
import type { RuleFields, RuleTool } from './rule-tool.js'
import { NO_FIELDS } from './rule-tool.js'
import { ownNameOfServerTool } from './server-names.js'
import type { Touched } from '../commands/touched.js'

/** A tool that is known only by its name: for examples in rules, and for calls of other agents. */
export interface KnownTool {
  readonly tool: RuleTool
  /** Facts that follow from the kind of tool; the rest is inferred from the input or assumed to be unsafe. */
  readonly declares: Readonly<Partial<Record<'is_read_only' | 'is_destructive' | 'is_open_world', boolean>>>
}

interface Shape {
  readonly toolId: string
  readonly kind: string
  readonly fields: RuleFields
  readonly declares: KnownTool['declares']
}

const paths = (access: 'read' | 'write', ...fields: string[]): RuleFields => ({
  ...NO_FIELDS,
  paths: fields.map((field) => ({ field, access })),
})

const READS = { is_read_only: true, is_destructive: false, is_open_world: false }
const WRITES = { is_read_only: false, is_open_world: false }
const FETCHES = { is_read_only: true, is_destructive: false, is_open_world: true }

const shell: Shape = {
  toolId: 'shell.exec',
  kind: 'shell_command',
  fields: { ...NO_FIELDS, command: { field: 'command', cwd: 'cwd', shell: 'bash' } },
  declares: {},
}
const reader = (toolId: string): Shape => ({
  toolId,
  kind: 'file_operation',
  fields: paths('read', 'path', 'file_path', 'notebook_path'),
  declares: READS,
})
const writer = (toolId: string): Shape => ({
  toolId,
  kind: 'file_operation',
  fields: paths('write', 'path', 'file_path', 'notebook_path'),
  declares: WRITES,
})
const fetcher: Shape = {
  toolId: 'http.fetch',
  kind: 'function',
  fields: { ...NO_FIELDS, urls: ['url'] },
  declares: FETCHES,
}

const shapes: Readonly<Record<string, Shape>> = {
  'shell.exec': shell,
  Bash: shell,
  'files.read': reader('files.read'),
  Read: reader('files.read'),
  'files.search': reader('files.search'),
  Grep: reader('files.search'),
  'files.find': reader('files.find'),
  Glob: reader('files.find'),
  'files.list': reader('files.list'),
  LS: reader('files.list'),
  'files.write': writer('files.write'),
  Write: writer('files.write'),
  'files.edit': writer('files.edit'),
  Edit: writer('files.edit'),
  MultiEdit: writer('files.edit'),
  NotebookEdit: writer('files.edit'),
  'files.delete': { ...writer('files.delete'), declares: { ...WRITES, is_destructive: true } },
  'http.fetch': fetcher,
  WebFetch: fetcher,
  WebSearch: { toolId: 'web.search', kind: 'function', fields: NO_FIELDS, declares: FETCHES },
}

/** For suggestions to misspelt names. */
export const knownToolNames: readonly string[] = Object.keys(shapes)

export function isKnownTool(name: string): boolean {
  return Object.hasOwn(shapes, name)
}

/** What is known about a tool by its name; about an unknown one, by the form of its input. */
export function knownTool(name: string, input?: unknown): KnownTool {
  const shape = isKnownTool(name) ? shapes[name]! : guess(name, input)
  const names = shape.toolId === name ? [name] : [shape.toolId, name]
  const nativeId = ownNameOfServerTool(name)
  return {
    tool: {
      toolId: shape.toolId,
      kind: shape.kind,
      names,
      ownNames: names,
      ids: names,
      nativeIds: nativeId === undefined ? [] : [nativeId],
      fields: shape.fields,
      ...(!isKnownTool(name) && { arguments: unknownReach(name) }),
      profile: {},
    },
    declares: shape.declares,
  }
}

/** An unknown tool may run here, and may read and write what it gets. */
const UNKNOWN_REACH: ArgumentReach = {
  runs: 'here',
  folders: [],
  names: readSchemaNames(),
  hasPaths: false,
  onlyReads: false,
  walks: false,
  moves: false,
  writesText: false,
}

const unknownReach = (name: string): ArgumentReach => ({
  ...UNKNOWN_REACH,
  ...reachByName([name]),
  hasPaths: writesFiles(name),
})

function guess(name: string, input: unknown): Shape {
  const has = (field: string): boolean =>
    typeof input === 'object' && input !== null && typeof Reflect.get(input, field) === 'string'
  const command = has('command') ? { field: 'command', cwd: 'cwd' } : undefined
  const fields: RuleFields = {
    paths: ['path', 'file_path']
      .filter(has)
      .flatMap((field) => (['read', 'write'] as const).map((access) => ({ field, access }))),
    urls: ['url', 'uri'].filter(has),
    command,
  }
  return { toolId: name, kind: command ? 'shell_command' : 'custom', fields, declares: {} }
}

/** Facts of a call of such a tool. Facts of a command are inferred; undeclared ones are defaults. */
export function knownFacts({ declares }: KnownTool, touched: Touched | undefined): JudgedFacts {
  const reading = touched?.command
  const origin = (name: keyof KnownTool['declares']): string => {
    if (declares[name] !== undefined) return 'declared'
    // An unknown program may be destructive and may reach other hosts.
    const isKnown = reading && (name === 'is_read_only' || reading.isComplete || reading[name])
    return isKnown ? 'inferred' : 'default'
  }
  return {
    is_read_only: declares.is_read_only ?? reading?.is_read_only ?? false,
    is_destructive: declares.is_destructive ?? reading?.is_destructive ?? false,
    is_open_world: declares.is_open_world ?? (reading?.isComplete ? reading.is_open_world : true),
    is_concurrency_safe: reading?.is_concurrency_safe ?? false,
    requires_user_interaction: false,
    origins: {
      is_read_only: origin('is_read_only'),
      is_destructive: origin('is_destructive'),
      is_open_world: origin('is_open_world'),
    },
  }
}
