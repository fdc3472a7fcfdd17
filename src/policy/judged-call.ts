import type { PermissionRequest } from './decision.js'

/** Everything that a judgement may depend on. Pure data: the same call gives the same answer. */
export type JudgedCall = Pick<
  PermissionRequest,
  | 'tool'
  | 'input'
  | 'facts'
  | 'touched'
  | 'workspace'
  | 'mode'
  | 'actor'
  | 'role'
  | 'session'
  | 'surfaceId'
  | 'tenant'
>
