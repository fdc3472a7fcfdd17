import type { Context, EntityJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs'
import type { EngineRequest } from '../policy-engine.js'
import { toCedarRecord } from './to-cedar-value.js'

export interface CedarCall {
  principal: TypeAndId
  action: TypeAndId
  resource: TypeAndId
  context: Context
  /** The entities that the call itself describes. */
  own: EntityJson[]
  /** Fields of the input that hold something but that Cedar cannot see. */
  unseen: string[]
}

const ACTION: TypeAndId = { type: 'Action', id: 'call' }

/**
 * A call in Cedar's terms: an `Actor`, in a `Role`, does `Action::"call"` to a `Tool`, in a `Namespace`. Unknown values
 * are absent, so that a policy that relies on them fails rather than passes.
 */
export function toCedarCall(request: EngineRequest): CedarCall {
  const { tool, permission, actor = '', role } = request
  const principal = { type: 'Actor', id: actor }
  const resource = { type: 'Tool', id: tool.id }
  const { namespace, name, kind, source, fingerprint } = tool
  const input = toCedarRecord(request.input)
  return {
    principal,
    action: ACTION,
    resource,
    context: toContext(request, input),
    own: [
      { uid: principal, attrs: {}, parents: role === undefined ? [] : [{ type: 'Role', id: role }] },
      {
        uid: resource,
        attrs: {
          ...toCedarRecord(permission).value,
          namespace,
          name,
          kind,
          source,
          fingerprint,
        },
        parents: [{ type: 'Namespace', id: namespace }],
      },
    ],
    unseen: input.unseen,
  }
}

function toContext(request: EngineRequest, input: ReturnType<typeof toCedarRecord>): Context {
  const { facts, mode, session, tenant, surfaceId, reads, writes, hosts, commands } = request
  return {
    input: input.value,
    input_complete: input.nulls.length === 0 && input.unseen.length === 0,
    facts: toCedarRecord(facts).value,
    mode,
    tenant,
    surface: surfaceId,
    ...(session !== undefined && { session }),
    ...(reads && { reads: [...reads] }),
    ...(writes && { writes: [...writes] }),
    ...(hosts && { hosts: [...hosts] }),
    ...(commands && { commands: [...commands] }),
  }
}
