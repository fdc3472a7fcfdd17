import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstLines } from './first-lines.mjs'
import { mustEqual } from './must-equal.mjs'
import { createWorkspace } from './workspace.mjs'

/**
 * One client over one transport, in a workspace of its own: lists, then a read, a call that waits for approval and a file of
 * 100 KB. Each cell says `ok` or what was seen instead; failures keep the client's own words.
 */
export async function tryClient({ client, transport, times, expected }) {
  const workspace = createWorkspace()
  const gateway = transport === 'http' ? await workspace.serve() : undefined
  const target = gateway ? { http: gateway.http } : { stdio: workspace.stdio }
  const failures = []
  const attempt = async (what, work) => {
    try {
      return await work()
    } catch (error) {
      failures.push(`${what}: ${firstLines(error)}`)
      return 'failed'
    }
  }
  try {
    let full = 0
    for (let round = 1; round <= times; round += 1)
      await attempt(`list ${round}`, async () => {
        await withClient(client, { ...target, workspace }, async ({ list }) =>
          mustEqual(await list(), expected),
        )
        full += 1
      })
    const calls = { read, approval, large }
    const cells = {}
    for (const [what, work] of Object.entries(calls))
      cells[what] = await attempt(what, () =>
        withClient(client, { ...target, workspace }, (opened) => work(opened, workspace)),
      )
    return { list: `${full}/${times}`, ...cells, failures }
  } finally {
    await gateway?.stop()
    workspace.remove()
  }
}

async function withClient(client, target, work) {
  const opened = await client.open(target)
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

async function read({ call }, workspace) {
  const { text, isError } = await call('files__read_text_file', { path: workspace.small })
  if (isError || !text.includes('A small file.'))
    throw new Error(`answered ${isError ? 'an error' : ''}: ${text}`)
  return 'ok'
}

/** The model must be able to tell its person what to do; the person does it, and the same call then goes through. */
async function approval({ call }, workspace) {
  const path = join(workspace.files, 'written.txt')
  const write = () => call('files__write_file', { path, content: 'Written after approval.' })
  const asked = await write()
  if (!/waits for approval/.test(asked.text) || !/toolcrib approvals/.test(asked.text))
    throw new Error(`the first answer does not say that and how to approve: ${asked.text}`)
  if (existsSync(path)) throw new Error('the file was written before anybody approved')
  const listed = await workspace.run(['approvals', '--json'])
  const [first] = listed.stdout.split('\n')
  if (!first) throw new Error(`toolcrib approvals lists nothing: ${listed.stderr}`)
  const approved = await workspace.approve(JSON.parse(first).approval_id)
  if (approved.code !== 0)
    throw new Error(`approvals approve ended with ${approved.code}: ${approved.stderr}`)
  const done = await write()
  if (done.isError) throw new Error(`the call after approval is an error: ${done.text}`)
  if (readFileSync(path, 'utf8') !== 'Written after approval.') throw new Error('the file was not written')
  return 'ok'
}

/** Shortened is allowed, with a way to read on; an error is not. */
async function large({ call }, workspace) {
  const whole = readFileSync(workspace.large, 'utf8')
  const { text, isError } = await call('files__read_text_file', { path: workspace.large })
  if (isError) throw new Error(`an error of ${text.length} characters: …${text.slice(-200)}`)
  if (!text.includes(whole.slice(0, 500))) throw new Error(`not the text of the file: ${text.slice(0, 200)}`)
  return text.includes(whole) ? 'whole' : 'shortened'
}
