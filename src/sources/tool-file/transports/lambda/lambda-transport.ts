import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import type { NativeFacts } from '../../../../catalog/native.js'
import type { SetupProblem } from '../../../../catalog/tool-draft.js'
import { toolOutput, type ToolOutput } from '../../../../catalog/tool-output.js'
import { unconfirmedCancel } from '../../../../catalog/unconfirmed-cancel.js'
import { regionOfArn } from '../../../../credentials/cloud/aws-options.js'
import { openCloudIdentity } from '../../../../credentials/cloud/cloud-identity.js'
import type { FunctionAnswer, InvokeFunction } from '../../../../credentials/cloud/function-call.js'
import { azureFunctionUrl } from '../../../../credentials/cloud/invoke-azure-function.js'
import { gcpFunctionUrl } from '../../../../credentials/cloud/invoke-gcp-function.js'
import { packagesMissing, type CloudPackage } from '../../../../credentials/cloud/load-package.js'
import { AnswerTooLong } from '../../../../http-client/send-request.js'
import type { LambdaTransport } from '../../compiled.js'
import { failure } from '../../../http/to-failure.js'
import { AML } from '../../native.js'
import { acceptedOutput, unfillableFields, type Acceptance } from '../accepted-output.js'
import { cloudFailure } from '../cloud-failure.js'
import { LONG_TIMEOUT_MS, ownLimitMs } from '../time-limit.js'
import type { OpenedTransport, ToolOn, Transport, TransportEnvironment } from '../transport.js'
import { functionFailure, refusedByGateway } from './function-failure.js'
import { toFunctionOutput, toPayload, unsendable } from './function-payload.js'

interface FunctionProvider {
  /** Its name in sentences. */
  readonly title: string
  readonly packages: readonly CloudPackage[]
  readonly invoke: InvokeFunction
  hostOf(functionId: string): string | undefined
}

const PROVIDERS: Readonly<Record<LambdaTransport['provider'], FunctionProvider>> = {
  aws: {
    title: 'AWS Lambda',
    packages: ['@aws-sdk/client-lambda'],
    invoke: async (call) =>
      (await import('../../../../credentials/cloud/invoke-aws-function.js')).invokeAwsFunction(call),
    hostOf(functionId) {
      const region = regionOfArn(functionId)
      return region === undefined ? undefined : `lambda.${region}.amazonaws.com`
    },
  },
  gcp: {
    title: 'Google Cloud Functions',
    packages: ['google-auth-library'],
    invoke: async (call) =>
      (await import('../../../../credentials/cloud/invoke-gcp-function.js')).invokeGcpFunction(call),
    hostOf: (functionId) => hostOfUrl(gcpFunctionUrl(functionId)),
  },
  azure: {
    title: 'Azure Functions',
    packages: ['@azure/identity'],
    invoke: async (call) =>
      (await import('../../../../credentials/cloud/invoke-azure-function.js')).invokeAzureFunction(call),
    hostOf: (functionId) => hostOfUrl(azureFunctionUrl(functionId)),
  },
}

const hostOfUrl = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined)

/** AWS allows 6 MB. */
const MAX_BYTES = 8 * 1024 * 1024

type LambdaTool = ToolOn<'lambda'>

/** Tools that are functions of a cloud. */
export function lambdaTransport(environment: TransportEnvironment): Transport<'lambda'> {
  const running = new Set<AbortController>()
  return {
    type: 'lambda',
    open: (tool) => openTool(tool, environment, running),
    async close() {
      for (const each of running) each.abort(new Error('The source of the tool was closed.'))
    },
  }
}

function openTool(
  tool: LambdaTool,
  environment: TransportEnvironment,
  running: Set<AbortController>,
): OpenedTransport {
  const { toolId, transport } = tool
  const { entry } = environment
  const { packages, hostOf, invoke } = PROVIDERS[transport.provider]
  const owner = { entry, name: toolId, part: 'tool' } as const
  const identity = openCloudIdentity(transport.credentials.settings, {
    ...environment,
    kind: transport.provider,
    owner,
  })
  const problem = eventProblem(tool, entry)
  const host = hostOf(transport.function_id)
  return {
    execution: 'http_api',
    hosts: host === undefined ? [] : [host],
    missing: () => problem ?? packagesMissing(owner, packages) ?? identity.missing(),
    timeoutMs: LONG_TIMEOUT_MS,
    ...(transport.payload_format === 'raw' && { check: (input) => unsendable(input) }),
    async call(input, context) {
      const ending = new AbortController()
      const timeoutMs = transport.timeout_ms ?? LONG_TIMEOUT_MS
      const timer = setTimeout(() => ending.abort(TIMED_OUT), ownLimitMs(timeoutMs))
      running.add(ending)
      const signal = AbortSignal.any([context.signal, ending.signal])
      try {
        const answer = await identity.use(async (account) => {
          signal.throwIfAborted()
          const given = await invoke({
            function_id: transport.function_id,
            ...toPayload(input, transport.payload_format),
            isEvent: transport.invocation_type === 'Event',
            owner,
            signal,
            account,
            // A function that failed has run: the library must not repeat it.
            maxAttempts: 1,
            timeoutMs,
            maxBytes: MAX_BYTES,
          })
          // A refused identity is tried again with a secret that has changed.
          if (given.isOfGateway && given.status === 401) throw refusedByGateway(given)
          return given
        })
        return toOutput(answer, tool)
      } catch (error) {
        throw toFailure(error, { tool, context, ending: ending.signal, timeoutMs })
      } finally {
        clearTimeout(timer)
        running.delete(ending)
      }
    },
  }
}

const TIMED_OUT = Symbol('timed out')

const acceptance = (id: string): Acceptance => ({
  idFields: ['request_id', 'requestId', 'id'],
  id,
  states: ['accepted', 'queued', 'sent', 'pending'],
})

function eventProblem({ toolId, transport, output }: LambdaTool, entry: string): SetupProblem | undefined {
  if (transport.invocation_type !== 'Event') return undefined
  const unfillable = unfillableFields(output, acceptance(''))
  if (unfillable.length === 0) return undefined
  return {
    message: `"${entry}" cannot call "${toolId}": its output requires ${unfillable.map((name) => `"${name}"`).join(', ')}, and with the invocation type Event only "request_id" and "status" are known.`,
    code: 'toolcrib.setup_required',
  }
}

function factsOf({ transport }: LambdaTool, answer?: FunctionAnswer): NativeFacts {
  const { provider, function_id, invocation_type } = transport
  return {
    source: AML,
    transport: 'lambda',
    provider,
    function_id,
    invocation_type,
    ...(answer && { status: answer.status }),
    ...(answer?.requestId !== undefined && { request_id: answer.requestId }),
  }
}

function toOutput(answer: FunctionAnswer, tool: LambdaTool): ToolOutput {
  const { toolId, transport, output } = tool
  const { title } = PROVIDERS[transport.provider]
  const native = factsOf(tool, answer)
  const failed = functionFailure(answer, { toolId, service: title, native })
  if (failed) throw failed
  if (answer.body.length > MAX_BYTES) throw tooLong(toolId, native)
  if (transport.invocation_type === 'Event')
    return toolOutput({ structured: acceptedOutput(output, acceptance(answer.requestId ?? '')), native })
  return toolOutput({ ...toFunctionOutput(answer, { toolId, transport, output, native }), native })
}

function tooLong(toolId: string, native: NativeFacts): Error {
  return failure(
    `The answer of "${toolId}" is not read: it is longer than ${MAX_BYTES} bytes; the call has run.`,
    { errorClass: 'execution_failed', code: 'toolcrib.answer_too_large', needsOtherArguments: true, native },
  )
}

interface FailedCall {
  readonly tool: LambdaTool
  readonly context: ExecuteContext
  readonly ending: AbortSignal
  readonly timeoutMs: number
}

function toFailure(error: unknown, { tool, context, ending, timeoutMs }: FailedCall): unknown {
  const { toolId, type, transport } = tool
  if (error instanceof Error && 'errorClass' in error) return error
  const isReadOnly = type === 'retrieval'
  const { title } = PROVIDERS[transport.provider]
  // The function goes on although nobody waits for it.
  if (context.signal.aborted) return isReadOnly ? context.signal.reason : unconfirmedCancel(title)
  const native = factsOf(tool)
  if (ending.aborted && ending.reason === TIMED_OUT)
    return failure(`"${toolId}" gave no answer within ${timeoutMs / 1000} s; the call may have run.`, {
      errorClass: 'timeout',
      code: 'toolcrib.timeout',
      nothingHappened: false,
      native,
    })
  if (error instanceof Error && error.cause instanceof AnswerTooLong) return tooLong(toolId, native)
  return cloudFailure(error, {
    service: title,
    toolId,
    act: 'invoke the function',
    field: 'function_id',
    isReadOnly,
    native,
  })
}
