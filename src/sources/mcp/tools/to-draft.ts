import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import { MCP } from '../protocol/native.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import { createDraft, type DraftParts } from '../../../catalog/create-draft.js'
import type { DraftAvailability, ToolDraft } from '../../../catalog/tool-draft.js'
import { cleanText } from '../../../platform/text/clean-text.js'
import type { Validate, Validated } from '../../../platform/validation/validated.js'
import { checkForeign } from '../../../platform/validation/check-foreign.js'
import { toolChanged } from '../../changes/tool-changed.js'
import { safeServerName, safeToolName, serverNamespace } from './safe-name.js'
import { parseTool, shownDefinition, type ToolDefinition } from './tool-definition.js'
import { toolFacts } from './tool-facts.js'

export interface DraftOrigin {
  readonly server: string
  readonly isTrusted: boolean
  readonly reach?: ToolDraft['reach']
  readonly timeoutMs: number | undefined
  readonly protocolVersion: string | undefined
  /** Why it may not be called: it differs from the accepted definition. */
  readonly changed: string | undefined
  call(definition: ToolDefinition, input: JsonObject, context: ExecuteContext): Promise<unknown>
}

export function toDraft(sent: ToolDefinition, origin: DraftOrigin): ToolDraft {
  const shown = parseTool(shownDefinition(sent.raw)) ?? sent
  // Calls use the name that the server listed, whatever name is shown.
  const definition = shown.raw === sent.raw ? sent : { ...shown, name: sent.name }
  const { server, isTrusted } = origin
  const meta = isObject(definition.raw['_meta']) ? definition.raw['_meta'] : {}
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
    // The protocol's default: a tool that is not declared read-only may be destructive.
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

/** A call that was in progress when the tool changed is refused like any other. */
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
    // The server fills in its own defaults.
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

/** Older servers put the title into the annotations. */
function titleOf({ annotations }: ToolDefinition): string | undefined {
  return textOf(annotations?.['title'])
}

/** The protocol allows no description; the catalog needs one, for search and choice. */
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

/**
 * Validates with a schema of a server. Where it cannot be used (another dialect, an external reference, which is never
 * loaded, patterns that could take too long), only `fallback` applies: the server validates its own input.
 */
function lenientCheck(schema: JsonObject, fallback: (value: unknown) => Validated): Validate {
  return checkForeign(schema, { fallback })
}

function checkIsObject(value: unknown): Validated {
  return isObject(value)
    ? { ok: true, value }
    : { ok: false, issues: [{ path: '', message: 'must be an object' }] }
}

function checkNothing(value: unknown): Validated {
  return { ok: true, value }
}
