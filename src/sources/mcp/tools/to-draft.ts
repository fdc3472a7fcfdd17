import { isJsonObject, type JsonObject } from '../protocol/json-rpc.js'
import { MCP } from '../protocol/native.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import { createDraft, type DraftParts } from '../../../catalog/create-draft.js'
import type { DraftAvailability, ToolDraft } from '../../../catalog/tool-draft.js'
import { cleanText } from '../../../platform/text/clean-text.js'
import { toolChanged } from '../servers/to-failure.js'
import { safeServerName, safeToolName, serverNamespace } from './safe-name.js'
import { checkIsObject, checkNothing, lenientCheck } from './lenient-check.js'
import { parseTool, shownDefinition, type ToolDefinition } from './tool-definition.js'
import { toolFacts } from './tool-facts.js'

export interface DraftOrigin {
  readonly server: string
  readonly isTrusted: boolean
  readonly reach?: ToolDraft['reach']
  readonly timeoutMs: number | undefined
  readonly protocolVersion: string | undefined
  /** Why it may not be called: it is not what was accepted. */
  readonly changed: string | undefined
  call(definition: ToolDefinition, input: JsonObject, context: ExecuteContext): Promise<unknown>
}

export function toDraft(sent: ToolDefinition, origin: DraftOrigin): ToolDraft {
  const shown = parseTool(shownDefinition(sent.raw)) ?? sent
  // Called by the name that the server knows, whatever is shown of it.
  const definition = shown.raw === sent.raw ? sent : { ...shown, name: sent.name }
  const { server, isTrusted } = origin
  const meta = isJsonObject(definition.raw['_meta']) ? definition.raw['_meta'] : {}
  const { facts, isIdempotent } = toolFacts(definition.annotations, isTrusted)
  return createDraft({
    namespace: serverNamespace(server),
    name: safeToolName(definition.name),
    title: definition.title ?? titleOf(definition),
    description: descriptionOf(definition),
    searchHint: hintOf(meta['anthropic/searchHint']),
    kind: 'mcp_tool',
    annotations: definition.annotations,
    native: { protocol: MCP, definition: definition.raw },
    provider: { name: server, key: safeServerName(server) },
    runsInProcess: false,
    ...(definition !== sent && { asSent: sent.raw }),
    externalMappings: [
      {
        source: MCP,
        server_id: server,
        server_name: server,
        ...(origin.protocolVersion !== undefined && { mcp_protocol_version: origin.protocolVersion }),
        method: 'tools/call',
        tool_name: definition.name,
      },
    ],
    input: inputOf(definition),
    output: outputOf(definition),
    facts,
    // The protocol's own default: what is not known to only read may destroy.
    ...(facts.is_read_only !== true && { assumedFacts: { is_destructive: true } }),
    reach: origin.reach,
    availability: availabilityOf(origin, isTrusted && meta['anthropic/alwaysLoad'] === true),
    execution: {
      kind: 'mcp_server',
      timeoutMs: origin.timeoutMs,
      isIdempotent,
      supports: ['progress'],
      passesCancelOn: true,
    },
    execute: executorOf(sent, origin),
  })
}

/** A call that was on its way when the tool changed is refused like any other. */
function executorOf(definition: ToolDefinition, { changed, call }: DraftOrigin): ToolDraft['execute'] {
  if (changed === undefined) return (input: JsonObject, context) => call(definition, input, context)
  return () => {
    throw toolChanged(changed)
  }
}

function inputOf({ inputSchema }: ToolDefinition): DraftParts['input'] {
  const schema = inputSchema ?? { type: 'object' }
  return {
    modelSchema: schema,
    validate: lenientCheck(schema, checkIsObject),
    // The server fills in its own.
    fillDefaults: false,
  }
}

function outputOf({ outputSchema }: ToolDefinition): ToolDraft['output'] {
  return outputSchema ? { schema: outputSchema, validate: lenientCheck(outputSchema, checkNothing) } : {}
}

function availabilityOf({ changed }: DraftOrigin, alwaysLoad: boolean): DraftAvailability {
  return {
    ...(changed !== undefined && {
      setupProblem: () => ({ code: 'toolcrib.tool_changed' as const, message: changed }),
    }),
    ...(alwaysLoad && { alwaysLoad }),
  }
}

/** Older servers put the title among the hints. */
function titleOf({ annotations }: ToolDefinition): string | undefined {
  return textOf(annotations?.['title'])
}

/** The protocol allows none; the catalog needs one, to find the tool by and to choose it. */
function descriptionOf({ description, title, name }: ToolDefinition): string {
  if (description !== undefined && description.trim() !== '') return description
  return title !== undefined && title.trim() !== '' ? title : `The tool ${name}.`
}

function hintOf(value: unknown): string | undefined {
  const hint = textOf(value)
  return hint && cleanText(hint)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
