import type { JsonSchema } from '../../../contract/json-schema.js'
import { cleanWords } from '../../../platform/text/clean-words.js'
import type { CompiledOperation } from '../compiled.js'
import { compileBody } from './compile-body.js'
import { compileInput, MAX_PAGES } from './compile-input.js'
import { compileParameters, type OperationParts } from './compile-parameters.js'
import { compileOutput, compileResponse } from './compile-response.js'
import { compileSecurity, type SecuritySchemes } from './compile-security.js'
import { compileServers } from './compile-servers.js'
import { textAt, textsIn, type DocumentReader, type Part } from './document-reader.js'
import { exampleOf } from './example-of.js'
import { findPagination } from './find-pagination.js'
import { smallData } from './schema/small-data.js'

export interface FoundOperation extends OperationParts {
  readonly method: string
  readonly operationId: string | undefined
  readonly isAdditional: boolean
}

export interface OperationOptions {
  readonly name: string
  readonly schemes: SecuritySchemes
}

export function compileOperation(
  reader: DocumentReader,
  found: FoundOperation,
  { name, schemes }: OperationOptions,
): CompiledOperation {
  const { method, path, operation, operationId, isAdditional, pathItems } = found
  const parameters = compileParameters(reader, found)
  const read = compileBody(reader, found)
  const response = compileResponse(reader, operation)
  const compiled = parameters.map(({ parameter }) => parameter)
  const pagination = compiled.some(({ field }) => field === MAX_PAGES)
    ? undefined
    : findPagination(reader, { method, parameters, response })
  const { schema, body, content } = compileInput({ parameters, body: read, pagination }, reader.schemas)
  const said = [operation, ...pathItems]
  const security = compileSecurity(reader, { operation, schemes })
  const sent: ShownParts = {
    title: firstText(said, 'summary'),
    description: firstText(said, 'description'),
    inputSchema: schema,
    outputSchema: compileOutput(response, reader),
  }
  const shown = cleanWords(sent)
  if (shown !== sent) reader.problem(operation.at, 'its texts have hidden characters, which are left out')
  return {
    name,
    operationId,
    method,
    path,
    summary: shown.title,
    description: shown.description,
    tags: [...new Set(textsIn(operation.value['tags']))],
    isDeprecated: operation.value['deprecated'] === true,
    servers: compileServers(reader, found),
    security,
    schemes: schemesOf(security, schemes),
    parameters: compiled,
    body,
    response: response.response,
    input: shown.inputSchema,
    output: shown.outputSchema,
    examples: exampleOf(reader, { parameters, body, content, input: schema }),
    pagination,
    hints: hintsOf(operation),
    isAdditional,
    ...(shown !== sent && { asSent: { ...sent } }),
  }
}

/** What models read. */
interface ShownParts {
  readonly title: string | undefined
  readonly description: string | undefined
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | undefined
}

function schemesOf(
  security: CompiledOperation['security'],
  all: OperationOptions['schemes'],
): CompiledOperation['schemes'] {
  const names = new Set(security.flatMap((alternative) => Object.keys(alternative)))
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const scheme = all.get(name)
      return scheme ? [[name, scheme]] : []
    }),
  )
}

function firstText(parts: readonly Part[], name: string): string | undefined {
  return parts.map((part) => textAt(part, name)).find((text) => text !== undefined)
}

/** A longer hint is for documentation, such as code in several languages. */
const MAX_HINT_CHARS = 1_000

function hintsOf({ value }: Part): Record<string, unknown> {
  const hints = Object.entries(value).flatMap(([name, hint]): [string, unknown][] => {
    const data = name.startsWith('x-') ? smallData(hint, MAX_HINT_CHARS) : undefined
    return data === undefined ? [] : [[name, data]]
  })
  return Object.fromEntries(hints)
}
