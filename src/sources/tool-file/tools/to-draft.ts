import { createDraft } from '../../../catalog/create-draft.js'
import type { AnsweredByPerson } from '../../../catalog/answered-by.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { SetupProblem, ToolDraft, ValueCheck } from '../../../catalog/tool-draft.js'
import type { ToolExternalMapping } from '../../../contract/objects/tool-external-mapping.js'
import type { LifecycleState } from '../../../contract/unions.js'
import { withoutUndefined } from '../../../platform/json/without-undefined.js'
import { cleanText } from '../../../platform/text/clean-text.js'
import type { CompiledTool, ToolTransport } from '../compiled.js'
import { AML } from '../native.js'
import { TIMEOUT_MS } from '../transports/time-limit.js'
import type { OpenedTransport } from '../transports/transport.js'
import { isIdempotent, retriesOf } from './attempts.js'
import { fileInput } from './file-fields.js'
import { fromDraft07 } from './from-draft-07.js'
import { kinds, permissionFacts, toolFacts } from './tool-facts.js'

export interface DraftOrigin {
  /** The name of the folder in the config. */
  readonly entry: string
  readonly namespace: string
  /** Whether tools with the status draft can be called. */
  readonly drafts: boolean
  readonly opened: OpenedTransport
  /** What is missing now. Absent: nothing can be missing. */
  readonly setupProblem: (() => SetupProblem | undefined) | undefined
  /** Why an input cannot be sent. */
  validateValues(input: Readonly<Record<string, unknown>>): ReturnType<ValueCheck>
  call(input: Readonly<Record<string, unknown>>, context: ExecuteContext): unknown
  /** Of a tool that people answer. */
  readonly person?: AnsweredByPerson | undefined
}

/** A tool file as a tool. Defaults in its schemas are information and are never filled in. */
export function toDraft(tool: CompiledTool, origin: DraftOrigin): ToolDraft {
  const { entry, namespace, opened } = origin
  const { toolId, version, type, meta, transport, input, output } = tool
  const runsHere = opened.execution === 'embedded_runtime'
  const mapping = mappingOf(tool)
  const permission = permissionFacts(tool, opened.hosts)
  return createDraft({
    namespace,
    provider: { name: entry, key: namespace.slice(namespace.indexOf('.') + 1) },
    name: toolId,
    title: meta.name,
    description: describeTool(tool),
    ...(meta.tags.length > 0 && { searchHint: meta.tags.join(' ') }),
    version,
    kind: kinds[type],
    lifecycle: lifecycleOf(tool, origin.drafts),
    annotations: annotationsOf(tool),
    native: { protocol: AML, definition: { tool_id: toolId, version, type, transport: transport?.type } },
    externalMappings: [{ ...mapping, server_id: entry }],
    runsInProcess: runsHere,
    input: { modelSchema: fromDraft07(input), fillDefaults: false, ...fileInput(tool) },
    output: { schema: fromDraft07(output) },
    facts: toolFacts(tool),
    reach: {
      runs: runsHere ? 'in_process' : 'elsewhere',
      ...(opened.hosts.length > 0 && { hosts: opened.hosts }),
      ...(opened.urlOf && { urlOf: opened.urlOf }),
    },
    permission,
    availability: {
      ...(origin.setupProblem && { setupProblem: origin.setupProblem }),
      ...(permission.credential_refs && { sourceCredentials: permission.credential_refs }),
    },
    execution: {
      kind: opened.execution,
      ...timeoutOf(tool, opened),
      isIdempotent: isIdempotent(tool, opened.isIdempotent),
      retries: retriesOf(tool, opened.isIdempotent),
      supports: ['cancel', 'retries'],
      ...(!runsHere && { passesCancelOn: true }),
    },
    validateValues: origin.validateValues,
    ...(origin.person ? { answeredBy: origin.person } : { execute: origin.call }),
  })
}

/** The description for models: what the tool does, when to use it, what it changes, and what its errors mean. */
function describeTool({ meta, guidance, errorCodes }: CompiledTool): string {
  const errors = Object.entries(errorCodes).map(([code, { meaning = '', agent_action: action }]) => {
    const said = `${code} ${cleanText(meaning)}`.trim()
    return action === undefined ? said : `${said} — ${cleanText(action)}`
  })
  const parts = [
    cleanText(meta.description).trim(),
    line(
      'Use when',
      guidance.use_when.map((each) => cleanText(each)),
    ),
    line(
      'Avoid when',
      guidance.avoid_when.map((each) => cleanText(each)),
    ),
    line(
      'Side effects',
      guidance.side_effects.map((each) => cleanText(each)),
    ),
    line('Errors', errors),
  ]
  return parts.filter((part) => part !== undefined).join('\n')
}

function line(title: string, items: readonly string[]): string | undefined {
  const texts = items.map((item) => item.trim().replace(/[.;]$/, '')).filter((item) => item !== '')
  return texts.length === 0 ? undefined : `${title}: ${texts.join('; ')}.`
}

/** A person answers when there is time; code has the limit of the crib. */
function timeoutOf({ type, transport }: CompiledTool, opened: OpenedTransport): { timeoutMs?: number } {
  if (!transport || type === 'human') return {}
  return { timeoutMs: transport.timeout_ms ?? opened.timeoutMs ?? TIMEOUT_MS }
}

function lifecycleOf({ status }: CompiledTool, drafts: boolean): LifecycleState {
  switch (status) {
    case 'active':
      return 'available'
    case 'draft':
      return drafts ? 'available' : 'draft'
    case 'deprecated':
    case 'disabled':
      return status
  }
}

function annotationsOf({ meta, status, specVersion }: CompiledTool): Record<string, unknown> {
  const { tags, ...rest } = meta
  return { meta: withoutUndefined({ ...rest, tags: [...tags] }), status, spec_version: specVersion }
}

/** The ids that a tool has in its file and where its calls go. */
export function mappingOf({
  toolId,
  version,
  transport,
}: CompiledTool): ToolExternalMapping & Record<string, string> {
  return {
    source: AML,
    tool_id: toolId,
    version,
    ...(transport && { transport: transport.type, ...targetIds(transport) }),
  }
}

function targetIds(transport: ToolTransport): Record<string, string> {
  switch (transport.type) {
    case 'rest-api':
      return { ...transport.endpoint, server_url: transport.base_url }
    case 'mcp':
      return { tool_name: transport.tool_name, server_url: transport.url }
    case 'lambda':
      return { function_id: transport.function_id, provider: transport.provider }
    case 'message-queue':
      return { queue_url: transport.queue_url, provider: transport.provider }
    case 'database':
      return { engine: transport.engine }
  }
}
