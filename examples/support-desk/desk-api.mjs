// The small service behind the tool files of this folder.
import { createServer } from 'node:http'

const ARTICLES = ['Returns and refunds', 'Change a delivery address', 'Reset your password']

/** Serves until `close`. `questions` and `tickets` hold what was sent to it. */
export async function startDeskApi({ port = 0, token = 'desk-token' } = {}) {
  const [questions, tickets] = [[], []]

  function answer({ method, url, headers }, body) {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    switch (`${method} ${pathname}`) {
      case 'GET /articles':
        return findArticles(searchParams)
      case 'POST /tickets':
        if (headers.authorization !== `Bearer ${token}`) return [401, { message: 'The token is wrong.' }]
        if (tickets.some(({ subject, customer }) => subject === body.subject && customer === body.customer))
          return [409, { message: 'There is such a ticket.' }]
        return [201, { ticket: `T-${tickets.push(body)}` }]
      case 'POST /questions':
        questions.push(body)
        return [204]
      default:
        return [404, { message: 'There is nothing here.' }]
    }
  }

  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('')
    const [status, body] = answer(request, text === '' ? undefined : JSON.parse(text))
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body && JSON.stringify(body))
  })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    questions,
    tickets,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

function findArticles(query) {
  const words = query.get('query').toLowerCase().split(/\s+/)
  const found = ARTICLES.filter((title) => words.some((word) => title.toLowerCase().includes(word)))
  if (found.length === 0) return [404, { message: 'No article was found.' }]
  const articles = found.slice(0, Number(query.get('limit') ?? 5)).map((title) => ({
    title,
    url: `https://help.example/${title.toLowerCase().replaceAll(' ', '-')}`,
  }))
  return [200, { articles }]
}
