import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CoreObject, JsonSchema } from '../../src/contract/index.js'

const FOLDER = fileURLToPath(new URL('../../../shared/spec/schemas/', import.meta.url))

const files = {
  tool_declaration: 'tool-declaration',
  tool_interface: 'tool-interface',
  tool_surface: 'tool-surface',
  tool_execution_profile: 'execution-profile',
  tool_permission_profile: 'permission-profile',
  tool_permission_decision: 'permission-decision',
  tool_hook: 'hook',
  tool_input_mutation: 'input-mutation',
  tool_invocation: 'invocation',
  tool_scheduler_policy: 'scheduler-policy',
  deferred_tool_ref: 'deferred-tool',
  tool_progress: 'progress',
  tool_result: 'result',
  tool_result_persistence: 'result-persistence',
  tool_event: 'event',
} as const satisfies Partial<Record<CoreObject, string>>

export interface StandardSchema extends JsonSchema {
  readonly required: readonly string[]
  readonly properties: Record<string, JsonSchema>
}

export const standardIsThere = existsSync(FOLDER)
if (!standardIsThere) console.log(`skipped: the standard's schemas are not at ${FOLDER}`)

/** The standard's own schemas; they are beside the repository, never in it. */
export const standardSchemas: [CoreObject, StandardSchema][] = standardIsThere
  ? Object.entries(files).map(([object, file]) => [
      object as CoreObject,
      JSON.parse(readFileSync(`${FOLDER}agenttool-${file}.schema.json`, 'utf8')) as StandardSchema,
    ])
  : []
