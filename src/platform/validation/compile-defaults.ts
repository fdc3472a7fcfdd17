import type { JsonSchema } from '../../contract/json-schema.js'
import { isObject } from '../json/is-object.js'
import { resolvePointer } from './resolve-pointer.js'

/** Returns the value with its defaults filled in: a copy where something was missing, the same value otherwise. */
export type FillDefaults = (value: unknown) => unknown

interface PropertyPlan {
  key: string
  /** Makes a new default; a receiver could change a shared one. */
  makeDefault?: () => unknown
  fill?: FillDefaults
}

/**
 * Follows `properties`, `additionalProperties`, `items`, `prefixItems`, `allOf` and local `$ref`s. A default under
 * `anyOf`, `oneOf`, `if` or `not` is never filled: whether that branch applies is not known yet.
 */
export function compileDefaults(root: JsonSchema): FillDefaults {
  const plans = new Map<object, { fill?: FillDefaults }>()

  const fillOf = (schema: unknown): FillDefaults | undefined => {
    if (!isObject(schema)) return undefined
    const known = plans.get(schema)
    // A schema that refers to itself is visited again before its own plan is ready.
    if (known) return (value) => known.fill?.(value) ?? value
    const plan: { fill?: FillDefaults } = {}
    plans.set(schema, plan)
    const steps = [...refSteps(schema), ...objectSteps(schema), ...arraySteps(schema)]
    plan.fill = inTurn(steps)
    return plan.fill
  }

  const refSteps = (schema: JsonSchema): FillDefaults[] => {
    const targets = typeof schema.$ref === 'string' ? [resolvePointer(root, schema.$ref)] : []
    return [...targets, ...listOf(schema.allOf)].map(fillOf).filter(isPresent)
  }

  const objectSteps = (schema: JsonSchema): FillDefaults[] => {
    const properties = isObject(schema.properties) ? schema.properties : {}
    const plan: PropertyPlan[] = []
    for (const key of Object.keys(properties)) {
      const property = properties[key]
      const makeDefault = isObject(property) ? defaultMaker(property.default) : undefined
      const fill = fillOf(property)
      if (makeDefault || fill) plan.push({ key, makeDefault, fill })
    }
    const fillOther = fillOf(schema.additionalProperties)
    const steps: FillDefaults[] = []
    if (plan.length > 0) steps.push((value) => fillProperties(value, plan))
    if (fillOther) {
      steps.push((value) => {
        if (!isObject(value)) return value
        const others = Object.keys(value).filter((key) => !Object.hasOwn(properties, key))
        return fillProperties(
          value,
          others.map((key) => ({ key, fill: fillOther })),
        )
      })
    }
    return steps
  }

  const arraySteps = (schema: JsonSchema): FillDefaults[] => {
    const first = listOf(schema.prefixItems ?? schema.items).map(fillOf)
    const rest = Array.isArray(schema.items) ? undefined : fillOf(schema.items)
    if (!rest && !first.some(isPresent)) return []
    return [(value) => fillItems(value, (index) => (index < first.length ? first[index] : rest))]
  }

  return fillOf(root) ?? ((value) => value)
}

function fillProperties(value: unknown, plan: readonly PropertyPlan[]): unknown {
  if (!isObject(value)) return value
  let copy: Record<string, unknown> | undefined
  for (const { key, makeDefault, fill } of plan) {
    const present = Object.hasOwn(value, key) ? value[key] : undefined
    let filled = present === undefined ? makeDefault?.() : present
    if (fill && filled !== undefined) filled = fill(filled)
    if (filled === present) continue
    copy ??= copyOf(value)
    setOwn(copy, key, filled)
  }
  return copy ?? value
}

/**
 * Written out: in Node 20, spreading and then adding a property takes 400 ns, and slows every later access to the
 * object.
 */
function copyOf(value: JsonSchema): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) setOwn(copy, key, value[key])
  return copy
}

function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    // A plain assignment would change the prototype instead of adding the property.
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
  } else {
    target[key] = value
  }
}

function fillItems(value: unknown, fillAt: (index: number) => FillDefaults | undefined): unknown {
  if (!Array.isArray(value)) return value
  let copy: unknown[] | undefined
  for (let index = 0; index < value.length; index++) {
    const fill = fillAt(index)
    if (!fill) continue
    const filled = fill(value[index])
    if (filled === value[index]) continue
    copy ??= value.slice()
    copy[index] = filled
  }
  return copy ?? value
}

function defaultMaker(value: unknown): (() => unknown) | undefined {
  if (value === undefined) return undefined
  return typeof value === 'object' && value !== null ? () => structuredClone(value) : () => value
}

function inTurn(steps: readonly FillDefaults[]): FillDefaults | undefined {
  if (steps.length < 2) return steps[0]
  return (value) => steps.reduce((filled, step) => step(filled), value)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function isPresent<Type>(value: Type | undefined): value is Type {
  return value !== undefined
}
