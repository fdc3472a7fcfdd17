import type { JsonSchema } from '../../../contract/json-schema.js'
import type { FileField } from '../compiled.js'
import type { FileNode } from '../read/file-node.js'
import { checkSchema } from './check-schema.js'
import { expandFiles } from './file-fields.js'
import { given, objectField, reportMissing, reportUnknown, type Fields } from './fields.js'

export interface CompiledInterface {
  readonly input: CompiledSchema | undefined
  readonly output: CompiledSchema | undefined
}

export interface CompiledSchema {
  /** As in the file, with positions. */
  readonly node: FileNode
  readonly schema: JsonSchema
  readonly files: readonly FileField[]
}

/** `interface`: the schemas of the input and the output. */
export function compileInterface(root: Fields): CompiledInterface {
  const fields = objectField(root, 'interface', {
    missing: 'aml/missing-field',
    hint: ' with input and output',
  })
  if (!fields) return { input: undefined, output: undefined }
  reportUnknown(fields, ['input', 'output'])
  return { input: compileSide(fields, 'input'), output: compileSide(fields, 'output') }
}

function compileSide(fields: Fields, side: 'input' | 'output'): CompiledSchema | undefined {
  const member = given(fields, side)
  if (!member) {
    reportMissing(fields, side)
    return undefined
  }
  const { node, key } = member
  const path = `interface.${side}`
  if (!node.members) {
    fields.report.add('aml/schema-object', key, `"${path}" must be a JSON Schema with type: object.`)
    return undefined
  }
  const isValid = checkSchema({ node, at: key, path, report: fields.report })
  if (!isValid) return undefined
  return { node, ...expandFiles(node.value as JsonSchema) }
}
