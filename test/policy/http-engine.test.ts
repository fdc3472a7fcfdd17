import { gzipSync } from 'node:zlib'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { askEngine, httpEngine } from 'toolcrib'
import { engineRequest } from './requests.js'
import { bodyOf, startServer } from './start-server.js'
import { engineVersion } from '../crib/records/version-of.js'

const answering =
  (answer: unknown): RequestListener =>
  (_request, response) =>
    void response.end(JSON.stringify(answer))

async function ask(listener: RequestListener, timeoutMs = 20_000) {
  const engine = httpEngine({ url: await startServer(listener), name: 'opa' })
  return askEngine(engine, engineRequest(), { timeoutMs })
}

describe('httpEngine', () => {
  it('posts the request as JSON under "input", with its headers', async () => {
    let seen: unknown
    const url = await startServer((request, response) => {
      void bodyOf(request).then((body) => {
        const { method, headers } = request
        seen = { method, type: headers['content-type'], token: headers['authorization'], body }
        response.end('{"result": true}')
      })
    })
    const headers = async () => ({ authorization: 'Bearer t', 'content-type': 'text/plain' })
    const verdict = await askEngine(httpEngine({ url, headers }), engineRequest())
    expect(verdict).toMatchObject({ behavior: 'allow', source: 'toolcrib.engine' })
    expect(seen).toEqual({
      method: 'POST',
      type: 'application/json',
      token: 'Bearer t',
      body: { input: engineRequest() },
    })
  })

  it.each<[unknown, string]>([
    [{ result: true }, 'allow'],
    [{ result: false }, 'deny'],
    [{ result: { allow: true } }, 'allow'],
    [{ result: { allow: false, reason: 'no' } }, 'deny'],
    [{ result: { allow: true, ask: true } }, 'ask'],
    [{ result: { allow: true, deny: [] } }, 'allow'],
    [{ result: { allow: true, deny: ['too large'] } }, 'deny'],
    [{ allow: true, behavior: 'ask' }, 'ask'],
    [{ behavior: 'ask', message: 'hm', policy_refs: ['p1'] }, 'ask'],
    [{ decision: 'Allow' }, 'allow'],
    [{ decision: false, context: { reason: 'no' } }, 'deny'],
    [{ result: true, decision: 'deny' }, 'deny'],
    [{ result: { behavior: 'allow' } }, 'allow'],
  ])('understands %j as %s', async (answer, behavior) => {
    expect((await ask(answering(answer))).behavior).toBe(behavior)
  })

  it('keeps the reason and the policies that the endpoint names', async () => {
    const verdict = await ask(
      answering({ result: { allow: false, reason: 'after hours', policy_refs: ['hours'] } }),
    )
    expect(verdict).toMatchObject({
      reason: { message: 'The policy engine "opa" says deny: after hours' },
      policy_refs: [engineVersion('opa'), engineVersion('opa', 'hours')],
    })
  })

  it.each<[string, object]>([
    ['updated_input', { behavior: 'allow', updated_input: {} }],
    ['updated_input', { result: { allow: true, updated_input: {} } }],
    ['updatedInput', { allow: true, updatedInput: {} }],
    ['content_blocks', { decision: true, content_blocks: [] }],
    ['policyRefs', { behavior: 'allow', policyRefs: ['p1'] }],
    ['obligations', { result: { behavior: 'allow', obligations: ['log'] } }],
  ])('an answer with "%s", which would not be applied, is a deny that names it: %j', async (key, answer) => {
    const verdict = await ask(answering(answer))
    expect(verdict.behavior).toBe('deny')
    expect(verdict.reason!.message).toContain(`"${key}"`)
  })

  it('a policy document may hold more than its decision', async () => {
    expect((await ask(answering({ result: { allow: true, is_admin: true } }))).behavior).toBe('allow')
  })

  it.each<[string, unknown]>([
    ['an empty object', {}],
    ['a list', [true]],
    ['null', null],
    ['a word', 'allow'],
    ['a result that is a word', { result: 'allow' }],
    ['a result without a decision', { result: { user: 'x' } }],
    ['an allow that is a word', { result: { allow: 'true' } }],
    ['a decision that nobody knows', { decision: 'maybe' }],
    ['an allow beside a decision that nobody knows', { allow: true, decision: 'maybe' }],
    ['a false ask and nothing else', { ask: false }],
  ])('%s is a deny', async (_what, answer) => {
    expect(await ask(answering(answer))).toMatchObject({
      behavior: 'deny',
      reason: {
        message:
          'The policy engine "opa" failed (its answer holds no decision that can be read), so the call is denied.',
      },
    })
  })

  const allow = JSON.stringify({ result: true })
  it.each<[string, RequestListener, string]>([
    ['HTTP 500', (_, response) => void response.writeHead(500).end(allow), 'it answered with HTTP 500'],
    ['HTTP 404', (_, response) => void response.writeHead(404).end(allow), 'it answered with HTTP 404'],
    ['no JSON', (_, response) => void response.end('<html>yes</html>'), 'its answer is not JSON'],
    ['nothing', (_, response) => void response.end(), 'its answer is not JSON'],
    [
      'half an answer',
      (_, response) => {
        response.writeHead(200, { 'content-length': 1000 })
        response.write('{"result": true', () => response.destroy())
      },
      'it cannot be reached (ECONNRESET)',
    ],
    ['a closed connection', (request) => void request.socket.destroy(), 'it cannot be reached'],
    [
      'a huge answer',
      (_, response) => void response.end(`{"result": true, "x": "${'x'.repeat(2 ** 21)}"}`),
      'it answered with more than 1048576 bytes',
    ],
    [
      'an answer that is packed, which nobody asked for',
      (_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(gzipSync(`{"result": true, "x": "${'x'.repeat(2 ** 24)}"}`))
      },
      'its answer is not JSON',
    ],
  ])('%s is a deny', async (_what, listener, problem) => {
    const verdict = await ask(listener)
    expect(verdict.behavior).toBe('deny')
    expect(verdict.reason!.message).toContain(`The policy engine "opa" failed (${problem}`)
  })

  it('follows no redirect, even to an endpoint that would allow', async () => {
    let wasAsked = false
    const elsewhere = await startServer((_request, response) => {
      wasAsked = true
      response.end(allow)
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const verdict = await ask(
        (_request, response) => void response.writeHead(status, { location: elsewhere }).end(allow),
      )
      expect(verdict).toMatchObject({
        behavior: 'deny',
        reason: {
          message: `The policy engine "opa" failed (it answered with a redirect (${status}), which is not followed), so the call is denied.`,
        },
      })
    }
    expect(wasAsked).toBe(false)
  })

  it('an endpoint that does not answer, or never ends its answer, is a deny', async () => {
    for (const listener of [
      () => {},
      (_request, response) => void response.write('{"result": '),
    ] satisfies RequestListener[]) {
      expect(await ask(listener, 50)).toMatchObject({
        behavior: 'deny',
        reason: { message: 'The policy engine "opa" did not answer within 50 ms, so the call is denied.' },
      })
    }
  })

  it('an unreachable endpoint is a deny', async () => {
    const server = createServer()
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    await new Promise((closed) => server.close(closed))
    const engine = httpEngine({ url: `http://127.0.0.1:${port}/`, name: 'opa' })
    expect(await askEngine(engine, engineRequest(), { timeoutMs: 20_000 })).toMatchObject({
      behavior: 'deny',
      reason: {
        message:
          'The policy engine "opa" failed (it cannot be reached (ECONNREFUSED)), so the call is denied.',
      },
    })
  })

  it('headers that cannot be resolved or sent are a deny that does not quote them', async () => {
    const url = await startServer(answering({ result: true }))
    for (const headers of [
      { authorization: 'secret\nvalue' },
      () => ({ authorization: 'secret\nvalue' }),
      async () => ({ 'no good name': 'secret' }),
    ]) {
      const verdict = await askEngine(httpEngine({ url, headers }), engineRequest())
      expect(verdict.behavior).toBe('deny')
      expect(verdict.reason!.message).not.toContain('secret')
    }
  })

  it.each<[unknown, string]>([
    [{ url: 'ftp://x' }, 'An HTTP engine needs a "url" that starts with http:// or https://.'],
    [{}, 'An HTTP engine needs a "url" that starts with http:// or https://.'],
    [
      { url: 'http://me:secret@x/' },
      'An HTTP engine: put the user and password of "url" into "headers" as authorization.',
    ],
    [{ url: 'http://x/', header: {} }, 'An HTTP engine has no option "header"; did you mean "headers"?'],
    [
      { url: 'http://x/', timeoutMs: 0 },
      'An HTTP engine: "timeoutMs" must be a number above 0, not the number 0.',
    ],
    [undefined, 'An HTTP engine takes an object of options, not nothing.'],
  ])('%j is refused when it is written', (options, sentence) => {
    expect(() => httpEngine(options as never)).toThrow(new TypeError(sentence))
  })
})
