// Tools for the tests of the console.
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool } from 'toolcrib'

export const deploy = defineTool({
  namespace: 'test',
  name: 'deploy',
  description: 'Deploys a service. <img src=x onerror="document.title = 1">',
  input: {
    jsonSchema: {
      type: 'object',
      required: ['service'],
      properties: {
        service: { type: 'string', minLength: 2 },
        replicas: { type: 'integer', minimum: 1, maximum: 9 },
      },
    },
  },
  isReadOnly: false,
  isDestructive: true,
  isOpenWorld: false,
  execute: (input) => ({ deployed: input }),
})

export const build = defineTool({
  namespace: 'test',
  name: 'build',
  description: 'Builds for a minute, or until it is canceled.',
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  supports: ['progress', 'cancel'],
  async execute(_, { progress, signal }) {
    progress({ message: 'compiling 42 files', percent: 42 })
    await sleep(60_000, undefined, { signal })
    return 'built'
  },
})

export const add = defineTool({
  namespace: 'test',
  name: 'add',
  description: 'Adds two numbers.',
  input: { jsonSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } } },
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  execute: ({ a = 0, b = 0 }) => ({ sum: a + b }),
})
