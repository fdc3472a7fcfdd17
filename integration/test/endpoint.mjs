import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'

/** An endpoint on this machine. `answer` gets the request with its body, and returns status, headers, and JSON or a text. */
export async function startEndpoint(answer, { tls } = {}) {
  const seen = []
  const listener = async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const asked = { method: request.method, url: request.url, headers: request.headers, body }
    seen.push(asked)
    const { status = 200, headers = {}, json, text = JSON.stringify(json) } = await answer(asked)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }
  const server = tls ? createHttps(tls, listener) : createHttp(listener)
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  const host = `127.0.0.1:${server.address().port}`
  return {
    host,
    url: `${tls ? 'https' : 'http'}://${host}`,
    seen,
    close: () =>
      new Promise((closed) => {
        server.close(closed)
        server.closeAllConnections()
      }),
  }
}
