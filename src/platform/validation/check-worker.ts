import { parentPort } from 'node:worker_threads'
import { loadSchemaCompiler, type ValidateNow } from './compile-schema.js'
import type { Issue } from './validated.js'

/** Both as JSON: transferring objects takes longer than writing and parsing them. */
export interface CheckOrder {
  readonly schema: string
  readonly value: string
}

export type CheckReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'fits' }
  | { readonly kind: 'differs'; readonly issues: Issue[] }
  /** The schema cannot be compiled. */
  | { readonly kind: 'unusable' }

const MAX_KEPT = 50
const kept = new Map<string, ValidateNow>()

const compiler = await loadSchemaCompiler()
parentPort?.on('message', (order: CheckOrder) => parentPort?.postMessage(answer(order)))
parentPort?.postMessage({ kind: 'ready' } satisfies CheckReply)

function answer({ schema, value }: CheckOrder): CheckReply {
  let check: ValidateNow
  try {
    check = compiled(schema)
  } catch {
    return { kind: 'unusable' }
  }
  const checked = check(JSON.parse(value))
  return checked.ok ? { kind: 'fits' } : { kind: 'differs', issues: checked.issues }
}

function compiled(schema: string): ValidateNow {
  const known = kept.get(schema)
  if (known) return known
  const check = compiler.compile(JSON.parse(schema) as Record<string, unknown>, { isForeign: true })
  const [oldest] = kept.keys()
  if (kept.size === MAX_KEPT) kept.delete(oldest!)
  kept.set(schema, check)
  return check
}
