// Tools from files. support-desk/ has the tool files and the agent file of a help desk; they are compiled, published and
// called through the command line, the library and the surface of an agent. Everything is on this machine, and nothing is
// left behind.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createCrib, memoryStore } from 'toolcrib'
import { toolFileSource } from 'toolcrib/tool-files'
import { startDeskApi } from './support-desk/desk-api.mjs'

const TOKEN = 'token-of-the-desk'
const api = await startDeskApi({ token: TOKEN })
const place = mkdtempSync(join(tmpdir(), 'toolcrib-example-'))
const folder = join(place, 'desk')

/** A copy of the folder whose files name the port that is free now. */
function copyDesk() {
  cpSync(fileURLToPath(new URL('support-desk', import.meta.url)), folder, { recursive: true })
  for (const name of readdirSync(join(folder, 'tools'))) {
    const file = join(folder, 'tools', name)
    writeFileSync(file, readFileSync(file, 'utf8').replace('http://127.0.0.1:8788', api.url))
  }
}

/** What a model reads of a result. */
const wordsFor = (result) => result.model_facing_content.map(({ text }) => text).join('\n')

/** With the command: files are checked and published, and the folder is an entry of toolcrib.yaml. */
async function throughTheCommandLine() {
  const bin = fileURLToPath(new URL('../bin/toolcrib.js', import.meta.url))
  const env = {
    ...process.env,
    TOOLCRIB_HOME: join(place, 'home'),
    XDG_CONFIG_HOME: join(place, 'config'),
  }
  const toolcrib = async (...args) => {
    const running = promisify(execFile)(process.execPath, [bin, ...args], { cwd: place, env })
    running.child.stdin.end()
    return (await running).stdout.trimEnd()
  }
  console.log(await toolcrib('compile', 'desk', '--strict')) // Compiled 4 tools and 1 agent; no problems.
  await toolcrib('compile', 'desk', '--lock')

  // A change that breaks the callers of a published tool is an error, with its file, line and column.
  const file = join(folder, 'tools', 'search-articles.tool.md')
  const published = readFileSync(file, 'utf8')
  writeFileSync(file, published.replace("required: ['query']", "required: ['query', 'limit']"))
  await assert.rejects(
    toolcrib('compile', 'desk'),
    ({ code, stdout }) => code === 1 && /aml\/breaking-input/.test(stdout),
  )
  writeFileSync(file, published)

  await toolcrib('add', 'tools', 'desk', '--yes')
  const name = 'aml.desk.search-articles'
  const found = JSON.parse(await toolcrib('call', name, 'query=refunds', '--allow', name))
  console.log(found.articles[0].title) // Returns and refunds
  assert.equal(found.articles.length, 1)
}

/** With the library: the folder becomes a source of tools. */
async function throughTheLibrary(crib) {
  const surface = await crib.surface()
  const call = (name, input) => crib.call(surface, { name: `aml.desk.${name}`, input })

  const found = await call('search-articles', { query: 'address' })
  console.log(found.status, found.structured_content.articles[0].title) // succeeded Change a delivery address
  assert.equal(found.toolcrib.native.status, 200)

  const none = await call('search-articles', { query: 'warranty' })
  console.log(none.error.message.split('. ').at(-1)) // No article matches.
  assert.match(wordsFor(none), /Search again with fewer words/)

  const deadline = await call('reply-deadline', { opened: '2026-11-06', days: 1 })
  console.log(deadline.structured_content.due) // 2026-11-09
  assert.equal(deadline.status, 'succeeded')
}

/** The call waits until a person has filled in the form, which is the output schema of the tool file. */
async function answeredByAPerson(crib) {
  const surface = await crib.surface()
  const input = { order: 'o-7', reason: 'It arrived broken.' }
  const call = crib.call(surface, { name: 'aml.desk.refund-review', input })
  const { approval_id: id, form } = await call.pending()
  assert.deepEqual(form.required, ['decision'])

  const wrong = await crib.approvals.answer(id, { approved: true, by: 'ann', content: { decision: 'maybe' } })
  assert.equal(wrong.error.error_code, 'toolcrib.answer_invalid')
  await crib.approvals.answer(id, {
    approved: true,
    by: 'ann',
    content: { decision: 'refund', amount: 12.5 },
  })
  const { structured_content: answer } = await call
  console.log(answer.decision, answer.amount) // refund 12.5
  assert.equal(api.questions[0].question.approval_id, id, 'the question also went out over the transport')
}

/** The agent file is a surface: its tools, its approvals and its limits. */
async function asTheAgent(crib) {
  const surface = await crib.surface({ agent: 'support-agent', session: 'chat-1' })
  const call = (name, input) => crib.call(surface, { name: `aml.desk.${name}`, input })

  // Every tool is allowed by the rules of the crib; the agent file still demands an approval.
  const waiting = call('open-ticket', { subject: 'Broken lamp', customer: 'ada@example.com' })
  const { approval_id: id } = await waiting.pending()
  await crib.approvals.answer(id, { approved: true, by: 'ann' })
  console.log((await waiting).structured_content.ticket) // T-1

  const again = call('open-ticket', { subject: 'Broken lamp', customer: 'ada@example.com' })
  await crib.approvals.answer((await again.pending()).approval_id, { approved: true, by: 'ann' })
  assert.match(wordsFor(await again), /Tell the customer that the ticket exists/)

  for (let count = 0; count < 2; count++) await call('search-articles', { query: 'password' })
  const third = await call('search-articles', { query: 'password' })
  console.log(third.error.error_code) // toolcrib.budget_spent
  assert.equal(third.is_error, true)
}

try {
  copyDesk()
  await throughTheCommandLine()
  const crib = await createCrib({
    sources: [
      toolFileSource({
        name: 'desk',
        folder,
        code: join(folder, 'code.mjs'),
        tools: { 'refund-review': { queue: 'refunds', reviewers: ['ann'] } },
        env: { DESK_TOKEN: TOKEN },
      }),
    ],
    permission: { allow: ['aml.desk.*'] },
    reviewers: ['ann'],
    store: memoryStore(),
  })
  try {
    await throughTheLibrary(crib)
    await answeredByAPerson(crib)
    await asTheAgent(crib)
  } finally {
    await crib.close()
  }
} finally {
  await api.close()
  rmSync(place, { recursive: true })
}
