import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../edges/cli/run-cli.js'
import { snippetsPrint } from './snippets-print.js'

snippetsPrint('docs/code.md', readFileSync(join(root, 'docs/code.md'), 'utf8'))
