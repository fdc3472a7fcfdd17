import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { modules } from '../installed.mjs'

const ANSWER_MS = 120_000

/** Its `mcp list` only prints the config; the state of servers comes from its server for editors. */
export async function health({ env, folder }) {
  const program = join(modules, '@openai/codex/bin/codex.js')
  const child = spawn(process.execPath, [program, 'app-server'], { env, cwd: folder })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const timer = setTimeout(() => child.kill('SIGKILL'), ANSWER_MS)
  const ask = asker(child)
  try {
    const clientInfo = { name: 'toolcrib-clients', title: 'Clients', version: '1.0.0' }
    await ask('initialize', { clientInfo })
    const answer = await ask('mcpServerStatus/list', {})
    const found = answer.result?.data?.find(({ name }) => name === 'toolcrib')
    const tools = found && Object.keys(found.tools).length
    return { isConnected: Boolean(found?.serverInfo), tools, text: JSON.stringify(answer) }
  } finally {
    clearTimeout(timer)
    child.stdin.end()
    child.kill('SIGTERM')
    await ended
  }
}

/** Requests as lines of JSON; the answer is the line with the same id. */
function asker(child) {
  const waiting = new Map()
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    waiting.get(message.id)?.resolve(message)
  })
  child.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error(`codex app-server ended: ${stderr}`))
  })
  return (method, params) =>
    new Promise((resolve, reject) => {
      const id = waiting.size + 1
      waiting.set(id, { resolve, reject })
      child.stdin.write(`${JSON.stringify({ id, method, params })}\n`)
    })
}
