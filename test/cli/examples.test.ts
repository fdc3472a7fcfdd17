import { spawnSync } from 'node:child_process'
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

it('a clone has tools to call', () => {
  const { folder } = createPlace('')
  const { status, stdout } = spawnSync(process.execPath, [bin, 'call', 'math.add', 'a=1', 'b=2'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TOOLCRIB_HOME: folder },
  })
  expect({ status, stdout }).toEqual({ status: 0, stdout: '{"sum":3}\n' })
})

it('a clone has calls to run at once', () => {
  const { folder } = createPlace('')
  const { status, stdout } = spawnSync(process.execPath, [bin, 'batch', 'examples/workshop/calls.json'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TOOLCRIB_HOME: folder },
  })
  expect({ status, calls: stdout.match(/^✓ \d/gm) }).toEqual({
    status: 0,
    calls: ['✓ 1', '✓ 2', '✓ 3', '✓ 4'],
  })
})
