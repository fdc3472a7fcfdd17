import type { ToolDeclaration } from '../../contract/objects/tool-declaration.js'
import type { ToolExecutionProfile } from '../../contract/objects/tool-execution-profile.js'
import type { ToolInterface } from '../../contract/objects/tool-interface.js'
import type { ToolPermissionProfile } from '../../contract/objects/tool-permission-profile.js'
import { refWithDigest } from '../../platform/json/versioned-ref.js'
import type { CatalogTool } from '../catalog-tool.js'
import { toDeclaration } from './to-declaration.js'
import { toExecutionProfile, toInterface, toPermissionProfile } from './to-profiles.js'

/** All records of one tool in one version. */
export interface ToolRecords {
  tool: ToolDeclaration
  tool_interface: ToolInterface
  execution_profile: ToolExecutionProfile
  permission_profile: ToolPermissionProfile
}

/** A ref to the current version of the tool, by its fingerprint. */
export function toolRef(
  { toolId, fingerprint }: Pick<CatalogTool, 'toolId' | 'fingerprint'>,
  record: keyof ToolRecords = 'tool',
): string {
  return refWithDigest(`${record}:${toolId}`, fingerprint)
}

/** The declaration with refs to this version, which stay valid when the tool changes. */
export function currentDeclaration(tool: CatalogTool): ToolDeclaration {
  return {
    ...toDeclaration(tool),
    interface_ref: toolRef(tool, 'tool_interface'),
    execution_profile_ref: toolRef(tool, 'execution_profile'),
    permission_profile_ref: toolRef(tool, 'permission_profile'),
  }
}

export function toolRecords(tool: CatalogTool): ToolRecords {
  const declaration = currentDeclaration(tool)
  const { interface_ref, execution_profile_ref, permission_profile_ref } = declaration
  return {
    tool: declaration,
    tool_interface: {
      ...toInterface(tool),
      interface_id: interface_ref!,
      execution_profile_ref: execution_profile_ref!,
      permission_profile_ref: permission_profile_ref!,
    },
    execution_profile: { ...toExecutionProfile(tool), execution_profile_id: execution_profile_ref! },
    permission_profile: { ...toPermissionProfile(tool), permission_profile_id: permission_profile_ref! },
  }
}

/** Members of the declaration are not stored twice. */
type Kept = Omit<ToolRecords, 'tool_interface'> & { tool_interface: Partial<ToolInterface> }

export function packRecords(records: ToolRecords): Kept {
  const known = new Map(Object.entries(knownOf(records.tool)))
  const own = Object.entries(records.tool_interface).filter(([key]) => !known.has(key))
  return { ...records, tool_interface: Object.fromEntries(own) }
}

export function unpackRecords(kept: unknown): ToolRecords | undefined {
  if (kept === undefined) return undefined
  const records = kept as Kept
  return {
    ...records,
    tool_interface: { ...knownOf(records.tool), ...records.tool_interface } as ToolInterface,
  }
}

/** The part of an interface that follows from the declaration. */
function knownOf(declaration: ToolDeclaration): Partial<ToolInterface> {
  const { input_contract: input, output_contract: output, external_mappings: mappings } = declaration
  return {
    ...(input?.model_input_schema && {
      model_input_schema: input.model_input_schema,
      runtime_input_schema: input.runtime_input_schema ?? input.model_input_schema,
    }),
    ...(output?.structured_schema && { output_schema: output.structured_schema }),
    ...(mappings && { external_mappings: mappings }),
    description: declaration.description,
  }
}
