import type { Crib, CribOptions, ToolResult } from 'toolcrib'

export const points: readonly string[]
export function createWorkload(
  library: object,
  options: { effectsPath: string; reach?: (point: string) => void },
): { names: string[]; options: CribOptions }
export function makeCalls(
  crib: Crib,
  names: readonly string[],
  options: { rounds: number; cancelEvery?: number },
): Promise<ToolResult[]>
export function readEffects(path: string): string[]
