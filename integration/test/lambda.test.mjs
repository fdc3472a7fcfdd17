import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, beforeEach, test } from 'node:test'
import { lambdaTransport } from '../build/sources/tool-file/transports/lambda/lambda-transport.js'
import { transportContract } from './contract.mjs'
import { startEndpoint } from './endpoint.mjs'
import { startMetadata } from './gcp-metadata.mjs'
import { callContext, environment, failureOf, serviceAccount, tool } from './tools.mjs'

const ARN = 'arn:aws:lambda:eu-north-1:123456789012:function:mail'
const secret = 'plum tree by the lake'
const ACCOUNT = JSON.stringify({
  access_key_id: 'AKIDEXAMPLE',
  secret_access_key: secret,
  region: 'eu-west-1',
})

let answer
beforeEach(() => {
  answer = () => ({ headers: { 'x-amzn-requestid': 'request-1' }, json: { text: 'hello' } })
})
const functions = await startEndpoint((asked) => answer(asked))
const metadata = await startMetadata()
const identity = await startEndpoint(() => ({
  json: {
    access_token: 'token-of-the-machine',
    expires_on: `${Math.floor(Date.now() / 1000) + 3600}`,
    token_type: 'Bearer',
  },
}))
after(() => Promise.all([functions.close(), metadata.close(), identity.close()]))

Object.assign(process.env, {
  AWS_ENDPOINT_URL_LAMBDA: functions.url,
  AWS_ACCESS_KEY_ID: 'AKIDPROCESS',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-process',
  AWS_REGION: 'eu-central-1',
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
  AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential',
  IDENTITY_ENDPOINT: `${identity.url}/msi/token`,
  IDENTITY_HEADER: 'header-of-the-machine',
})

const ids = { aws: ARN, gcp: `${functions.url}/mail`, azure: `${functions.url}/api/mail` }

function open(transport, { tool: more, environment: given } = {}) {
  const around = environment(given)
  const provider = transport.provider ?? 'aws'
  const mail = lambdaTransport(around).open(
    tool(
      {
        type: 'lambda',
        provider,
        function_id: ids[provider],
        invocation_type: 'RequestResponse',
        payload_format: 'json',
        ...transport,
      },
      { output: { type: 'object', properties: { text: { type: 'string' } } }, ...more },
    ),
  )
  return { ...around, mail }
}

for (const provider of ['aws', 'gcp', 'azure'])
  test(`a function of ${provider} is called with the identity of this process, and its request id is kept`, async () => {
    answer = () => ({
      headers: { 'x-amzn-requestid': 'request-1', 'x-request-id': 'request-1' },
      json: { text: 'hello' },
    })
    const { mail } = open({ provider })
    assert.equal(mail.missing(), undefined)
    const { structured, native } = await mail.call({ to: 'ana' }, callContext())
    assert.deepEqual(structured, { text: 'hello' })
    assert.deepEqual([native.request_id, native.status, native.provider], ['request-1', 200, provider])
    assert.deepEqual(JSON.parse(functions.seen.at(-1).body), { to: 'ana' })
    assert.ok(functions.seen.at(-1).headers.authorization)
  })

test('the host of a function is stated where its id names it', () => {
  assert.deepEqual(open({}).mail.hosts, ['lambda.eu-north-1.amazonaws.com'])
  assert.deepEqual(open({ function_id: 'mail' }).mail.hosts, [])
  const gcp = 'projects/p/locations/europe-west1/functions/f'
  assert.deepEqual(open({ provider: 'gcp', function_id: gcp }).mail.hosts, [
    'europe-west1-p.cloudfunctions.net',
  ])
  const azure = '/subscriptions/1/resourceGroups/g/providers/Microsoft.Web/sites/app/functions/f'
  assert.deepEqual(open({ provider: 'azure', function_id: azure }).mail.hosts, ['app.azurewebsites.net'])
})

test('a service account is used, in the region of the function, and its secret is masked', async () => {
  const { mail, isMasked } = open(
    { credentials: serviceAccount('ACCOUNT') },
    { environment: { env: { ACCOUNT } } },
  )
  await mail.call({}, callContext())
  assert.match(
    functions.seen.at(-1).headers.authorization,
    /Credential=AKIDEXAMPLE\/\d+\/eu-north-1\/lambda\//,
  )
  assert.ok(isMasked(secret))
  const { mail: named } = open(
    { function_id: 'mail', credentials: serviceAccount('ACCOUNT') },
    { environment: { env: { ACCOUNT } } },
  )
  await named.call({}, callContext())
  assert.match(functions.seen.at(-1).headers.authorization, /\/eu-west-1\/lambda\//)
  const { mail: none } = open({ credentials: serviceAccount('ACCOUNT') }, { environment: { env: {} } })
  assert.equal(none.missing().message, '"support" needs a credential (send-mail): set the variable ACCOUNT.')
})

test('a call whose outcome nobody waits for gives the id of the request', async () => {
  const output = { type: 'object', properties: { request_id: {}, status: { enum: ['accepted'] } } }
  answer = () => ({ status: 202, headers: { 'x-amzn-requestid': 'request-2' }, text: '' })
  const { mail } = open({ invocation_type: 'Event' }, { tool: { output } })
  const { structured, native } = await mail.call({}, callContext())
  assert.deepEqual(structured, { request_id: 'request-2', status: 'accepted' })
  assert.equal(native.request_id, 'request-2')
  assert.equal(functions.seen.at(-1).headers['x-amz-invocation-type'], 'Event')
  answer = () => ({ status: 202, headers: { 'x-ms-request-id': 'request-3' }, text: 'not read' })
  const azure = open({ provider: 'azure', invocation_type: 'Event' }, { tool: { output } })
  assert.deepEqual((await azure.mail.call({}, callContext())).structured, {
    request_id: 'request-3',
    status: 'accepted',
  })
  const { mail: unfillable } = open(
    { invocation_type: 'Event' },
    { tool: { output: { required: ['price'] } } },
  )
  assert.match(unfillable.missing().message, /its output requires "price"/)
})

test('[AML-FILE-07] a raw payload is sent and returned as it is', async () => {
  answer = () => ({ headers: { 'content-type': 'text/plain' }, text: 'Dear Ana' })
  for (const provider of ['aws', 'gcp', 'azure']) {
    const { mail } = open({ provider, payload_format: 'raw' })
    const { structured } = await mail.call({ letter: 'to: ana' }, callContext())
    assert.deepEqual(structured, { text: 'Dear Ana' })
    assert.equal(functions.seen.at(-1).body, 'to: ana')
    assert.match(mail.check({ a: 1, b: 2 }), /exactly one field, and it has 2/)
  }
})

test("[AML-FILE-07] a function's own error is told apart from an error of the cloud", async () => {
  answer = () => ({
    headers: { 'x-amz-function-error': 'Unhandled', 'x-amzn-requestid': 'request-4' },
    json: { errorType: 'NoBox', errorMessage: 'There is no such box.' },
  })
  const own = await failureOf(open({}).mail.call({}, callContext()))
  assert.equal(
    own.message,
    'The function of "send-mail" on AWS Lambda failed (Unhandled NoBox): There is no such box.',
  )
  assert.deepEqual(
    [own.errorClass, own.code, own.native.code, own.native.request_id],
    ['execution_failed', 'toolcrib.tool_said_error', 'NoBox', 'request-4'],
  )
  answer = () => ({ status: 422, json: { message: 'No such box' } })
  const http = await failureOf(open({ provider: 'azure' }).mail.call({}, callContext()))
  assert.equal(
    http.message,
    'The function of "send-mail" on Azure Functions failed (422 Unprocessable Entity): No such box',
  )
  assert.deepEqual([http.code, http.status], ['toolcrib.tool_said_error', 422])
})

test('errors of the cloud say what to do and whether the call may have run', async () => {
  const aws = (status, type) => () => ({
    status,
    headers: { 'x-amzn-errortype': type },
    json: { Message: 'canary' },
  })
  const cases = [
    [aws(404, 'ResourceNotFoundException'), 'setup_required', true, /does not know the "function_id"/],
    [aws(403, 'AccessDeniedException'), 'setup_required', true, /does not permit "send-mail" to invoke/],
    [aws(403, 'UnrecognizedClientException'), 'credential_missing', true, /does not accept the credential/],
    [aws(429, 'TooManyRequestsException'), 'rate_limited', true, /too many requests/],
    [aws(503, 'ServiceException'), 'execution_failed', false, /the call may have run/],
  ]
  for (const [given, errorClass, nothingHappened, words] of cases) {
    answer = given
    const before = functions.seen.length
    const failed = await failureOf(open({}).mail.call({}, callContext()))
    assert.deepEqual(
      [failed.errorClass, failed.nothingHappened],
      [errorClass, nothingHappened],
      failed.message,
    )
    assert.match(failed.message, words)
    assert.doesNotMatch(failed.message, /canary/)
    // An action is sent once.
    assert.equal(functions.seen.length, before + 1)
  }
  answer = () => ({ status: 403, headers: { 'content-type': 'text/html' }, text: '<p>canary' })
  const gateway = await failureOf(open({ provider: 'gcp' }).mail.call({}, callContext()))
  assert.equal(gateway.errorClass, 'setup_required')
  answer = () => ({ status: 429, headers: { 'retry-after': '7' }, json: {} })
  const busy = await failureOf(open({ provider: 'gcp' }).mail.call({}, callContext()))
  assert.deepEqual([busy.errorClass, busy.retryAfter], ['rate_limited', 7])
  const away = await failureOf(
    open({ provider: 'gcp', function_id: 'http://127.0.0.1:1/mail' }).mail.call({}, callContext()),
  )
  assert.deepEqual([away.errorClass, away.nothingHappened], ['dependency_unavailable', true], away.message)
})

test('an answer that is no JSON or too long is refused', async () => {
  answer = () => ({ text: '<html>' })
  const broken = await failureOf(open({}).mail.call({}, callContext()))
  assert.equal(broken.message, 'The answer of "send-mail" cannot be read: it is not JSON; the call has run.')
  answer = () => ({ json: { text: 'x'.repeat(9 * 1024 * 1024) } })
  for (const provider of ['aws', 'azure']) {
    const long = await failureOf(open({ provider }).mail.call({}, callContext()))
    assert.deepEqual(
      [long.errorClass, long.code],
      ['execution_failed', 'toolcrib.answer_too_large'],
      long.message,
    )
  }
})

test('a call ends at its time limit and when it is canceled', async () => {
  let waiting = 0
  answer = () => new Promise(() => waiting++)
  for (const provider of ['aws', 'gcp', 'azure']) {
    const failed = await failureOf(open({ provider, timeout_ms: 250 }).mail.call({}, callContext()))
    assert.equal(failed.message, '"send-mail" gave no answer within 0.25 s; the call may have run.')
    const context = callContext()
    const before = waiting
    const running = failureOf(open({ provider }).mail.call({}, context))
    while (waiting === before) await new Promise((resolve) => setTimeout(resolve, 5))
    context.cancel()
    assert.equal((await running).code, 'CANCEL_UNCONFIRMED')
  }
})

test('the address of a function must be safe', async () => {
  for (const provider of ['gcp', 'azure']) {
    const plain = await failureOf(
      open({ provider, function_id: 'http://functions.example/f' }).mail.call({}, callContext()),
    )
    assert.match(plain.message, /its address is not https/)
    const none = await failureOf(open({ provider, function_id: 'f' }).mail.call({}, callContext()))
    assert.match(none.message, /needs an https address as "function_id" of its tool \(send-mail\)/)
  }
})

/** A service of AWS Lambda whose function does what its name says. */
const counts = { calls: 0, aborted: 0, sockets: new Set() }
const work = createServer(async (request, response) => {
  counts.calls++
  let isAnswered = false
  response.on('close', () => isAnswered || counts.aborted++)
  const does = /function%3A(\w+)/.exec(request.url)[1]
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  if (does === 'hang') return
  isAnswered = true
  const headers = { 'x-amzn-requestid': 'r', ...(does === 'refuse' && { 'x-amz-function-error': 'Handled' }) }
  const answers = {
    answer: () => ({ text: JSON.parse(body).text.replace('say it', secret) }),
    mismatch: () => ({ other: secret }),
    large: () => ({ text: 'long '.repeat(300_000) }),
    refuse: () => ({ errorType: 'Refused', errorMessage: `Not with ${secret}` }),
  }
  response.writeHead(200, headers).end(JSON.stringify(answers[does]()))
})
work.on('connection', (socket) => {
  counts.sockets.add(socket)
  socket.on('close', () => counts.sockets.delete(socket))
})
await new Promise((resolve) => work.listen(0, '127.0.0.1', resolve))
after(() => work.closeAllConnections() ?? work.close())
const workUrl = `http://127.0.0.1:${work.address().port}`

transportContract('lambda', {
  tool: (does) => {
    process.env.AWS_ENDPOINT_URL_LAMBDA = workUrl
    return {
      transport: {
        type: 'lambda',
        provider: 'aws',
        function_id: `arn:aws:lambda:eu-north-1:123456789012:function:${does}`,
        invocation_type: 'RequestResponse',
        payload_format: 'json',
        credentials: serviceAccount('ACCOUNT'),
      },
    }
  },
  env: { ACCOUNT },
  answer: (text) => ({ text }),
  echoed: 'say it',
  refusal: { code: 'Refused', errorClass: 'execution_failed' },
  hosts: ['lambda.eu-north-1.amazonaws.com'],
  secrets: [secret],
  calls: () => counts.calls,
  aborted: () => counts.aborted,
  connections: () => counts.sockets.size,
})
