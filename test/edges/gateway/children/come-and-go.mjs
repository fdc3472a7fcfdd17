// Opens sessions, uses each once and leaves them: half with a word, half without. Then the process is gone, and with it
// every connection that it kept.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const AT_ONCE = 10
const [url, sessions] = process.argv.slice(2)

async function visit(index) {
  const transport = new StreamableHTTPClientTransport(new URL(url))
  const client = new Client({ name: 'visitor', version: '1.0.0' })
  await client.connect(transport)
  const { content } = await client.callTool({ name: 'peer__echo', arguments: { text: `${index}` } })
  if (content[0].text !== `${index}`) throw new Error(`visit ${index} got ${JSON.stringify(content)}`)
  if (index % 2 === 0) await transport.terminateSession()
  if (index % 3 === 0) await client.close()
}

for (let done = 0; done < Number(sessions); done += AT_ONCE)
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => visit(done + index)))
process.exit(0)
