import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'
import { root } from '../edges/cli/run-cli.js'

// Of another size there are no bounds: whether it is fast is for `npm run bench:search:scale` to say.
it('bench/search-scale.mjs measures a size without meaning and with it', { timeout: 60_000 }, async () => {
  const env = { ...process.env, TOOLS: '300' }
  const said = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [`${root}bench/search-scale.mjs`], { env }, (error, stdout, stderr) =>
      error ? reject(new Error(stderr)) : resolve(stdout),
    )
  })
  expect(said).toContain('300 tools, without meaning')
  expect(said).toContain('300 tools, with meaning')
  expect(said.match(/100 (?:come|go) /g)).toHaveLength(4)
})
