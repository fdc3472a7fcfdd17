import { Readable } from 'node:stream'
import type { ApiClient } from '../../../http-client/api-client.js'
import type { StopSignal } from '../../../platform/async/stop-signal.js'
import { isAllowedByRobots, MAX_ROBOTS_BYTES, parseRobots, type RobotsRules } from './robots.js'

/** The longest time that RFC 9309 allows. */
const KEPT_MS = 24 * 60 * 60 * 1000
/** A host whose robots.txt could not be read is asked again soon. */
const FAILED_MS = 60 * 1000
const MAX_HOSTS = 500
const TIMEOUT_MS = 10_000

export type RobotsAnswer =
  | 'allowed'
  | 'forbidden'
  /** The host has an error where its robots.txt is: it may forbid anything. */
  | 'unknown'

export interface RobotsPolicy {
  /** Rejects where the host cannot be reached. */
  check(url: URL, request: { readonly client: ApiClient; readonly signal: StopSignal }): Promise<RobotsAnswer>
}

export interface RobotsPolicyOptions {
  /** The name of the program in robots.txt. */
  readonly program: string
  readonly headers: Readonly<Record<string, string>>
  now(): number
}

interface KeptRules {
  /** Undefined where the host answered with an error. */
  readonly rules: RobotsRules | undefined
  readonly until: number
}

/** Reads the robots.txt of each host once a day. */
export function createRobotsPolicy({ program, headers, now }: RobotsPolicyOptions): RobotsPolicy {
  const kept = new Map<string, KeptRules>()

  async function load(
    origin: string,
    { client, signal }: Parameters<RobotsPolicy['check']>[1],
  ): Promise<KeptRules> {
    const { status, body } = await client.request({
      method: 'GET',
      url: new URL('/robots.txt', origin),
      headers: { ...headers, accept: 'text/plain' },
      signal,
      timeoutMs: TIMEOUT_MS,
      inlineBytes: 0,
      maxBytes: Number.MAX_SAFE_INTEGER,
    })
    const text = await startOf(body)
    // A redirect to another host is not followed; without the file there are no rules.
    if (status >= 500) return { rules: undefined, until: now() + FAILED_MS }
    const rules = status >= 200 && status < 300 ? parseRobots(text, program) : []
    return { rules, until: now() + KEPT_MS }
  }

  return {
    async check(url, request) {
      const { origin } = url
      let found = kept.get(origin)
      if (!found || found.until <= now()) {
        found = await load(origin, request)
        kept.delete(origin)
        kept.set(origin, found)
        if (kept.size > MAX_HOSTS) kept.delete(kept.keys().next().value!)
      }
      if (!found.rules) return 'unknown'
      return isAllowedByRobots(found.rules, url) ? 'allowed' : 'forbidden'
    },
  }
}

/** The first part of a file; the rest is not read. */
async function startOf(body: Buffer | Readable): Promise<string> {
  if (Buffer.isBuffer(body)) return body.toString('utf8', 0, MAX_ROBOTS_BYTES)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= MAX_ROBOTS_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_ROBOTS_BYTES)
}
