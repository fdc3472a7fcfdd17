import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')

/** Files outside the client that use sockets, and why none of them sends a request to another host. */
const ALLOWED: Readonly<Record<string, string>> = {
  'edges/server/http-server.ts': 'listens for clients',
  'sources/mcp/oauth/receive-redirect.ts': 'listens on loopback for the browser to come back',
  'edges/cli/doctor/check-port.ts': 'listens for a moment to see whether a port is free',
  'edges/cli/socket/open-socket.ts': 'listens on a socket file of the user',
  'edges/cli/socket/find-gateway.ts': 'connects to that socket file, which is no host',
}

const MODULES =
  '(?:node:)?(?:https?|http2|net|tls|dgram|dns(?:/promises)?)|undici(?:/[^\'"`]*)?|axios|got|node-fetch|ws'
const SIGNS: readonly RegExp[] = [
  // `import type` and `import { type A }` alone load nothing.
  new RegExp(
    `\\b(?:import|export)(?!\\s+type\\b)(?:(?!\\bfrom\\b)[^;'"])*?\\bfrom\\s*['"](?:${MODULES})['"]`,
    'g',
  ),
  new RegExp(`\\bimport\\s*['"](?:${MODULES})['"]`, 'g'),
  new RegExp(`\\b(?:import|require|getBuiltinModule)\\s*\\(\\s*['"\`](?:${MODULES})['"\`]`, 'g'),
  /(?<![\w.$'"`|-])fetch\s*[(,;)}\]]/g,
  /\b(?:globalThis|global)\s*(?:\.\s*fetch|\[\s*['"]fetch)\b/g,
  /\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b/g,
]

function findRequests(text: string): string[] {
  const found = SIGNS.flatMap((sign) => [...text.matchAll(sign)].map(([match]) => match))
  return found.filter((match) => !/^import\s*\{\s*(?:type\s+[^,}]+,?\s*)+\}/.test(match))
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}

it('lets only the client open connections to other hosts', () => {
  const users = filesBelow(SRC)
    .filter((file) => findRequests(readFileSync(file, 'utf8')).length > 0)
    .map((file) => relative(SRC, file).split(sep).join('/'))
  const others = users.filter((file) => !file.startsWith('http-client/'))
  expect(others.toSorted()).toEqual(Object.keys(ALLOWED).toSorted())
})

it.each([
  `import { request } from 'node:https'`,
  `import http from 'http'`,
  `import * as net from 'node:net'`,
  `import { createServer, type Server } from 'node:http'`,
  `import 'undici'`,
  `export { Pool } from 'undici'`,
  `const { Agent } = await import('undici')`,
  `const tls = require('node:tls')`,
  `process.getBuiltinModule('node:net')`,
  `import pool from 'undici/lib/dispatcher/pool.js'`,
  `await fetch(url)`,
  `const options = { fetchFn: fetch, url }`,
  `use(fetch)`,
  `globalThis.fetch(url)`,
  `new WebSocket(url)`,
])('notices %s', (line) => {
  expect(findRequests(line)).not.toEqual([])
})

it.each([
  `import type { IncomingHttpHeaders } from 'node:http'`,
  `import { type Socket, type Server } from 'node:net'`,
  `import { request } from './http.js'`,
  `const answer = await library.fetch(url)`,
  `options.fetchFn(url)`,
  `['fetch', 'pull']`,
])('leaves %s alone', (line) => {
  expect(findRequests(line)).toEqual([])
})
