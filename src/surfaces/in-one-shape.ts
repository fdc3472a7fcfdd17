import type { SurfaceRequest } from './surface-request.js'

/**
 * The same request with a member for each option. Requests that are made in different ways have hidden classes of their
 * own, and every call reads its request.
 */
export function inOneShape(request: SurfaceRequest): SurfaceRequest {
  return {
    scope: request.scope,
    tenant: request.tenant,
    actor: request.actor,
    session: request.session,
    above: request.above,
    heldBy: request.heldBy,
    approvals: request.approvals,
    approvalRequired: request.approvalRequired,
    maxCallsPerRun: request.maxCallsPerRun,
    agent: request.agent,
    role: request.role,
    depth: request.depth,
    mode: request.mode,
    workspace: request.workspace,
    platform: request.platform,
    skills: request.skills,
    modelCapabilities: request.modelCapabilities,
    features: request.features,
    credentials: request.credentials,
    include: request.include,
    exclude: request.exclude,
    load: request.load,
    deferral: request.deferral,
    client: request.client,
    name: request.name,
    selectionPolicy: request.selectionPolicy,
    defaultToolChoice: request.defaultToolChoice,
    capabilityRequirements: request.capabilityRequirements,
    policyRefs: request.policyRefs,
    runtimeRefs: request.runtimeRefs,
    reason: request.reason,
    results: request.results,
    redaction: request.redaction,
  } satisfies Record<keyof SurfaceRequest, unknown>
}
