import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { httpHook, type HttpHookOptions } from 'toolcrib'
import { makeCall } from './make-call.js'

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

/** A real server on a free port that gives fixed answers and stores the requests. */
async function serve(
  answer: (response: ServerResponse, seen: Seen) => void,
): Promise<{ url: string; seen: Seen[]; connections: () => Promise<number> }> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const { method, url, headers } = request
      const one = { method, url, headers, body: JSON.parse(text) as Record<string, unknown> }
      seen.push(one)
      answer(response, one)
    })
    request.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
  }
}

const json =
  (value: unknown, status = 200) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const gate = (url: string, more: Partial<HttpHookOptions> = {}) =>
  httpHook({ id: 'gate', event: 'pre_tool_use', url, ...more })

describe('an endpoint', () => {
  it('gets the same JSON as a command, and its answer counts', async () => {
    const { url, seen } = await serve(
      json({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'closed today' } }),
    )
    const { result, story } = await makeCall([gate(`${url}/hooks?x=1`)], { input: { path: 'a' } })
    expect(result.status).toBe('denied')
    expect(result.error!.message).toContain('closed today')
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: '/hooks?x=1',
        headers: { 'content-type': 'application/json' },
        body: { hook_event_name: 'PreToolUse', tool_name: 'files.write', tool_input: { path: 'a' } },
      },
    ])
    expect(story.hooks[0]!.toolcrib).toMatchObject({
      outcome: 'blocked',
      transport: 'http',
      http_status: 200,
    })
  })

  it.each([204, 200])('with %d and no body has no effect', async (status) => {
    const { url } = await serve((response) => void response.writeHead(status).end())
    const { result, story } = await makeCall([gate(url)])
    expect(result.status).toBe('succeeded')
    expect(story.hooks[0]!.toolcrib).toMatchObject({ outcome: 'completed', http_status: status })
  })

  it('leaves no connection open', async () => {
    const { url, connections } = await serve(json({}))
    await makeCall([gate(url)])
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 20_000 })
  })

  it.each<[string, (response: ServerResponse) => void, RegExp, number?]>([
    ['500', json({ hookSpecificOutput: { permissionDecision: 'allow' } }, 500), /answered with 500/, 500],
    ['404', json({}, 404), /answered with 404/, 404],
    [
      'a redirect',
      (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
      /answered with 307, and redirects are not followed/,
      307,
    ],
    ['words', (response) => void response.end('all is well'), /not JSON/, 200],
    ['a list', json([]), /no object/, 200],
    ['a field of the wrong kind', json({ systemMessage: 5 }), /"systemMessage", which must be a text/, 200],
    [
      'too much',
      (response) => void response.end(JSON.stringify({ systemMessage: 'x'.repeat(1_100_000) })),
      /more than 1000000 bytes/,
    ],
    [
      'half of an answer',
      (response) => {
        response.writeHead(200, { 'content-length': 1000 })
        response.write('{"systemMessage":')
        setTimeout(() => response.destroy(), 5)
      },
      /cannot be reached/,
    ],
    ['a broken line', (response) => void response.destroy(), /cannot be reached \(ECONNRESET\)/],
  ])('that answers with %s has not allowed the call', async (_what, answer, problem, status) => {
    const { url, seen } = await serve(answer)
    const { result, story, executions, asked } = await makeCall([gate(url)], { approves: false })
    expect({ status: result.status, executions, asked }).toEqual({
      status: 'rejected',
      executions: 0,
      asked: 1,
    })
    expect(story.hooks[0]!.toolcrib).toMatchObject({ outcome: 'failed' })
    expect(story.hooks[0]!.toolcrib!['problem']).toMatch(problem)
    expect(story.hooks[0]!.toolcrib!['http_status']).toBe(status)
    expect(seen).toHaveLength(1)
  })

  it('that is unreachable has not allowed the call', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const { story } = await makeCall([gate(`http://127.0.0.1:${port}`)], { approves: true })
    expect(story.hooks[0]!.toolcrib!['problem']).toMatch(/cannot be reached \(ECONNREFUSED\)/)
  })

  it('that does not answer in time has its connection closed', async () => {
    const { url, connections } = await serve(() => {})
    const { result, story } = await makeCall([gate(url, { timeoutMs: 100 })])
    expect(result.status).toBe('rejected')
    expect(story.hooks[0]!.toolcrib).toMatchObject({ outcome: 'timed_out' })
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 20_000 })
  })

  it('gets headers with variables of this process, and no record has them', async () => {
    vi.stubEnv('HOOK_TOKEN', 'token-of-this-process')
    onTestFinished(() => void vi.unstubAllEnvs())
    // It repeats the headers that it got.
    const { url, seen } = await serve((response, { headers }) =>
      json({ systemMessage: headers.authorization })(response),
    )
    const hook = gate(url, { headers: { authorization: 'Bearer ${HOOK_TOKEN}', 'x-plain': 'yes' } })
    const { result, story } = await makeCall([hook])
    expect(seen[0]!.headers).toMatchObject({
      authorization: 'Bearer token-of-this-process',
      'x-plain': 'yes',
    })
    expect(JSON.stringify([result, story])).not.toContain('token-of-this-process')
  })

  it('a header whose variable is not set is a failure, and nothing is sent', async () => {
    const { url, seen } = await serve(json({}))
    const { story } = await makeCall([gate(url, { headers: { 'x-key': '${NO_SUCH_VARIABLE_HERE}' } })])
    expect(story.hooks[0]!.toolcrib!['problem']).toContain('NO_SUCH_VARIABLE_HERE')
    expect(seen).toEqual([])
  })

  it.each([
    ['not-an-address', 'needs a "url"'],
    ['file:///etc/passwd', 'needs a "url"'],
    ['https://user:secret@hooks.example', 'has a password in its "url"'],
  ])('at %s is refused', (url, sentence) => {
    expect(() => gate(url)).toThrow(sentence)
  })
})
