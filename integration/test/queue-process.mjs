// One of several processes that share a response queue: calls a tool several times and prints the answers.
import { queueTransport } from '../build/sources/tool-file/transports/message-queue/queue-transport.js'
import { callContext, environment, tool } from './tools.mjs'

const { name, count, ...urls } = JSON.parse(process.argv[2])
const transport = queueTransport(environment({ recordLate: async () => 'unknown' }))
const mail = transport.open(
  tool({ type: 'message-queue', provider: 'aws', message_format: 'json', timeout_ms: 30_000, ...urls }),
)
const calls = Array.from({ length: count }, (_, at) => mail.call({ to: `${name}${at}` }, callContext()))
const answers = await Promise.all(calls)
await transport.close()
process.stdout.write(JSON.stringify(answers.map(({ structured }) => structured.echo)))
