import type { JsonSchema } from '../../../contract/json-schema.js'
import { isObject } from '../../../platform/json/is-object.js'
import type { ApiSettings, OperationSettings } from '../api-settings.js'
import type { CompiledOperation } from '../compiled.js'
import { keyFieldOf } from './operation-facts.js'
import { operationTest } from './select-operations.js'

type Values = Readonly<Record<string, unknown>>

/** An operation as the config wants it. */
export interface ConfiguredOperation {
  readonly operation: CompiledOperation
  /** The tool's name. */
  readonly name: string
  readonly settings: OperationSettings
  readonly schema: JsonSchema
  /** The input that is sent: what the call gives, the defaults for the rest, and the fixed values. */
  complete(input: Values): Record<string, unknown>
}

/** Applies the settings of an API, and those of single operations, to an operation. */
export function applySettings(operation: CompiledOperation, api: ApiSettings): ConfiguredOperation {
  const settings = settingsFor(operation, api.operations)
  const fixed = valuesFor(operation, { ...api.fixed, ...settings.fixed })
  const defaults = valuesFor(operation, { ...api.defaults, ...settings.defaults })
  return {
    operation,
    name: settings.name ?? operation.name,
    settings,
    schema: withoutKey(withValues(operation.input, { fixed, defaults, root: operation.input }), operation),
    complete: (input) => put({ ...input }, { fixed, defaults }),
  }
}

/** The idempotency key is made for each call that has none. */
function withoutKey(schema: JsonSchema, operation: CompiledOperation): JsonSchema {
  const key = keyFieldOf(operation)
  const { required, ...rest } = schema
  if (key === undefined || !Array.isArray(required) || !required.includes(key)) return schema
  const others = required.filter((name) => name !== key)
  return others.length === 0 ? rest : { ...rest, required: others }
}

function settingsFor(operation: CompiledOperation, all: ApiSettings['operations'] = {}): OperationSettings {
  const entries = Object.entries(all).filter(([pattern]) => operationTest([pattern])(operation))
  return Object.assign({}, ...entries.map(([, settings]) => settings)) as OperationSettings
}

/** A value for a member of the input, or for a part of it. */
interface GivenValue {
  /** `['body', 'name']` for `body.name`. */
  readonly path: readonly string[]
  readonly value: unknown
}

/** Only members that the operation has, also by the names that the API has for them, which may have dots. */
function valuesFor({ input, parameters }: CompiledOperation, values: Values): GivenValue[] {
  const fields = propertiesOf(input)
  return Object.entries(values).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? name : parameters.find((each) => each.name === name)?.field
    if (field !== undefined) return [{ path: [field], value }]
    const path = name.split('.')
    return Object.hasOwn(fields, path[0]!) ? [{ path, value }] : []
  })
}

/** Whether the operation has the member that a default or a fixed value is for. */
export function takesValue(operation: CompiledOperation, name: string): boolean {
  return valuesFor(operation, { [name]: undefined }).length > 0
}

interface GivenValues {
  readonly fixed: readonly GivenValue[]
  readonly defaults: readonly GivenValue[]
}

/** The schema of the input with `$defs`, which its parts refer to. */
type Rooted = GivenValues & { readonly root: JsonSchema }

/** Fixed members are not shown, and members with a default are not required. */
function withValues(schema: JsonSchema, { fixed, defaults, root }: Rooted): JsonSchema {
  if (fixed.length === 0 && defaults.length === 0) return schema
  const isGiven = (all: readonly GivenValue[], name: string): boolean =>
    all.some(({ path }) => path.length === 1 && path[0] === name)
  const properties = Object.entries(propertiesOf(schema)).flatMap(([name, property]): [string, unknown][] => {
    if (isGiven(fixed, name)) return []
    const inner = { fixed: within(fixed, name), defaults: within(defaults, name), root }
    const changed = isObject(property) ? withValues(opened(property, inner), inner) : property
    const given = defaults.find(({ path }) => path.length === 1 && path[0] === name)
    return [[name, given ? { ...(changed as object), default: given.value } : changed]]
  })
  const { required: before, ...rest } = schema
  const required = (Array.isArray(before) ? (before as string[]) : []).filter(
    (name) => !isGiven(fixed, name) && !isGiven(defaults, name),
  )
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key): [string, unknown][] => {
    const list = schema[key]
    if (!Array.isArray(list)) return []
    const values = { fixed, defaults, root }
    return [
      [key, list.map((part: unknown) => (isObject(part) ? withValues(opened(part, values), values) : part))],
    ]
  })
  return {
    ...rest,
    ...(isObject(schema['properties']) && { properties: Object.fromEntries(properties) }),
    ...Object.fromEntries(parts),
    ...(required.length > 0 && { required }),
  }
}

/** A part that others share is copied before it is changed. */
function opened(part: JsonSchema, { fixed, defaults, root }: Rooted): JsonSchema {
  const { $ref: reference, ...siblings } = part
  if (fixed.length + defaults.length === 0 || typeof reference !== 'string') return part
  const shared = isObject(root['$defs']) ? root['$defs'][reference.replace(/^#\/\$defs\//, '')] : undefined
  return isObject(shared) ? { ...shared, ...siblings } : part
}

/** The values for parts of a member. */
function within(values: readonly GivenValue[], name: string): GivenValue[] {
  return values.flatMap(({ path: [first, ...path], value }) =>
    first === name && path.length > 0 ? [{ path, value }] : [],
  )
}

function put(input: Record<string, unknown>, { fixed, defaults }: GivenValues): Record<string, unknown> {
  for (const given of defaults) putAt(input, given, false)
  for (const given of fixed) putAt(input, given, true)
  return input
}

function putAt(
  input: Record<string, unknown>,
  { path: [name = '', ...path], value }: GivenValue,
  isFixed: boolean,
): void {
  const before = Object.hasOwn(input, name) ? input[name] : undefined
  if (path.length === 0) {
    if (isFixed || before === undefined) input[name] = value
    return
  }
  // A default is no reason to send a body that the call does not have.
  if (before === undefined ? !isFixed : !isObject(before)) return
  const inner = { ...(before as Record<string, unknown> | undefined) }
  putAt(inner, { path, value }, isFixed)
  input[name] = inner
}

function propertiesOf({ properties }: JsonSchema): Values {
  return isObject(properties) ? properties : {}
}
