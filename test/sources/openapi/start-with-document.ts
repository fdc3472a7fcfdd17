import { createHash } from 'node:crypto'
import type { Document } from './open-tools.js'
import { startApi, type RunningApi } from './start-api.js'

/** An API that also serves its document, with an ETag. */
export async function startWithDocument(first: Document, { port = 0 } = {}) {
  const served = { document: first, answered304: 0, loads: 0, hasTag: true }
  const api: RunningApi = await startApi(
    ({ url, headers, method }, response) => {
      if (url !== '/openapi.json') return { method, url }
      const text = JSON.stringify(served.document)
      const etag = `"${createHash('sha256').update(text).digest('hex')}"`
      served.loads++
      if (served.hasTag && headers['if-none-match'] === etag) {
        served.answered304++
        response.writeHead(304).end()
        return undefined
      }
      response
        .writeHead(200, { 'content-type': 'application/json', ...(served.hasTag && { etag }) })
        .end(text)
      return undefined
    },
    { port },
  )
  return { api, served, document: `${api.url}/openapi.json` }
}
