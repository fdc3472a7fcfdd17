import type { PermissionRequest } from '../decision.js'
import type { EngineRequest } from './policy-engine.js'

/** What was found in an input: paths, hosts, commands. */
export type FoundInInput = Pick<EngineRequest, 'reads' | 'writes' | 'hosts' | 'commands'>

/** A permission request in the form that policy engines get. The input is passed on as it is: mask it before. */
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
