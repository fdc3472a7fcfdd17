import type { PermissionRequest } from '../decision.js'
import type { EngineRequest } from './policy-engine.js'

/** What the reading of an input found: paths, hosts, commands. */
export type FoundInInput = Pick<EngineRequest, 'reads' | 'writes' | 'hosts' | 'commands'>

/** A permission request as policy engines get it. The input is handed on as it is: mask it before. */
export function toEngineRequest(request: PermissionRequest, found: FoundInInput = {}): EngineRequest {
  const { invocationId, toolId, namespace, name, kind, source, fingerprint, input, facts } = request
  const { permission, actor, role, session, tenant, surfaceId, mode } = request
  return {
    invocationId,
    tool: { id: toolId, namespace, name, kind, source, fingerprint },
    input,
    facts,
    permission,
    actor,
    role,
    session,
    tenant,
    surfaceId,
    mode,
    ...found,
  }
}
