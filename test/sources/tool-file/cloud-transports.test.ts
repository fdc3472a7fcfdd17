import { describe, expect, it } from 'vitest'
import { createLiveSecrets } from '../../../src/redaction/live-secrets.js'
import type { CompiledTool, ToolTransport } from '../../../src/sources/tool-file/compiled.js'
import { createFolderTools } from '../../../src/sources/tool-file/tools/folder-tools.js'
import { lambdaTransport } from '../../../src/sources/tool-file/transports/lambda/lambda-transport.js'
import { parseQueueAddress } from '../../../src/sources/tool-file/transports/message-queue/queue-address.js'
import { queueTransport } from '../../../src/sources/tool-file/transports/message-queue/queue-transport.js'
import type {
  OpenedTransport,
  TransportEnvironment,
} from '../../../src/sources/tool-file/transports/transport.js'

const environment: TransportEnvironment = {
  entry: 'support',
  env: {},
  live: createLiveSecrets(),
  codeFor: async () => undefined,
  now: Date.now,
  onProblem() {},
}
const credentials = { scheme: 'iam-role', settings: { kind: 'iam-role' } } as const

function toolWith(transport: ToolTransport): CompiledTool {
  return {
    file: 'tools/mail.tool.md',
    specVersion: '1.2',
    toolId: 'mail',
    version: '1.0.0',
    status: 'active',
    type: 'action',
    meta: { name: 'Mail', description: 'Sends.', owner: 'mail', tags: [] },
    input: { type: 'object' },
    output: { type: 'object' },
    fileFields: { input: [], output: [] },
    guidance: { use_when: [], avoid_when: [], side_effects: [] },
    errorCodes: {},
    transport,
    digest: 'd',
  }
}

function open(transport: ToolTransport): OpenedTransport {
  const tool = toolWith(transport)
  return transport.type === 'lambda'
    ? lambdaTransport(environment).open({ ...tool, transport })
    : queueTransport(environment).open({ ...tool, transport } as never)
}

const queue = (provider: 'aws' | 'gcp' | 'azure' | 'kafka', queue_url: string): ToolTransport => ({
  type: 'message-queue',
  provider,
  queue_url,
  message_format: 'json',
  credentials,
})
const lambda = (provider: 'aws' | 'gcp' | 'azure'): ToolTransport => ({
  type: 'lambda',
  provider,
  function_id: 'f',
  invocation_type: 'RequestResponse',
  payload_format: 'json',
  credentials,
})

describe('a library that is not installed', () => {
  const cases: [ToolTransport, string][] = [
    // The library of Amazon SQS is here: the emulator of the tests brings it.
    [
      { ...queue('aws', 'https://sqs.eu-west-1.amazonaws.com/1/q'), message_format: 'avro' } as ToolTransport,
      'avsc',
    ],
    [queue('gcp', 'projects/p/topics/t'), '@google-cloud/pubsub'],
    [queue('azure', 'https://n.servicebus.windows.net/q'), '@azure/service-bus and @azure/identity'],
    [queue('kafka', 'topic'), '@platformatic/kafka'],
    [lambda('aws'), '@aws-sdk/client-lambda'],
    [lambda('gcp'), 'google-auth-library'],
    [lambda('azure'), '@azure/identity'],
  ]
  it.each(cases)('is named for %j', (transport, packages) => {
    const nouns = packages.includes(' and ') ? 'the packages' : 'the package'
    expect(open(transport).missing?.()).toEqual({
      message: `"support" needs ${nouns} ${packages} for its tool (mail): run npm install ${packages.replace(' and ', ' ')}.`,
      code: 'toolcrib.setup_required',
    })
  })
})

it('[AML-FILE-07] [AML-FILE-09] the time limit of a tool is longer where it waits for work of others', async () => {
  const replied = {
    ...queue('aws', 'https://sqs.eu-west-1.amazonaws.com/1/q'),
    response_queue_url: 'https://sqs.eu-west-1.amazonaws.com/1/r',
  } as ToolTransport
  const cases: [ToolTransport, number][] = [
    [queue('aws', 'https://sqs.eu-west-1.amazonaws.com/1/q'), 5_000],
    [replied, 60_000],
    [{ ...replied, timeout_ms: 700 }, 700],
    [lambda('aws'), 60_000],
    [{ ...lambda('aws'), timeout_ms: 800 }, 800],
  ]
  for (const [transport, timeoutMs] of cases) {
    const tools = createFolderTools({ ...environment, settings: {}, folder: '.', hidesOwnSecrets: false })
    const [draft] = await tools.drafts([toolWith(transport)])
    expect(draft!.execution.timeoutMs).toBe(timeoutMs)
    await tools.close()
  }
})

describe('the address of a queue', () => {
  const parse = (provider: Parameters<typeof parseQueueAddress>[0], text: string, field = 'queue_url') =>
    parseQueueAddress(provider, text, { field: field as 'queue_url', env: {} })

  it('is read as each provider writes it', () => {
    expect(parse('aws', 'https://sqs.eu-west-1.amazonaws.com/1/q')).toEqual({
      server: 'https://sqs.eu-west-1.amazonaws.com',
      queue: 'https://sqs.eu-west-1.amazonaws.com/1/q',
      hosts: ['sqs.eu-west-1.amazonaws.com'],
    })
    expect(parse('gcp', 'https://pubsub.googleapis.com/v1/projects/p/topics/t')).toEqual({
      server: 'p',
      queue: 'projects/p/topics/t',
      hosts: ['pubsub.googleapis.com'],
    })
    expect(parse('azure', 'sb://n.servicebus.windows.net/t/subscriptions/s', 'response_queue_url')).toEqual({
      server: 'n.servicebus.windows.net',
      queue: 't/subscriptions/s',
      hosts: ['n.servicebus.windows.net'],
    })
    expect(parse('kafka', 'kafka://a:9092,b:9093/mail')).toEqual({
      server: 'a:9092,b:9093',
      queue: 'mail',
      hosts: ['a', 'b'],
    })
    expect(parse('kafka', 'mail.out')).toEqual({ server: '', queue: 'mail.out', hosts: [] })
  })

  it.each([
    ['aws', 'http://sqs.example/1/q'],
    ['aws', 'https://user:word@sqs.example/1/q'],
    ['gcp', 'projects/p/subscriptions/s'],
    ['azure', 'http://n.example/q'],
    ['azure', 'https://n.servicebus.windows.net/t/subscriptions/s'],
    ['kafka', 'kafka://a/mail'],
    ['kafka', 'kafka://user@a:9092/mail'],
    ['kafka', 'two words'],
  ] as const)('of %s is refused as %s', (provider, text) => {
    expect(parse(provider, text)).toMatch(/^must be /)
  })
})
