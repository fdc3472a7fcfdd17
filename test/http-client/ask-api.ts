import { onTestFinished } from 'vitest'
import {
  createApiClient,
  type ApiClient,
  type ApiClientOptions,
  type ApiRequest,
} from '../../src/http-client/api-client.js'
import { RequestFailed } from '../../src/http-client/request-failed.js'

/** A client for the running test. */
export function openClient(options: Partial<ApiClientOptions> = {}): ApiClient {
  const client = createApiClient({ reach: 'named', ...options })
  onTestFinished(() => client.close())
  return client
}

export type Asked = Partial<Omit<ApiRequest, 'url'>>

export function toRequest(url: string | URL, asked: Asked = {}): ApiRequest {
  return {
    method: 'GET',
    url: new URL(url),
    headers: {},
    signal: new AbortController().signal,
    inlineBytes: 100_000,
    maxBytes: 1_000_000,
    ...asked,
  }
}

/** The status and the body, or the code of the failure. A "+" says that the request may have run. */
export async function ask(client: ApiClient, url: string | URL, asked?: Asked): Promise<string> {
  try {
    const { status, body } = await client.request(toRequest(url, asked))
    return `${status} ${Buffer.isBuffer(body) ? body.toString() : 'stream'}`.trim()
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error
    return `${error.code}${error.mayHaveRun ? '+' : ''}`
  }
}
