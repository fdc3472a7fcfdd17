// A crib in a separate process: makes a long result and requests approval to use it, or answers and continues.
import { appendFileSync, readFileSync } from 'node:fs'
import { createCrib, defineTool, sqliteStore } from '../../../lib/index.js'

const [folder, task, approvalId] = process.argv.slice(2)
const crib = await createCrib({
  store: sqliteStore({ path: `${folder}/crib.db`, pollMs: 5 }),
  reviewers: ['ann'],
  sealKey: Buffer.alloc(32, 7),
  decider: ({ tool }) => ({ behavior: tool.toolId === 'local.use' ? 'ask' : 'allow' }),
  tools: [
    defineTool({
      name: 'give',
      description: 'Gives.',
      isReadOnly: true,
      isOpenWorld: false,
      execute: () => 'the-content '.repeat(6000),
    }),
    defineTool({
      name: 'use',
      description: 'Uses.',
      paths: { file: 'read' },
      input: {
        jsonSchema: { type: 'object', properties: { text: { type: 'string' }, file: { type: 'string' } } },
      },
      execute: ({ text, file }) => {
        const seen = { pid: process.pid, chars: text.length, fileBytes: readFileSync(file).length }
        appendFileSync(`${folder}/effects`, `${JSON.stringify(seen)}\n`)
        return seen
      },
    }),
  ],
})
if (task === 'ask') {
  const surface = await crib.surface({ scope: 'session', session: 's1' })
  const given = await crib.call(surface, { name: 'give' })
  const ref = given.persisted_payload_ref.uri
  const call = crib.call(surface, { name: 'use', input: { text: ref, file: ref } })
  call.catch(() => {})
  const pending = await call.pending()
  await crib.flush()
  console.log(
    JSON.stringify({ ref, approvalId: pending.approval_id, invocationId: call.invocationId, pending }),
  )
  // Killed by the test while it waits.
  setInterval(() => {}, 1000)
} else {
  const outcome = await crib.approvals.answer(approvalId, { approved: true, by: 'ann' })
  console.log(JSON.stringify(outcome))
  const id = approvalId.replace(/^appr_(inv_[0-9a-z]+)_\d+$/, '$1')
  while (!(await crib.result(id))) await new Promise((resolve) => setTimeout(resolve, 10))
  console.log(JSON.stringify(await crib.result(id)))
  await crib.close()
}
