import { expect, it } from 'vitest'
import { createPlace, root } from '../edges/cli/run-cli.js'

const SECRET = 'AKIA7QXGRZ4TX5WVN2LK'

it('protected data is shown to its readers, and refused to others by name', async () => {
  const { run, write } = createPlace(
    "tools: ['./tools.mjs']\npermission: { allow: ['*'] }\nredaction: { way: protect, readers: ['person:ada'] }\n",
  )
  write(
    'tools.mjs',
    `import { defineTool } from '${root}lib/index.js'
     export const tell = defineTool({ name: 'tell', description: 'Tells it.', isReadOnly: true, execute: () => 'it is ${SECRET.slice(0, 6)}' + '${SECRET.slice(6)}' })`,
  )
  const called = await run(['call', 'tell', '--yes', '--json'])
  const text = called.stdout + called.stderr
  expect(text).not.toContain(SECRET)
  const ref = /toolcrib:\/\/invocations\/\w+\/protected/.exec(text)![0]
  expect(await run(['read', ref, '--actor', 'person:ada'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`it is ${SECRET}`) as unknown,
  })
  for (const who of [[], ['--actor', 'person:eve']]) {
    const { code, stdout, stderr } = await run(['read', ref, ...who])
    expect(code).not.toBe(0)
    expect(stdout + stderr).not.toContain(SECRET)
    expect(stderr).toContain(`may not read ${ref}`)
  }
})
