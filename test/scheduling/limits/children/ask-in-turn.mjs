// Asks a rateLimits as fast as it can, on a clock that stands still, and prints how often it was let in.
import { createRateLimits } from '../../../../dist/scheduling/limits/create-rate-limits.js'
import { createCatalog } from '../../../../dist/catalog/catalog.js'
import { defineTool, sqliteStore } from '../../../../dist/index.js'

const [, , path, limits, now, times] = process.argv
const store = sqliteStore({ path })
await store.open()
const catalog = createCatalog()
const toolOf = (namespace, name) =>
  defineTool({ namespace, name, description: 'Does it.', execute: () => 'done' })
catalog.add('function', [toolOf('math', 'add'), toolOf('web', 'fetch')])
const rateLimits = createRateLimits({
  limits: JSON.parse(limits),
  store,
  now: () => Number(now),
  find: catalog.find,
})

async function ask(tool) {
  const row = { tenant: 'default', surfaceId: 'surface_1', session: 's', actor: 'a', toolId: tool.toolId }
  for (;;) {
    const answer = await rateLimits.ask({ tool, row, surface: { request: {} }, cancelReason: undefined })
    if (!answer) return 'in'
    if ('refuse' in answer) return answer.refuse.error_code
    await new Promise((resolve) => setTimeout(resolve, answer.waitMs))
  }
}

console.log('ready')
await new Promise((resolve) => process.stdin.once('data', resolve))
process.stdin.destroy()
const counts = {}
for (const name of ['math.add', 'web.fetch']) {
  const tool = catalog.get(name)
  const answers = (counts[name] = {})
  for (let call = 0; call < Number(times); call++) {
    const answer = await ask(tool)
    answers[answer] = (answers[answer] ?? 0) + 1
  }
}
await store.close()
console.log(JSON.stringify(counts))
