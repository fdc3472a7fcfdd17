import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { formats } from '../../src/edges/formats/formats.js'
import { root } from '../edges/cli/run-cli.js'
import { snippetsPrint } from './snippets-print.js'

const page = readFileSync(`${root}docs/formats.md`, 'utf8')

it('the page names every format, and states correctly which of them load by themselves', () => {
  const rows = [...page.matchAll(/^\| `([\w-]+)` .*\| (yes|no) +\|$/gm)].map(([, name, says]) => [name, says])
  expect(rows).toEqual(
    Object.entries(formats).map(([name, { defersNatively }]) => [name, defersNatively ? 'yes' : 'no']),
  )
})

snippetsPrint('docs/formats.md', page)
