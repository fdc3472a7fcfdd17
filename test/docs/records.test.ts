import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createPlace, root } from '../edges/cli/run-cli.js'
import { snippetsPrint } from './snippets-print.js'

const page = readFileSync(`${root}docs/records.md`, 'utf8')

snippetsPrint('docs/records.md', page)

it('the config of docs/records.md is valid', async () => {
  const [, config] = /^```yaml\n([\s\S]*?)^```/m.exec(page)!
  expect((await createPlace(config).run(['log'])).code).toBe(0)
})
