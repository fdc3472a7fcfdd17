import { nearestWord } from '../../../../platform/config/nearest-word.js'
import type { JsonSchema } from '../../../../contract/json-schema.js'
import { coreObjects, ownSchemas, schemas } from '../../../../contract/schemas.js'
import { toEmitSchema } from '../../../../contract/to-emit-schema.js'
import type { ExitCode, Given } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run({ arguments: [name], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const names = [...coreObjects, ...Object.keys(ownSchemas), 'config', 'tool_file', 'agent_file']
  if (name !== undefined) {
    terminal.printJson(await schemaOf(name, names), 2)
  } else if (options.json) {
    terminal.printJson(names, 2)
  } else {
    for (const each of names) terminal.print(each)
  }
  return 0
}

async function schemaOf(name: string, names: readonly string[]): Promise<JsonSchema> {
  if (name === 'config')
    return { ...(await import('../../../../platform/config/schema/current-schema.js')).currentSchema() }
  if (name === 'tool_file')
    return (await import('../../../../sources/tool-file/schema/tool-file-schema.js')).toolFileSchema
  if (name === 'agent_file')
    return (await import('../../../../sources/tool-file/schema/agent-file-schema.js')).agentFileSchema
  const known: Record<string, JsonSchema> = { ...schemas, ...ownSchemas }
  if (Object.hasOwn(known, name)) return toEmitSchema(known[name]!)
  const near = nearestWord(name, names)
  throw usageProblem(
    `There is no record "${name}"; ${near ? `did you mean "${near}"?` : '"toolcrib schema" lists them.'}`,
  )
}
