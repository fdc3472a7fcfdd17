/** Headers by which an API names the request in its own logs. */
const REQUEST_IDS = [
  'x-request-id',
  'request-id',
  'x-github-request-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-ms-request-id',
  'x-correlation-id',
  'x-trace-id',
  'cf-ray',
]

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export interface AnsweredRequest {
  readonly status: number
  readonly headers: Headers
}

/** What the record keeps of an answer beside its content, under the standard's names. */
export function answerFacts({ status, headers }: AnsweredRequest): {
  readonly status: number
  readonly request_id?: string
} {
  const requestId = requestIdOf(headers)
  return { status, ...(requestId !== undefined && { request_id: requestId }) }
}

function requestIdOf(headers: Headers): string | undefined {
  for (const name of REQUEST_IDS) {
    const value = textOf(headers[name])
    if (value !== undefined && value !== '') return value.slice(0, 200)
  }
  return undefined
}

export const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ')
