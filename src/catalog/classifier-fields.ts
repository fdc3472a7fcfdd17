import { remember } from '../platform/json/remember.js'
import { readName } from '../policy/arguments/path-names.js'
import { readSchemaNames } from '../policy/arguments/schema-names.js'
import { argumentAt } from '../policy/patterns/argument-condition.js'
import type { ToolDraft } from './tool-draft.js'

/** Deeper fields are omitted: a tool with deeper nesting needs its own `classifierInput`. */
const MAX_DEPTH = 4

/**
 * The fields that a classifier is shown where the tool has no `classifierInput`: those declared as a command, URLs or
 * paths, and those that the schema names or describes as such. Dotted paths, computed once.
 */
export const classifierFields: (draft: ToolDraft) => readonly string[] = remember(
  ({ name: toolName, kind: toolKind, input }) => {
    const { commandField, urlFields, pathFields, modelSchema } = input
    const declared = [
      ...(commandField ? [commandField.field] : []),
      ...urlFields,
      ...pathFields.map(({ field }) => field),
    ]
    const { kinds } = readSchemaNames(modelSchema)
    // `source` and `target` are paths where the tool is about files: `move_file`.
    const isAboutFiles = toolKind === 'file_operation' || readName(toolName).kind === 'path'
    const tells = (name: string): boolean => {
      const { kind, isCommand } = readName(name)
      const said = kinds.get(name) ?? kind
      return isCommand || said === 'path' || said === 'uri' || (said === 'maybe' && isAboutFiles)
    }
    return [...new Set([...declared, ...fieldsIn(modelSchema, tells, 1)])]
  },
)

function fieldsIn(schema: unknown, tells: (name: string) => boolean, depth: number): string[] {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return []
  const { properties }: { properties?: unknown } = schema
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties).flatMap(([name, below]) =>
    tells(name) ? [name] : fieldsIn(below, tells, depth + 1).map((field) => `${name}.${field}`),
  )
}

/** The text for a classifier: the value itself for a single field, otherwise one line per field, with its name. */
export function classifierTextOf(fields: readonly string[], input: unknown): string {
  const given = fields.flatMap((field) => {
    const value: unknown = argumentAt(input, field)
    if (value === undefined || value === null) return []
    return [{ field, text: typeof value === 'string' ? value : JSON.stringify(value) }]
  })
  return given.length === 1 ? given[0]!.text : given.map(({ field, text }) => `${field}: ${text}`).join('\n')
}
