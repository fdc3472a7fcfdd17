import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import type { NativeFacts } from '../../../../catalog/native.js'
import { toolOutput, type ToolOutput } from '../../../../catalog/tool-output.js'
import type { OpenedCredential } from '../../../../credentials/open-credential.js'
import type { ApiClient } from '../../../../http-client/api-client.js'
import { ownVersion } from '../../../../platform/files/own-package.js'
import { isObject } from '../../../../platform/json/is-object.js'
import { errorMessage } from '../../../../platform/text/error-message.js'
import { answerFacts, type AnsweredRequest } from '../../../http/answered-request.js'
import { outputOf, sendCall, type HttpCall } from '../../../http/send-call.js'
import type { CompiledTool } from '../../compiled.js'
import { AML } from '../../native.js'
import { inOnlyField } from '../only-field.js'
import { createTransportCredentials } from '../transport-credential.js'
import type { OpenedTransport, ToolOn, Transport, TransportEnvironment } from '../transport.js'
import { restOperation, type RestOperation } from './rest-operation.js'

/** The largest response that is read. */
const MAX_BYTES = 100 * 1024 * 1024

/** HTTP APIs. The config names the folder of the files, so that they may name addresses of this machine and its network. */
export function restTransport(environment: TransportEnvironment): Transport<'rest-api'> {
  let client: Promise<ApiClient> | undefined
  // Loaded by the first call: the library for connections takes longer than everything else at the start.
  const clientOf = (): Promise<ApiClient> =>
    (client ??= import('../../../../http-client/api-client.js').then(({ createApiClient }) =>
      createApiClient({ reach: 'named' }),
    ))
  const credentials = createTransportCredentials(environment)
  return {
    type: 'rest-api',
    open(tool) {
      const url = new URL(tool.transport.base_url)
      const credential = credentials.open(tool.transport.credentials, url.origin)
      return openRest(tool, { url, credential, clientOf, now: environment.now })
    },
    async close() {
      await (await client)?.close()
      await credentials.settled()
    },
  }
}

interface RestParts {
  readonly url: URL
  readonly credential: OpenedCredential | undefined
  clientOf(): Promise<ApiClient>
  now(): number
}

function openRest(tool: ToolOn<'rest-api'>, parts: RestParts): OpenedTransport {
  const { url, credential } = parts
  const operation = restOperation(tool)
  return {
    execution: 'http_api',
    hosts: [url.hostname],
    ...(credential && { missing: credential.missing }),
    urlOf(input) {
      try {
        return url.origin + operation.pathOf(input)
      } catch {
        // An input that cannot be sent goes nowhere.
        return undefined
      }
    },
    check(input) {
      try {
        operation.pathOf(input)
        return undefined
      } catch (error) {
        return errorMessage(error)
      }
    },
    call: (input, context) => callRest(tool, { ...parts, operation, input, context }),
  }
}

interface RestCall extends RestParts {
  readonly operation: RestOperation
  readonly input: Readonly<Record<string, unknown>>
  readonly context: ExecuteContext
}

async function callRest(tool: ToolOn<'rest-api'>, rest: RestCall): Promise<ToolOutput> {
  const { url, credential, operation, input, context, now } = rest
  const call: HttpCall = {
    peer: { name: url.host, advice: ADVICE },
    client: await rest.clientOf(),
    serverUrl: url,
    credential,
    context,
    headers: { accept: acceptOf(tool), 'user-agent': `toolcrib/${ownVersion()}` },
    maxBytes: MAX_BYTES,
    isReadOnly: tool.type === 'retrieval',
    factsOf,
    now,
  }
  const response = await sendCall(operation.request(input), call)
  return withField(withFile(withEmptyObject(outputOf(response, call)), tool), tool)
}

function factsOf(answer?: AnsweredRequest): NativeFacts {
  return { source: AML, ...(answer && answerFacts(answer)) }
}

const ADVICE: HttpCall['peer']['advice'] = {
  address: 'Correct "base_url" in the tool file.',
  size: 'Ask for less at a time.',
  redirect: 'write the address that is meant into "base_url" of the tool file',
  credential: () => 'Check the credential of the tool file.',
}

/** A tool whose output is a file takes any type. */
function acceptOf({ fileFields }: ToolOn<'rest-api'>): string {
  return fileFields.output.length > 0 ? 'application/json, */*;q=0.9' : 'application/json, */*;q=0.1'
}

/** An answer without a body is an object without members: the output of a tool file is an object. */
function withEmptyObject(output: ToolOutput): ToolOutput {
  const isEmpty = output.structured === undefined && output.stream === undefined && !output.content?.length
  return isEmpty ? toolOutput({ ...output, structured: {} }) : output
}

/** A body of bytes is the file of a tool whose output has one inline file, at the top. */
function withFile(output: ToolOutput, { fileFields }: Pick<CompiledTool, 'fileFields'>): ToolOutput {
  const [field, ...others] = fileFields.output
  const [block, ...blocks] = output.content ?? []
  if (output.structured !== undefined || !block || blocks.length > 0) return output
  if (!field || others.length > 0 || field.transfer !== 'inline' || field.path.length !== 1) return output
  const { data, text, media_type: type, name } = block
  const content = data ?? (text === undefined ? undefined : Buffer.from(text).toString('base64'))
  if (content === undefined) return output
  const file = {
    transfer: 'inline',
    filename: name ?? field.path[0],
    mime_type: type ?? 'text/plain',
    content,
  }
  return toolOutput({ ...output, content: [], structured: { [field.path[0]!]: file } })
}

/** A text or a list is the value of the only field that can hold it. */
function withField(output: ToolOutput, { output: schema }: Pick<CompiledTool, 'output'>): ToolOutput {
  const { structured, content: [block, ...others] = [] } = output
  const text = block?.type === 'text' && others.length === 0 ? block.text : undefined
  const value = structured ?? text
  const data = value === undefined || isObject(value) ? undefined : inOnlyField(schema, value)
  return data ? toolOutput({ ...output, structured: data }) : output
}
