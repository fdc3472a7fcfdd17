import { createHash } from 'node:crypto'
import type { Steps } from '../../../platform/async/steps.js'
import type { KeptTools } from './pins.js'
import { digestOf } from './tool-definition.js'

/** Short, and the same for what says the same. */
export function* keptText({ list, protocolVersion, accepted }: KeptTools): Steps<string> {
  const hash = createHash('sha256')
  for (const entries of [list, accepted.values()])
    for (const entry of entries) {
      hash.update(digestOf(entry))
      yield
    }
  return `${list.length} ${protocolVersion} ${hash.digest('hex')}`
}

export function* isSameKept(a: KeptTools, b: KeptTools): Steps<boolean> {
  return a.instructions === b.instructions && (yield* keptText(a)) === (yield* keptText(b))
}
