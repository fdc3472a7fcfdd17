import { loadSchemaCompiler } from '../../foundation/validation/compile-schema.js'
import type { Validate } from '../../foundation/validation/validated.js'
import type { CatalogTool } from '../../supply/catalog/catalog-tool.js'
import { copyPaths, withoutPaths } from './field-paths.js'

/** Compiles once, on the first call. Returns what is wrong with the schema, if anything. */
export async function prepareChecks(tool: CatalogTool): Promise<string | undefined> {
  const { input, output } = tool.draft
  try {
    const compiler = await loadSchemaCompiler()
    const model = input.validate ?? compiler.compile(input.modelSchema, { fillDefaults: input.fillDefaults })
    const whole = input.runtimeSchema ? compiler.compile(input.runtimeSchema) : undefined
    tool.prepared.runtime = whole ? checkParts(model, whole, input.internalOnlyFields) : model
    if (output.schema) tool.prepared.output = output.validate ?? compiler.compile(output.schema)
    tool.prepared.model = model
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The model's fields by the model's schema, then everything by the runtime's: internal fields pass only the second. */
function checkParts(model: Validate, whole: Validate, internalOnly: readonly string[]): Validate {
  return async (value) => {
    const checked = await model(withoutPaths(value, internalOnly))
    if (!checked.ok) return checked
    return whole(copyPaths(value, checked.value, internalOnly))
  }
}
