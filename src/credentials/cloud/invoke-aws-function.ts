import { awsOptions, regionOfArn } from './aws-options.js'
import type { FunctionAnswer, FunctionCall } from './function-call.js'
import { loadPackage } from './load-package.js'

interface Answer {
  readonly StatusCode?: number
  readonly FunctionError?: string
  readonly Payload?: Uint8Array
  readonly $metadata?: { readonly requestId?: string }
}

interface Library {
  LambdaClient: new (options: object) => {
    send(command: object, options: { abortSignal: AbortSignal }): Promise<Answer>
    destroy(): void
  }
  InvokeCommand: new (input: {
    FunctionName: string
    Payload: Uint8Array
    InvocationType: 'Event' | 'RequestResponse'
  }) => object
}

/** Invokes a function of AWS Lambda by its name or ARN. */
export async function invokeAwsFunction(call: FunctionCall): Promise<FunctionAnswer> {
  const { function_id, account, maxAttempts } = call
  const library = await loadPackage<Library>('@aws-sdk/client-lambda', call.owner)
  const client = new library.LambdaClient({
    ...awsOptions(regionOfArn(function_id), account),
    ...(maxAttempts !== undefined && { maxAttempts }),
  })
  try {
    const command = new library.InvokeCommand({
      FunctionName: function_id,
      Payload: Buffer.from(call.payload),
      InvocationType: call.isEvent ? 'Event' : 'RequestResponse',
    })
    const answer = await client.send(command, { abortSignal: call.signal })
    return {
      status: answer.StatusCode ?? 200,
      body: Buffer.from(answer.Payload ?? []),
      requestId: answer.$metadata?.requestId,
      functionError: answer.FunctionError,
    }
  } finally {
    client.destroy()
  }
}
