import type { JsonSchema } from '../../contract/json-schema.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { loadSchemaCompiler } from '../../platform/validation/compile-schema.js'
import type { Validate } from '../../platform/validation/validated.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { copyPaths, withoutPaths } from './field-paths.js'

/** Compiles once, on the first call. Returns the problem if the schema is unusable. */
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
    return errorMessage(error)
  }
}

// Loading the compiler takes longer than most calls; tools with checks of their own do not need it.
async function compile(schema: JsonSchema, fillDefaults = false): Promise<Validate> {
  const compiler = await loadSchemaCompiler()
  return compiler.compile(schema, { fillDefaults })
}

/**
 * Checks the model's fields by the model's schema, then all fields by the runtime's. Internal fields pass only the
 * second.
 */
function checkParts(model: Validate, whole: Validate, internalOnly: readonly string[]): Validate {
  return async (value) => {
    const checked = await model(withoutPaths(value, internalOnly))
    if (!checked.ok) return checked
    return whole(copyPaths(value, checked.value, internalOnly))
  }
}
