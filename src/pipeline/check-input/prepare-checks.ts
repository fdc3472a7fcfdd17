import type { JsonSchema } from '../../contract/json-schema.js'
import { loadSchemaCompiler } from '../../platform/validation/compile-schema.js'
import type { Validate } from '../../platform/validation/validated.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { copyPaths, withoutPaths } from './field-paths.js'

/** Compiles once, on the first call. Returns what is wrong with the schema, if anything. */
export async function prepareChecks(tool: CatalogTool): Promise<string | undefined> {
  const { input, output } = tool.draft
  try {
    const model = input.validate ?? (await compile(input.modelSchema, input.fillDefaults))
    const whole = input.runtimeSchema && (await compile(input.runtimeSchema))
    tool.prepared.runtime = whole ? checkParts(model, whole, input.internalOnlyFields) : model
    if (output.schema) tool.prepared.output = output.validate ?? (await compile(output.schema))
    tool.prepared.model = model
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

// The compiler takes longer to load than most calls to run; tools that bring their own checks do without it.
async function compile(schema: JsonSchema, fillDefaults = false): Promise<Validate> {
  const compiler = await loadSchemaCompiler()
  return compiler.compile(schema, { fillDefaults })
}

/** The model's fields by the model's schema, then everything by the runtime's: internal fields pass only the second. */
function checkParts(model: Validate, whole: Validate, internalOnly: readonly string[]): Validate {
  return async (value) => {
    const checked = await model(withoutPaths(value, internalOnly))
    if (!checked.ok) return checked
    return whole(copyPaths(value, checked.value, internalOnly))
  }
}
