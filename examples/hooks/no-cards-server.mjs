// The call is posted as JSON; the body of the answer says what is to become of it. 204: nothing to say.
import { createServer } from 'node:http'

const server = createServer(async (request, response) => {
  if (request.headers.authorization !== `Bearer ${process.env.HOOK_TOKEN}`)
    return response.writeHead(401).end()
  let text = ''
  for await (const chunk of request) text += chunk
  const { tool_response: output } = JSON.parse(text)
  if (!output?.card) return response.writeHead(204).end()
  const persistence = {
    strategy: 'redact',
    reason: 'Card numbers stay in the shop.',
    fields: ['card.number'],
  }
  const answer = { hookSpecificOutput: { hookEventName: 'ResultPersistence', persistence } }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})

server.listen(Number(process.env.PORT ?? 8787), '127.0.0.1', () => {
  console.log(`listening on port ${server.address().port}`)
})
