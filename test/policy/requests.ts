import type { ClassifierRequest, EngineRequest } from 'toolcrib'

const tool = {
  id: 'files.write',
  namespace: 'files',
  name: 'write',
  kind: 'file_operation',
  source: 'code',
  fingerprint: 'sha256:1',
}

const facts = {
  is_read_only: false,
  is_destructive: false,
  is_open_world: false,
  is_concurrency_safe: false,
  requires_user_interaction: false,
  origins: { is_read_only: 'declared', is_destructive: 'default' },
}

export const engineRequest = (more: Partial<EngineRequest> = {}): EngineRequest => ({
  invocationId: 'inv_1',
  tool,
  input: { path: '/work/a.txt' },
  facts,
  permission: { risk_level: 'medium', access_kinds: ['file_write'] },
  actor: 'agent:planner',
  role: 'writer',
  session: 's1',
  tenant: 'default',
  surfaceId: 'surface_1',
  mode: 'default',
  ...more,
})

export const classifierRequest = (more: Partial<ClassifierRequest> = {}): ClassifierRequest => ({
  invocationId: 'inv_1',
  tool,
  text: 'write /work/a.txt',
  facts,
  mode: 'default',
  actor: 'agent:planner',
  tenant: 'default',
  ...more,
})
