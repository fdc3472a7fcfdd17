// The same in a program of your own: hooks as functions, commands and endpoints.
import assert from 'node:assert/strict'
import { commandHook, createCrib, defineHook, httpHook, memoryStore } from 'toolcrib'
import { find, read } from './tools.mjs'

const crib = await createCrib({
  store: memoryStore(),
  tools: [read, find],
  hooks: [
    defineHook({
      id: 'only-notes',
      event: 'pre_tool_use',
      tools: ['files.read'],
      run: ({ input }) =>
        input.path.startsWith('notes/')
          ? undefined
          : { permission: { behavior: 'deny', message: 'Only notes may be read.' } },
    }),
    commandHook({
      id: 'no-env-files',
      event: 'pre_tool_use',
      matcher: 'files[.](read|write)',
      when: { field: 'path', matches: '*.env' },
      command: 'bash',
      args: [new URL('no-env-files.sh', import.meta.url).pathname],
    }),
    // Nobody listens there: a hook about keeping that cannot be reached has not agreed.
    httpHook({
      id: 'no-cards',
      event: 'result_persistence',
      tools: ['people.*'],
      url: 'http://127.0.0.1:9/',
    }),
  ],
})
const surface = await crib.surface()
const call = (name, input) => crib.call(surface, { name, input })

assert.equal((await call('files.read', { path: 'notes/a.txt' })).status, 'succeeded')
assert.match((await call('files.read', { path: 'a.txt' })).error.message, /Only notes may be read/)
assert.match((await call('files.read', { path: 'notes/.env' })).error.message, /hold secrets/)

const given = await call('people.find', { name: 'Ada' })
assert.equal(given.structured_content.name, 'Ada')
assert.match(given.toolcrib.hook_problem, /cannot be reached/)
const { result: kept, hooks } = await crib.story(given.invocation_id)
assert.equal(kept.structured_content, undefined)
assert.equal(hooks[0].toolcrib.outcome, 'failed')

await crib.close()
console.log('the hooks did what they should')
