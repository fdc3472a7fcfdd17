import assert from 'node:assert/strict'
import { test } from 'node:test'
import { iamLogin } from '../build/sources/tool-file/transports/database/iam-login.js'

Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-process',
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
})

test('the identity of the process logs in to RDS with a token of AWS', async () => {
  const fields = {
    host: 'db.example.com',
    port: 5432,
    database: 'shop',
    username: 'reader',
    region: 'eu-west-1',
  }
  const {
    password,
    token_login: isToken,
    ...rest
  } = await iamLogin('postgresql', fields).load({
    entry: 'shop',
    name: 'postgresql',
  })
  assert.deepEqual(rest, fields)
  assert.equal(isToken, true)
  const { host, searchParams } = new URL(`https://${password}`)
  assert.equal(host, 'db.example.com:5432')
  assert.equal(searchParams.get('DBUser'), 'reader')
  assert.match(searchParams.get('X-Amz-Credential'), /^AKIDEXAMPLE\/\d+\/eu-west-1\/rds-db\/aws4_request$/)
})
