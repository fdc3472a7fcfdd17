import type { JsonSchema } from '../../contract/json-schema.js'
import { createSerialQueue } from '../async/create-serial-queue.js'
import { createCheckAside, type CheckAside } from './check-aside.js'
import { loadSchemaCompiler, type ValidateNow } from './compile-schema.js'
import { fitsSteps } from './count-steps.js'
import { measureInTurns, schemaBounds, whyRefused, type SchemaMeasure } from './measure-schema.js'
import type { Validate, Validated } from './validated.js'
import { withoutSlowPatterns } from './without-slow-patterns.js'

export interface ForeignCheckOptions {
  /** What still applies where the schema cannot be used: the other side checks by it too. */
  fallback(value: unknown): Validated
  /** Runs the checks that would take too long here. */
  readonly aside?: CheckAside | undefined
}

/** Serializing a larger value for another thread would itself take too long. */
export const asideBounds = { maxNodes: 100_000, maxChars: 2_000_000 } as const

let shared: CheckAside | undefined

/** One thread for all checks. */
function sharedAside(): CheckAside {
  return (shared ??= createCheckAside({ maxMs: 2_000, maxMemoryMb: 256, maxWaiting: 32 }))
}

/**
 * Checks by a schema that another party wrote, without blocking the event loop: small schemas and values at once,
 * larger ones in a thread with a deadline. A value that neither can check passes as `unchecked`: the author of the
 * schema checks by it too.
 */
export function checkForeign(schema: JsonSchema, { fallback, aside }: ForeignCheckOptions): Validate {
  const uncheckedBy = (value: unknown): Validated => {
    const checked = fallback(value)
    return checked.ok ? { ...checked, unchecked: true } : checked
  }
  let check: Validate | undefined
  let preparing: Promise<Prepared | undefined> | undefined
  return (value) => {
    if (check) return check(value)
    preparing ??= prepare(schema, aside)
    return preparing.then((prepared) => (check ??= prepared?.(uncheckedBy) ?? uncheckedBy)(value))
  }
}

type Prepared = (unchecked: (value: unknown) => Validated) => Validate

/** Undefined where the schema cannot be used at all. */
async function prepare(schema: JsonSchema, aside: CheckAside | undefined): Promise<Prepared | undefined> {
  try {
    await measureInTurns(schema)
    const usable = await takeTurn(() => usableOf(schema))
    if (!usable) return undefined
    const measure = await measureInTurns(usable)
    const elsewhere = checkElsewhere(usable, aside)
    if (measure.size > schemaBounds.inlineSize || measure.graph.isOpaque) return elsewhere
    const compiler = await loadSchemaCompiler()
    const here = await takeTurn(() => compiler.compile(usable, { isForeign: true }))
    return checkHere(here, measure, elsewhere)
  } catch {
    return undefined
  }
}

function usableOf(schema: JsonSchema): JsonSchema | undefined {
  return whyRefused(schema) === undefined ? withoutSlowPatterns(schema) : undefined
}

function checkHere(here: ValidateNow, measure: SchemaMeasure, elsewhere: Prepared): Prepared {
  return (unchecked) => {
    const otherwise = elsewhere(unchecked)
    return (value) => (fitsSteps(measure, value) ? here(value) : otherwise(value))
  }
}

function checkElsewhere(schema: JsonSchema, aside: CheckAside | undefined): Prepared {
  const text = JSON.stringify(schema)
  // A schema that took too long once would delay all other checks each time.
  let isGivenUp = false
  return (unchecked) => async (value) => {
    if (isGivenUp || !isWithin(value, asideBounds)) return unchecked(value)
    const reply = await (aside ?? sharedAside()).check({ schema: text, value: JSON.stringify(value) })
    if (reply?.kind === 'fits') return { ok: true, value }
    if (reply?.kind === 'differs') return { ok: false, issues: reply.issues }
    isGivenUp = true
    return unchecked(value)
  }
}

function isWithin(value: unknown, { maxNodes, maxChars }: { maxNodes: number; maxChars: number }): boolean {
  let nodes = maxNodes
  let chars = maxChars
  const open: unknown[] = [value]
  while (open.length > 0) {
    const part = open.pop()
    if (--nodes < 0 || chars < 0) return false
    if (typeof part === 'string') chars -= part.length
    if (typeof part !== 'object' || part === null) continue
    if (Array.isArray(part) && part.length > nodes) return false
    for (const key in part) {
      chars -= key.length
      open.push((part as Record<string, unknown>)[key])
      if (open.length > nodes) return false
    }
  }
  return chars >= 0
}

const checks = createSerialQueue()

/** Runs work of some milliseconds in its turn, with other work in between. */
function takeTurn<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  return checks.run(() => new Promise((resolve) => setImmediate(resolve)).then(work))
}
