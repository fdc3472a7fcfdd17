import { createLiveSecrets } from '../build/redaction/live-secrets.js'
import { createRedactor } from '../build/redaction/redactor.js'

/** The environment of a transport, with what it reported. */
export function environment(more = {}) {
  const live = createLiveSecrets()
  const problems = []
  const late = []
  const { text } = createRedactor({ patterns: false, live })
  return {
    entry: 'support',
    env: process.env,
    live,
    codeFor: async () => undefined,
    now: Date.now,
    onProblem: (message) => problems.push(message),
    async recordLate(invocationId, answer) {
      late.push({ invocationId, ...answer })
      return 'recorded'
    },
    problems,
    late,
    isMasked: (secret) => text(`was ${secret}!`) === 'was [redacted]!',
    ...more,
  }
}

const OUTPUT = { type: 'object', properties: { message_id: { type: 'string' }, status: { type: 'string' } } }

export const iamRole = { scheme: 'iam-role', settings: { kind: 'iam-role' } }

/** A service account whose secret is in a variable. */
export const serviceAccount = (name) => ({
  scheme: 'service-account',
  settings: { kind: 'secret', scheme: 'service-account', secret: { source: 'env', name } },
})

/** A tool as the compiler makes it. */
export function tool(transport, more = {}) {
  return {
    file: 'tools/send-mail.tool.md',
    specVersion: '1.2',
    toolId: 'send-mail',
    version: '1.0.0',
    status: 'active',
    type: 'action',
    meta: { name: 'Send mail', description: 'Sends a mail.', owner: 'mail', tags: [] },
    input: { type: 'object', properties: { to: { type: 'string' } } },
    output: OUTPUT,
    fileFields: { input: [], output: [] },
    guidance: { use_when: [], avoid_when: [], side_effects: [] },
    errorCodes: {},
    digest: 'd',
    transport: { credentials: iamRole, ...transport },
    ...more,
  }
}

let calls = 0

/** What an executor gets, with its progress. */
export function callContext(more = {}) {
  const ending = new AbortController()
  const progress = []
  const invocationId = `inv_${process.pid}_${++calls}`
  return {
    invocationId,
    idempotencyKey: `key-of-${invocationId}`,
    attempt: 1,
    signal: ending.signal,
    stopSignal: ending.signal,
    progress: (update) => progress.push(typeof update === 'string' ? { message: update } : update),
    hide() {},
    cancel: (reason = new Error('canceled')) => ending.abort(reason),
    reports: progress,
    ...more,
  }
}

/** The facts of a failure that the record keeps. */
export async function failureOf(promise) {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it worked')
}

/** Waits for something that becomes true. */
export async function until(isTrue, what = 'it') {
  const end = Date.now() + 15_000
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`${what} did not happen`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
