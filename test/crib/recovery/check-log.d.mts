import type { Crib } from 'toolcrib'

export interface LogCheck {
  problems: string[]
  calls: number
  events: number
  results: Record<string, number>
}

export function checkLog(
  crib: Pick<Crib, 'events' | 'store'>,
  options?: {
    effects?: readonly string[]
    mayBeOpen?: (invocationId: string) => boolean
    tenant?: string
  },
): Promise<LogCheck>
