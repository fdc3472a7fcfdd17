import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bin, createPlace, root } from './run-cli.js'

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

/** A clone of this repository, as a new user has it. */
function inClone(): (...args: string[]) => { status: number | null; stdout: string; stderr: string } {
  const { env } = createPlace('')
  return (...args) =>
    spawnSync(process.execPath, [bin, ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })
}

it('a clone has tools to call, once it is trusted', () => {
  const run = inClone()
  const before = run('call', 'math.add', 'a=1', 'b=2')
  expect(before).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('toolcrib trust') })
  expect(run('trust', '--yes')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('examples/workshop/tools.mjs sha256:'),
  })
  const { status, stdout } = run('call', 'math.add', 'a=1', 'b=2')
  expect({ status, stdout }).toEqual({ status: 0, stdout: '{"sum":3}\n' })
})

it('a clone has calls to run at once', () => {
  const run = inClone()
  run('trust', '--yes')
  const { status, stdout } = run('batch', 'examples/workshop/calls.json')
  expect({ status, calls: stdout.match(/^✓ \d/gm) }).toEqual({
    status: 0,
    calls: ['✓ 1', '✓ 2', '✓ 3', '✓ 4'],
  })
})
