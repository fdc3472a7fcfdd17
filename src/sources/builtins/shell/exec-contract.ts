import type { DraftInput, DraftOutput, ToolDraft } from '../../../catalog/tool-draft.js'
import type { JsonSchema } from '../../../contract/json-schema.js'
import { WORKSPACE } from './shell-profiles.js'
import type { ShellSettings } from './shell-settings.js'

export interface ExecInput {
  readonly command: string
  readonly timeout_ms?: number
  readonly run_in_background?: boolean
  readonly sandbox_override_ref?: string
  readonly simulated_edit_ref?: string
}

export interface ExecOutput {
  readonly exit_code: number
  readonly stdout: string
  readonly stderr: string
  readonly signal?: string
  readonly violations?: readonly { readonly kind: string; readonly message: string }[]
}

const modelSchema: JsonSchema = {
  type: 'object',
  properties: {
    command: { type: 'string' },
    timeout_ms: { type: 'integer', minimum: 1000 },
    run_in_background: { type: 'boolean' },
    description: { type: 'string' },
  },
  required: ['command'],
  additionalProperties: false,
}

const runtimeSchema: JsonSchema = {
  type: 'object',
  properties: {
    sandbox_override_ref: { type: 'string' },
    simulated_edit_ref: { type: 'string' },
  },
}

const outputSchema: JsonSchema = {
  type: 'object',
  properties: {
    exit_code: { type: 'integer' },
    stdout: { type: 'string' },
    stderr: { type: 'string' },
    signal: { type: 'string' },
    violations: {
      type: 'array',
      items: {
        type: 'object',
        properties: { kind: { type: 'string' }, message: { type: 'string' } },
        required: ['kind', 'message'],
      },
    },
  },
  required: ['exit_code', 'stdout', 'stderr'],
}

export const execInput = {
  modelSchema,
  runtimeSchema,
  strict: true,
  internalOnlyFields: ['sandbox_override_ref', 'simulated_edit_ref'],
  sandboxOverrideField: 'sandbox_override_ref',
  backgroundField: 'run_in_background',
} as const satisfies Partial<DraftInput>

export const execOutput: DraftOutput = {
  schema: outputSchema,
  exitCode: 'exit_code',
  maxInlineChars: 30_000,
  toModel: toText as (output: never) => string,
  transcriptText: toText as (output: never) => string,
}

/** What a model reads: the output as a terminal would show it, and what the terminal would not say. */
function toText({ exit_code, stdout, stderr, signal, violations = [] }: ExecOutput): string {
  const notes = [
    ...(signal === undefined ? [] : [`The command was ended by ${signal}.`]),
    ...(exit_code === 0 || signal !== undefined ? [] : [`Exit code ${exit_code}.`]),
    ...violations.map(({ message }) => `The sandbox prevented something. ${message}`),
  ]
  const parts = [stdout, stderr, notes.join('\n')]
    .map((part) => part.replace(/\n$/, ''))
    .filter((part) => part !== '')
  return parts.length > 0 ? parts.join('\n') : 'The command wrote nothing.'
}

/** A command without a timeout may run this long in the background. */
const BACKGROUND_TIMEOUT_MS = 24 * 60 * 60 * 1000

/** How long a command may run. */
export function timeoutFor(
  { timeout_ms: asked, run_in_background: isBackground }: Partial<ExecInput>,
  timeoutMs: number,
): number {
  return asked ?? (isBackground ? BACKGROUND_TIMEOUT_MS : timeoutMs)
}

/** The declaration of the standard's example. */
export function execDeclaration({ timeoutMs, policy, shell }: ShellSettings) {
  return {
    toolId: 'tool_shell_exec',
    namespace: 'local.shell',
    name: 'shell.exec',
    searchHint: 'run local shell commands',
    description: `Runs a command in ${shell} and returns its exit code and what it wrote. A long output is shortened in the middle; all of it stays readable. With run_in_background the call returns a task id at once.`,
    kind: 'shell_command',
    externalMappings: [{ source: 'cli', command_id: 'shell.exec' }],
    permission: {
      risk_level: 'high',
      access_kinds: ['file_read', 'file_write', 'network', 'code_execution'],
      write_effects: ['local_persistent', 'remote_mutation'],
      approval_required: true,
      sandbox_profile: WORKSPACE,
    },
    permissionMatcher: 'shell_pattern',
    execution: {
      kind: 'shell',
      timeoutMs,
      timeoutFor: (input: ExecInput) => timeoutFor(input, timeoutMs),
      interruptBehavior: 'cancel',
      sandboxProfile: WORKSPACE,
      supports: [
        'progress',
        'cancel',
        'result_persistence',
        ...(policy === 'off' ? [] : (['sandboxing'] as const)),
      ],
    },
  } as const satisfies Partial<ToolDraft>
}
