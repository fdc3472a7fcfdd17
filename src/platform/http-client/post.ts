import type { Reach } from './address-rules.js'
import { send, type Answer } from './send.js'

export interface PostOptions {
  url: URL
  headers: Readonly<Record<string, string>>
  body: string
  signal: AbortSignal
  maxBytes: number
  /** As whoever runs this named it, unless said. */
  reach?: Reach | undefined
}

/** Posts JSON and reads the answer. */
export function post({ headers, reach = 'named', ...options }: PostOptions): Promise<Answer> {
  return send({
    ...options,
    method: 'POST',
    reach,
    headers: { ...headers, 'content-type': 'application/json' },
  })
}
