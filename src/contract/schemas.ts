import type { FromSchema } from './json-schema.js'
import { deferredToolRefSchema } from './objects/deferred-tool-ref.js'
import { toolDeclarationSchema } from './objects/tool-declaration.js'
import { toolErrorSchema } from './objects/tool-error.js'
import { toolEventSchema } from './objects/tool-event.js'
import { toolExecutionProfileSchema } from './objects/tool-execution-profile.js'
import { toolExternalMappingSchema } from './objects/tool-external-mapping.js'
import { toolHookSchema } from './objects/tool-hook.js'
import { toolInputContractSchema } from './objects/tool-input-contract.js'
import { toolInputMutationSchema } from './objects/tool-input-mutation.js'
import { toolInterfaceSchema } from './objects/tool-interface.js'
import { toolInvocationSchema } from './objects/tool-invocation.js'
import { toolNamespaceSchema } from './objects/tool-namespace.js'
import { toolOutputContractSchema } from './objects/tool-output-contract.js'
import { toolPermissionDecisionSchema } from './objects/tool-permission-decision.js'
import { toolPermissionProfileSchema } from './objects/tool-permission-profile.js'
import { toolProgressSchema } from './objects/tool-progress.js'
import { toolResultSchema } from './objects/tool-result.js'
import { toolResultPersistenceSchema } from './objects/tool-result-persistence.js'
import { toolSchedulerPolicySchema } from './objects/tool-scheduler-policy.js'
import { toolSearchResultSchema } from './objects/tool-search-result.js'
import { toolSurfaceSchema } from './objects/tool-surface.js'
import { toolcribApprovalSchema } from './objects/toolcrib-approval.js'
import { toolcribArtifactSchema } from './objects/toolcrib-artifact.js'
import { toolcribDeletedRecordSchema } from './objects/toolcrib-deleted-record.js'

/** Every core object of the standard, with the schema of what we emit. */
export const schemas = {
  tool_declaration: toolDeclarationSchema,
  tool_interface: toolInterfaceSchema,
  tool_surface: toolSurfaceSchema,
  tool_namespace: toolNamespaceSchema,
  tool_input_contract: toolInputContractSchema,
  tool_output_contract: toolOutputContractSchema,
  tool_execution_profile: toolExecutionProfileSchema,
  tool_permission_profile: toolPermissionProfileSchema,
  tool_permission_decision: toolPermissionDecisionSchema,
  tool_hook: toolHookSchema,
  tool_input_mutation: toolInputMutationSchema,
  tool_invocation: toolInvocationSchema,
  tool_scheduler_policy: toolSchedulerPolicySchema,
  deferred_tool_ref: deferredToolRefSchema,
  tool_search_result: toolSearchResultSchema,
  tool_progress: toolProgressSchema,
  tool_result: toolResultSchema,
  tool_result_persistence: toolResultPersistenceSchema,
  tool_error: toolErrorSchema,
  tool_event: toolEventSchema,
  tool_external_mapping: toolExternalMappingSchema,
} as const

export type CoreObject = keyof typeof schemas

export const coreObjects = Object.keys(schemas) as CoreObject[]

/** The record type that goes with the name of an object. */
export type RecordOf = { [Name in CoreObject]: FromSchema<(typeof schemas)[Name]> }

/** Our own records, for facts that the standard has no object for. */
export const ownSchemas = {
  toolcrib_approval: toolcribApprovalSchema,
  toolcrib_artifact: toolcribArtifactSchema,
  toolcrib_deleted_record: toolcribDeletedRecordSchema,
} as const
