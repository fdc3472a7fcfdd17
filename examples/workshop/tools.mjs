// A small workshop of tools: each shows one thing that the counter does for whoever calls it.
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, toolFailure } from 'toolcrib'

/** Declares that it only reads and reaches no other system: it runs without a question. */
export const add = defineTool({
  namespace: 'math',
  name: 'add',
  description: 'Adds two numbers.',
  searchHint: 'sum plus arithmetic',
  input: {
    jsonSchema: {
      type: 'object',
      properties: {
        a: { type: 'number', description: 'The first number.' },
        b: { type: 'number', description: 'The second number.' },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  },
  output: {
    jsonSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  },
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  execute: ({ a, b }) => ({ sum: a + b }),
})

/** A schema of one's own may transform: what it makes of the input is recorded as a change, beside what was written. */
const countInput = {
  jsonSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'What to count in; spaces around it do not count.' },
      unit: { enum: ['words', 'letters', 'lines'], default: 'words', description: 'What to count.' },
    },
    required: ['text'],
    additionalProperties: false,
  },
  validator: {
    safeParse(value) {
      const { text, unit = 'words', ...rest } = value ?? {}
      const issues = []
      if (typeof text !== 'string') issues.push({ path: ['text'], message: 'must be a text' })
      if (!['words', 'letters', 'lines'].includes(unit)) {
        issues.push({ path: ['unit'], message: 'must be words, letters or lines' })
      }
      for (const key of Object.keys(rest))
        issues.push({ path: [key], message: 'is not a field of this tool' })
      return issues.length > 0
        ? { success: false, error: { issues } }
        : { success: true, data: { text: text.trim(), unit } }
    },
  },
}

export const count = defineTool({
  namespace: 'text',
  name: 'count',
  description: 'Counts the words, letters or lines of a text.',
  input: countInput,
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  execute({ text, unit }) {
    const parts = { words: text.split(/\s+/), letters: [...text], lines: text.split('\n') }[unit]
    return { unit, count: text === '' ? 0 : parts.length }
  },
})

const NOTE = join(tmpdir(), 'toolcrib-workshop', 'note.md')
const notePath = { type: 'string', default: NOTE, description: 'The file of the note.' }

/** Writes, so it is asked about; the path is made absolute first, and that is what is shown and judged. */
export const writeNote = defineTool({
  namespace: 'notes',
  name: 'write',
  description: 'Writes a note into a file. An existing file is only replaced when overwrite is true.',
  kind: 'file_operation',
  input: {
    jsonSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'What the note says.' },
        path: notePath,
        overwrite: { type: 'boolean', default: false, description: 'Replace a note that is there.' },
      },
      required: ['text'],
      additionalProperties: false,
    },
  },
  paths: { path: 'write' },
  isReadOnly: false,
  isDestructive: ({ overwrite }) => overwrite === true,
  isOpenWorld: false,
  permission: { risk_level: 'medium', approval_required: true },
  async execute({ path, text, overwrite }) {
    await mkdir(dirname(path), { recursive: true })
    try {
      await writeFile(path, `${text}\n`, { flag: overwrite ? 'w' : 'wx' })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      throw toolFailure(
        'execution_failed',
        `${path} is already there; choose another path or set overwrite to true.`,
      )
    }
    return `Wrote ${text.length} characters to ${path}.`
  },
})

export const readNote = defineTool({
  namespace: 'notes',
  name: 'read',
  description: 'Reads a note that notes.write wrote.',
  kind: 'file_operation',
  input: { jsonSchema: { type: 'object', properties: { path: notePath }, additionalProperties: false } },
  paths: { path: 'read' },
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  preflight: ({ path }) =>
    access(path).then(
      () => undefined,
      () => `There is no note at ${path}; write one with notes.write.`,
    ),
  execute: ({ path }) => readFile(path, 'utf8'),
})

/** A generator: each yield is progress. It may be cancelled between two steps. */
export const slowCount = defineTool({
  namespace: 'slow',
  name: 'count',
  description: 'Counts slowly and tells how far it is. Can be cancelled.',
  input: {
    jsonSchema: {
      type: 'object',
      properties: {
        to: { type: 'integer', minimum: 1, maximum: 1000, default: 5, description: 'How far to count.' },
        stepMs: {
          type: 'integer',
          minimum: 0,
          maximum: 10_000,
          default: 200,
          description: 'Time for a step.',
        },
      },
      additionalProperties: false,
    },
  },
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  interruptBehavior: 'cancel',
  supports: ['progress', 'partial_results', 'cancel'],
  async *execute({ to, stepMs }, { signal }) {
    for (let step = 1; step <= to; step++) {
      await sleep(stepMs, undefined, { signal })
      yield { percent: (100 * step) / to, message: `counted ${step} of ${to}` }
    }
    return `Counted to ${to}.`
  },
})

/** The password is masked before the first record is made; even a tool that repeats it cannot get it into the record. */
export const login = defineTool({
  namespace: 'vault',
  name: 'login',
  description: 'Opens a vault that is not there, to show what becomes of a password.',
  input: {
    jsonSchema: {
      type: 'object',
      properties: {
        user: { type: 'string', description: 'Who opens it.' },
        password: { type: 'string', minLength: 4, description: 'Any text will do.' },
      },
      required: ['user', 'password'],
      additionalProperties: false,
    },
  },
  sensitiveFields: ['password'],
  isReadOnly: true,
  isOpenWorld: false,
  execute: ({ user, password }) => `${user} opened the vault with ${password}.`,
})

export default [add, count, writeNote, readNote, slowCount, login]
