// Makes a call that waits, and then does nothing more: what keeps this process alive is the call or nothing.
import { createCrib, defineTool, sqliteStore } from '../../../lib/index.js'

const [, , path, how] = process.argv
const crib = await createCrib({
  store: sqliteStore({ path }),
  tools: [defineTool({ name: 't', description: 'T.', execute: () => 'done' })],
  reviewers: ['ann'],
})
if (how === 'idle') {
  console.log('idle')
} else {
  const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
  console.log((await call.pending()).approval_id)
  if (how === 'close') await crib.close()
  else console.log((await call).status)
}
