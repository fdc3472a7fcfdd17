import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { startFauxqs } from 'fauxqs'
import { createCrib, sqliteStore } from '../build/index.js'
import { toolFileSource } from '../build/sources/tool-file/tool-file-source.js'
import { until } from './tools.mjs'

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-late-'))
const server = await startFauxqs({ port: 0, logger: false })
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'plum tree by the lake' }
const client = new SQSClient({
  region: 'us-east-1',
  endpoint: `http://127.0.0.1:${server.port}`,
  credentials,
})
after(async () => {
  client.destroy()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const [{ queueUrl: mail }, { queueUrl: results }] = ['mail', 'results'].map((name) =>
  server.createQueue(name),
)
mkdirSync(join(folder, 'tools'))
writeFileSync(
  join(folder, 'tools/send-mail.tool.md'),
  `---
spec_version: "1.2"
tool_id: send-mail
version: 1.0.0
status: active
meta: { name: Send mail, description: "Sends a mail. Use it to tell people about their cases.", owner: mail }
type: action
interface:
  input: { type: object, properties: { to: { type: string } }, required: [to] }
  output: { type: object, properties: { sent: { type: boolean } } }
transport:
  type: message-queue
  provider: aws
  queue_url: ${mail}
  response_queue_url: ${results}
  timeout_ms: 300
  credentials: { scheme: service-account, source: env, name: ACCOUNT }
use_guidance: { use_when: [a case is closed], avoid_when: [never], side_effects: [Sends a mail.] }
---
`,
)
const ACCOUNT = JSON.stringify({
  access_key_id: credentials.accessKeyId,
  secret_access_key: credentials.secretAccessKey,
})

const open = (path) =>
  createCrib({
    store: sqliteStore({ path }),
    sources: [toolFileSource({ name: 'support', folder, env: { ACCOUNT } })],
    decider: () => ({ behavior: 'allow' }),
  })

const reply = (id, sent) =>
  client.send(
    new SendMessageCommand({
      QueueUrl: results,
      MessageBody: JSON.stringify({ sent }),
      MessageAttributes: { correlation_id: { DataType: 'String', StringValue: id } },
    }),
  )

async function lateAnswers(crib, invocation) {
  const found = []
  for await (const { event_type, data } of crib.events({ invocation }))
    if (event_type === 'toolcrib.result.late_answer') found.push(data.answer)
  return found
}

test('[AML-FILE-09] toolcrib show has the answer that came late, also after a restart', async () => {
  const path = join(folder, 'crib.db')
  const first = await open(path)
  const call = async (crib) =>
    crib.call(await crib.surface(), { name: 'aml.support.send-mail', input: { to: 'ana' }, retries: 0 })
  const [a, b] = [await call(first), await call(first)]
  assert.equal(a.error?.error_class, 'timeout', a.error?.message)
  // The sentence of the transport, which says more than that of the pipeline.
  assert.match(a.error.message, /An answer that comes later is recorded with inv_/)
  await reply(a.invocation_id, true)
  await until(async () => (await lateAnswers(first, a.invocation_id)).length === 1, 'the late answer')
  await first.close()
  // The process that made the call is gone; the next one that reads the response queue takes its answer.
  await reply(b.invocation_id, false)
  const second = await open(path)
  await call(second)
  await until(
    async () => (await lateAnswers(second, b.invocation_id)).length === 1,
    'the answer of the first process',
  )
  assert.deepEqual(await lateAnswers(second, b.invocation_id), [{ sent: false }])
  await second.close()
  const toolcrib = fileURLToPath(new URL('../../bin/toolcrib.js', import.meta.url))
  const shown = execFileSync(process.execPath, [toolcrib, 'show', a.invocation_id, '--store', path], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, TOOLCRIB_HOME: join(folder, 'home') },
  })
  assert.match(shown, /a late answer came \(message [\w-]+\):\s+\{"sent":true\}/)
})
