// Tools that only the tests of the command line need.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, runProcess, toolOutput } from 'toolcrib'

const calm = { isReadOnly: true, isOpenWorld: false }
const text = { type: 'string' }

export const echo = defineTool({
  namespace: 'test',
  name: 'echo',
  description: 'Returns its input.',
  input: {
    jsonSchema: {
      type: 'object',
      properties: {
        text,
        number: { type: 'number' },
        whole: { type: 'integer' },
        flag: { type: 'boolean' },
        list: { type: 'array', items: text },
        object: { type: 'object', properties: { deep: { type: 'number' } } },
        either: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      },
    },
  },
  ...calm,
  execute: (input) => input,
})

export const fail = defineTool({
  namespace: 'test',
  name: 'fail',
  description: 'Always fails.',
  ...calm,
  execute() {
    throw new Error('The drill is broken.')
  },
})

export const rude = defineTool({
  namespace: 'test',
  name: 'rude',
  description: 'Says \u001B[31mred\u001B[0m and \u009B2J things\nover \u202E two lines.',
  ...calm,
  execute: () => 'before\u001B]0;title\u0007after\tend\nnext',
})

export const image = defineTool({
  namespace: 'test',
  name: 'image',
  description: 'Returns something that is not text.',
  ...calm,
  execute: () => toolOutput({ content: [{ type: 'image', data: 'aGVsbG8=', mime_type: 'image/png' }] }),
})

/** Ignores its cancellation. */
export const deaf = defineTool({
  namespace: 'test',
  name: 'deaf',
  description: 'Runs for a minute whatever happens.',
  ...calm,
  execute(_, { workspace }) {
    writeFileSync(join(workspace, 'started'), '')
    return new Promise((resolve) => setTimeout(resolve, 60_000))
  },
})

/** Waits for a file, and counts its checks. */
export const gate = defineTool({
  namespace: 'test',
  name: 'gate',
  description: 'Runs until there is a file "go" in the workspace.',
  input: { jsonSchema: { type: 'object', properties: { password: text } } },
  sensitiveFields: ['password'],
  supports: ['progress', 'cancel'],
  ...calm,
  async execute(_, { workspace, progress, signal }) {
    for (let looks = 1; ; looks++) {
      progress({ message: `looked ${looks} times`, line_count: looks })
      if (existsSync(join(workspace, 'go'))) return { looks }
      await sleep(5, undefined, { signal })
    }
  },
})

/** May be interrupted, and stops. */
export const mild = defineTool({
  namespace: 'test',
  name: 'mild',
  description: 'Runs for a minute, or until it is interrupted.',
  ...calm,
  interruptBehavior: 'cancel',
  execute: (_, { signal }) => sleep(60_000, undefined, { signal }),
})

/** May be interrupted, but ignores it. */
export const stubborn = defineTool({
  namespace: 'test',
  name: 'stubborn',
  description: 'Runs for a minute beside others, whatever happens.',
  ...calm,
  isConcurrencySafe: true,
  interruptBehavior: 'cancel',
  execute: () => new Promise((resolve) => setTimeout(resolve, 60_000)),
})

/** Ends when a file is written. */
export const wait = defineTool({
  namespace: 'test',
  name: 'wait',
  description: 'Waits until a file is there.',
  input: { jsonSchema: { type: 'object', properties: { path: text }, required: ['path'] } },
  ...calm,
  isConcurrencySafe: true,
  async execute({ path }, { signal }) {
    while (!existsSync(path)) await sleep(10, undefined, { signal })
    return `${path} is there`
  },
})

export const ask = defineTool({
  namespace: 'test',
  name: 'ask',
  description: 'Asks a question once a file is there.',
  input: { jsonSchema: { type: 'object', properties: { path: text }, required: ['path'] } },
  ...calm,
  async execute({ path }, { requestInput }) {
    while (!existsSync(path)) await sleep(10)
    return `It is ${(await requestInput({ message: 'Which colour?' })).content}.`
  },
})

export const big = defineTool({
  namespace: 'test',
  name: 'big',
  description: 'Returns a great many lines.',
  ...calm,
  maxInlineChars: 10_000_000,
  execute: () => Array.from({ length: 200_000 }, (_, index) => `line ${index}`).join('\n'),
})

export const touch = defineTool({
  namespace: 'test',
  name: 'touch',
  description: 'Writes an empty file and needs a secret for it.',
  input: {
    jsonSchema: { type: 'object', properties: { path: text, secret: text }, required: ['path', 'secret'] },
  },
  paths: { path: 'write' },
  sensitiveFields: ['secret'],
  isOpenWorld: false,
  execute: ({ path }) => writeFileSync(path, ''),
})

export const shell = defineTool({
  namespace: 'test',
  name: 'shell',
  description: 'Runs a command.',
  input: { jsonSchema: { type: 'object', properties: { command: text }, required: ['command'] } },
  command: 'command',
  exitCode: 'exit_code',
  ...calm,
  execute: ({ command }, { signal, workspace }) =>
    runProcess('sh', ['-c', command], { signal, cwd: workspace }),
})
