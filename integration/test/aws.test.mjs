import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startEndpoint } from './endpoint.mjs'
import { clock, failureOf, open } from './open.mjs'

const secrets = { 'prod/pets': '{"token":"canary-of-aws-1"}', binary: undefined }
const aws = await startEndpoint(({ headers, body }) => {
  const [service, action] = headers['x-amz-target'].split('.')
  const { SecretId: id } = JSON.parse(body)
  if (service !== 'secretsmanager' || action !== 'GetSecretValue') return { status: 400, json: {} }
  if (id === 'denied') return { status: 400, json: { __type: 'AccessDeniedException', message: 'canary' } }
  if (!(id in secrets) && !id.startsWith('arn:'))
    return { status: 400, json: { __type: 'ResourceNotFoundException', message: 'canary' } }
  if (id === 'binary') return { json: { Name: id, SecretBinary: btoa('canary-of-bytes') } }
  return { json: { Name: id, SecretString: secrets[id] ?? 'canary-of-arn' } }
})
after(() => aws.close())

Object.assign(process.env, {
  AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url,
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-process',
  AWS_REGION: 'eu-central-1',
  AWS_MAX_ATTEMPTS: '1',
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
})

const named = (secret_id, more) => ({ source: 'aws_secrets_manager', secret_id, ...more })

test('a secret of AWS Secrets Manager is read, masked, and kept for five minutes', async () => {
  const { credential, isMasked } = open(named('prod/pets', { key: 'token' }))
  assert.equal(credential.missing(), undefined)
  assert.deepEqual(await credential.proof(), { headers: { 'x-key': 'canary-of-aws-1' } })
  await credential.proof()
  assert.equal(aws.seen.length, 1)
  assert.match(
    aws.seen[0].headers.authorization,
    /Credential=AKIDEXAMPLE\/\d+\/eu-central-1\/secretsmanager\//,
  )
  assert.ok(isMasked('canary-of-aws-1'))
  secrets['prod/pets'] = '{"token":"canary-of-aws-2"}'
  clock.nowMs += 5 * 60_000
  assert.deepEqual(await credential.proof(), { headers: { 'x-key': 'canary-of-aws-2' } })
})

test('a secret that was rotated is read again after a 401', async () => {
  const { credential } = open(named('prod/pets', { key: 'token' }))
  const sent = await credential.proof()
  assert.equal(await credential.refused({ status: 401, wwwAuthenticate: undefined, sent }), 'give_up')
  secrets['prod/pets'] = '{"token":"canary-of-aws-3"}'
  clock.nowMs += 20_000
  assert.equal(await credential.refused({ status: 401, wwwAuthenticate: undefined, sent }), 'retry')
  assert.deepEqual(await credential.proof(), { headers: { 'x-key': 'canary-of-aws-3' } })
})

test('the region comes from the settings or the ARN', async () => {
  await open(named('binary', { region: 'us-east-2' })).credential.proof()
  assert.match(aws.seen.at(-1).headers.authorization, /\/us-east-2\//)
  const arn = 'arn:aws:secretsmanager:ap-south-1:123456789012:secret:pets-AbCdEf'
  assert.deepEqual(await open(named(arn)).credential.proof(), { headers: { 'x-key': 'canary-of-arn' } })
  assert.match(aws.seen.at(-1).headers.authorization, /\/ap-south-1\//)
})

test('without keys the metadata service is asked, unless AWS_EC2_METADATA_DISABLED is set', async (t) => {
  const metadata = await startEndpoint(() => ({ status: 404, json: {} }))
  const before = { ...process.env }
  t.after(() => {
    Object.assign(process.env, before)
    delete process.env.AWS_EC2_METADATA_SERVICE_ENDPOINT
    metadata.close()
  })
  process.env.AWS_EC2_METADATA_SERVICE_ENDPOINT = metadata.url
  delete process.env.AWS_ACCESS_KEY_ID
  delete process.env.AWS_SECRET_ACCESS_KEY
  const refused = () => failureOf(open(named('prod/pets')).credential.proof())
  assert.equal(process.env.AWS_EC2_METADATA_DISABLED, 'true')
  const asked = aws.seen.length
  assert.match((await refused()).message, /AWS Secrets Manager did not give the secret/)
  assert.equal(metadata.seen.length, 0)
  process.env.AWS_EC2_METADATA_DISABLED = 'false'
  assert.match((await refused()).message, /AWS Secrets Manager did not give the secret/)
  assert.ok(metadata.seen.length > 0)
  assert.equal(aws.seen.length, asked)
})

test('a failure is one sentence with the code of AWS and nothing of its message', async () => {
  assert.deepEqual(await failureOf(open(named('absent')).credential.proof()), {
    message:
      '"petstore" needs a credential (ApiKeyAuth): AWS Secrets Manager did not give the secret (ResourceNotFoundException).',
    code: 'toolcrib.credential_missing',
  })
  assert.match(
    (await failureOf(open(named('denied')).credential.proof())).message,
    /\(AccessDeniedException\)\.$/,
  )
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = 'http://127.0.0.1:1'
  assert.deepEqual(await failureOf(open(named('prod/pets')).credential.proof()), {
    message:
      '"petstore" needs a credential (ApiKeyAuth): AWS Secrets Manager did not give the secret (ECONNREFUSED).',
    code: 'toolcrib.dependency_unavailable',
  })
})
