import { Readable } from 'node:stream'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import { toolOutput, type ToolOutput } from '../../../catalog/tool-output.js'
import type { NativeFacts } from '../../../catalog/native.js'
import type { ApiClient, ApiResponse } from '../../../http-client/api-client.js'
import { isRedirect } from '../../../http-client/next-hop.js'
import { cleanText } from '../../../platform/text/clean-text.js'
import { answerFacts, textOf, type AnsweredRequest } from '../../http/answered-request.js'
import { bareType, isText } from '../../http/media-types.js'
import { outputOf, sendCall, toCallFailure, type HttpCall } from '../../http/send-call.js'
import { failure } from '../../http/to-failure.js'
import { decodeText } from './decode-text.js'
import { htmlToMarkdown } from './html-to-markdown.js'
import type { RobotsPolicy } from './robots-policy.js'

export interface FetchInput {
  readonly url: string
  /** `raw`: the body as the server sent it. */
  readonly format: 'markdown' | 'text' | 'raw'
}

export interface FetchEnvironment {
  readonly client: (url: URL) => ApiClient
  readonly headers: Readonly<Record<string, string>>
  readonly maxBytes: number
  /** Absent: robots.txt is not read. */
  readonly robots: RobotsPolicy | undefined
  now(): number
}

const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/** Fetches one page. Rejects with the failure of the call. */
export async function fetchPage(
  { url: given, format }: FetchInput,
  { client: clientOf, headers, maxBytes, robots, now }: FetchEnvironment,
  { stopSignal }: Pick<ExecuteContext, 'stopSignal'>,
): Promise<ToolOutput> {
  const url = new URL(given)
  url.hash = ''
  const client = clientOf(url)
  const call: HttpCall = {
    peer: peerOf(url),
    client,
    serverUrl: url,
    credential: undefined,
    context: { stopSignal },
    headers,
    maxBytes,
    isReadOnly: true,
    // From http to https; another host is another decision.
    redirectHosts: [url.host],
    takesRedirects: true,
    mayFollow: async (next) => {
      await checkRobots(next)
      return true
    },
    factsOf: (answer) => factsOf(url, answer),
    now,
  }
  async function checkRobots(next: URL): Promise<void> {
    if (!robots) return
    const answer = await robots
      .check(next, { client, signal: stopSignal })
      .catch((error: unknown) => Promise.reject(toCallFailure(error, call)))
    if (answer !== 'allowed') throw robotsFailure(next, answer)
  }
  await checkRobots(url)
  const path = url.pathname + url.search
  const response = await sendCall(
    { method: 'GET', url: path, headers: {}, cookies: undefined, body: undefined, contentType: undefined },
    call,
  )
  if (isRedirect(response.status)) throw redirectFailure(response)
  return toPage(response, { call, format })
}

/** The page in the wanted form. Text is converted while it arrives, so that a long page is never held as a whole. */
function toPage(
  response: ApiResponse,
  { call, format }: { call: HttpCall; format: FetchInput['format'] },
): ToolOutput {
  const { headers, body, url, isRedirected } = response
  const contentType = textOf(headers['content-type']) ?? ''
  const mediaType = bareType(contentType) || sniff(body)
  const isHtml = HTML.has(mediaType)
  if (!isHtml && !isText(mediaType)) return outputOf(response, call)
  const chunks = decodeText({ body, contentType, isMarkup: isHtml || /xml/.test(mediaType) })
  const native = call.factsOf(response)
  if (!isHtml || format === 'raw')
    return toolOutput({ stream: toStream(cleaned(chunks), { call, response }), mediaType, native })
  const text = readHtml(chunks, { url, format, isRedirected })
  return toolOutput({
    stream: toStream(text, { call, response }),
    mediaType: format === 'markdown' ? 'text/markdown' : 'text/plain',
    native,
  })
}

interface ReadOptions {
  readonly url: URL
  readonly format: 'markdown' | 'text'
  readonly isRedirected: boolean
}

async function* readHtml(
  chunks: AsyncIterable<string>,
  { url, format, isRedirected }: ReadOptions,
): AsyncGenerator<string> {
  const reader = htmlToMarkdown({ url, format })
  let hasHead = false
  function* withHead(text: string): Generator<string> {
    if (text === '') return
    if (!hasHead) yield headOf(reader.title, isRedirected ? url : undefined)
    hasHead = true
    yield text
  }
  for await (const chunk of chunks) yield* withHead(reader.write(chunk))
  yield* withHead(reader.end())
  if (reader.isCut) yield '\n(The rest of the page is left out: its elements are nested too deeply.)\n'
  if (!hasHead) yield headOf(reader.title, url)
}

/** What the text itself does not say. */
function headOf(title: string, url: URL | undefined): string {
  const lines = [...(title === '' ? [] : [`Title: ${title}`]), ...(url ? [`URL: ${url.href}`] : [])]
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`
}

async function* cleaned(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of chunks) if (chunk !== '') yield cleanText(chunk)
}

function toStream(text: AsyncIterable<string>, from: { call: HttpCall; response: ApiResponse }): Readable {
  const { call, response } = from
  async function* bytes(): AsyncGenerator<Buffer> {
    try {
      for await (const piece of text) if (piece !== '') yield Buffer.from(piece)
    } catch (error) {
      throw toCallFailure(error, call, response)
    } finally {
      if (!Buffer.isBuffer(response.body)) response.body.destroy()
    }
  }
  return Readable.from(bytes(), { objectMode: false })
}

/** The media type of a body that states none. */
function sniff(body: ApiResponse['body']): string {
  if (!Buffer.isBuffer(body)) return 'application/octet-stream'
  const start = body.toString('latin1', 0, 512).trimStart().toLowerCase()
  if (/^<(?:!doctype html|html|head|body)\b/.test(start)) return 'text/html'
  // As browsers decide: a text has no such bytes.
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(start) ? 'application/octet-stream' : 'text/plain'
}

function factsOf(asked: URL, answer?: AnsweredRequest & { url?: URL }): NativeFacts {
  const contentType = textOf(answer?.headers['content-type'])
  const url = answer?.url ?? asked
  return {
    source: 'http',
    method: 'GET',
    server_url: url.origin,
    url: url.href,
    ...(answer && answerFacts(answer)),
    ...(contentType !== undefined && { content_type: contentType.slice(0, 200) }),
  }
}

function peerOf(url: URL): HttpCall['peer'] {
  return {
    name: url.host,
    noun: url.host,
    advice: {
      address: `Add "${url.hostname}" to the hosts of builtins.fetch if it may be fetched.`,
      size: 'Raise "maxBytes" of builtins.fetch, or fetch a smaller page.',
      redirect: 'fetch that address.',
      credential: () => 'It needs a login, and http.fetch sends no credentials.',
    },
  }
}

function redirectFailure({ url, headers, status }: ApiResponse): Error {
  const location = textOf(headers['location']) ?? ''
  const target = URL.canParse(location, url.href) ? new URL(location, url).href : undefined
  const isSame = target !== undefined && new URL(target).host === url.host
  const message =
    target === undefined
      ? `${url.host} answered ${status} without an address to go to.`
      : isSame
        ? `${url.href} leads from one redirect to the next, the last one to ${target}.`
        : `${url.href} redirects to ${target}, which is another host; call http.fetch with that URL.`
  return failure(message.slice(0, 3_000), {
    errorClass: 'execution_failed',
    code: 'toolcrib.api_error',
    status,
    nothingHappened: true,
    needsOtherArguments: true,
    native: factsOf(url, { status, headers }),
  })
}

function robotsFailure(url: URL, answer: 'forbidden' | 'unknown'): Error {
  const why =
    answer === 'forbidden'
      ? `The robots.txt of ${url.host} forbids programs to read ${url.pathname}.`
      : `The robots.txt of ${url.host} cannot be read, so that it may forbid ${url.pathname}.`
  return failure(`${why} "robots: false" under builtins.fetch fetches it nevertheless.`, {
    errorClass: answer === 'forbidden' ? 'execution_failed' : 'dependency_unavailable',
    code: answer === 'forbidden' ? 'toolcrib.api_refused' : 'toolcrib.server_unavailable',
    nothingHappened: true,
    needsOtherArguments: answer === 'forbidden',
    native: { source: 'http', url: url.href },
  })
}
