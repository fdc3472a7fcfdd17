/** Speaks the HTTP API of a server with one token. */
export function createApi(url, token) {
  async function ask(method, path, body) {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = text === '' ? undefined : JSON.parse(text)
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${answer?.detail ?? answer?.title ?? text}`)
    return answer
  }
  return {
    get: (path) => ask('GET', path),
    post: (path, body = {}) => ask('POST', path, body),
    /** The result of a call, once it has ended. */
    async resultOf(id) {
      for (;;) {
        const { result } = await ask('GET', `/invocations/${id}`)
        if (result) return result
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    },
  }
}
