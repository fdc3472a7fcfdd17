import type { Store } from 'toolcrib'

export interface FaultPlan {
  on: 'write' | 'sync' | 'any'
  /** Which one, from 1; 0 for never. */
  at: number
  when: 'before' | 'after'
  how: 'throw' | 'die' | 'kill'
  /** Answers writes with a promise, as a store on another machine would. */
  isAsync?: boolean
}

export function faultyStore(inner: Store, plan: FaultPlan): Store & { count(): number; die(): void }
