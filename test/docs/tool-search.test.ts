import { readFileSync } from 'node:fs'
import { root } from '../edges/cli/run-cli.js'
import { snippetsPrint } from './snippets-print.js'

snippetsPrint('docs/tool-search.md', readFileSync(`${root}docs/tool-search.md`, 'utf8'))
