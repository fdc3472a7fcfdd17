import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createPlace, root, workshop } from './run-cli.js'

it('examples/first-call.mjs asserts what it shows', () => {
  const { status, stdout } = spawnSync(process.execPath, ['examples/first-call.mjs'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect({ status, shown: stdout.split('\n')[0] }).toEqual({ status: 0, shown: 'succeeded { sum: 3 }' })
})

it('examples/serve.mjs asserts what it shows', () => {
  const { status, stdout } = spawnSync(process.execPath, ['examples/serve.mjs'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect({ status, stdout }).toEqual({ status: 0, stdout: '{ sum: 3 } Echo: hi\n' })
})

it('examples/openapi.mjs asserts what it shows', () => {
  const { status, stdout } = spawnSync(process.execPath, ['examples/openapi.mjs'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect({ status, lines: stdout.trimEnd().split('\n') }).toEqual({
    status: 0,
    lines: promisedBy('examples/openapi.mjs'),
  })
})

it('examples/tool-files.mjs asserts what it shows', () => {
  const { status, stdout } = spawnSync(process.execPath, ['examples/tool-files.mjs'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect({ status, lines: stdout.trimEnd().split('\n') }).toEqual({
    status: 0,
    lines: promisedBy('examples/tool-files.mjs'),
  })
})

/** What an example says beside each `console.log`. */
function promisedBy(path: string): (string | undefined)[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/^ *console\.log\(.*\) \/\/ (.*)$/gm)].map(([, words]) => words)
}

it('the calls of examples/workshop run at once', async () => {
  const { code, stdout } = await createPlace(`tools: ['${workshop}']`).run([
    'batch',
    join(root, 'examples/workshop/calls.json'),
  ])
  expect({ code, calls: stdout.match(/^✓ \d/gm) }).toEqual({ code: 0, calls: ['✓ 1', '✓ 2', '✓ 3', '✓ 4'] })
})
