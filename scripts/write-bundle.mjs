// Bundles the build for whoever runs it: Node opens a few dozen files instead of a thousand, which halves the start of
// every command. All doors share their chunks, so that a tool that imports toolcrib gets the one that runs it. Packages
// stay outside, and what is imported on first use stays a file of its own. Beside it lie the types that the doors lead to.
import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const DIST = join(ROOT, 'dist')
const LIB = join(ROOT, 'lib')
/** Written beside it first, so that what runs meanwhile finds all or the old. */
const FRESH = join(ROOT, 'lib.fresh')

/** Under the names that package.json exports, and those of files that are started by their path. */
const input = {
  index: 'index.js',
  contract: 'contract/index.js',
  blobs: 'blobs.js',
  shell: 'shell.js',
  redaction: 'redaction.js',
  formats: 'formats.js',
  search: 'search.js',
  mcp: 'mcp.js',
  main: 'edges/cli/main.js',
  'background-main': 'edges/cli/calls/background-main.js',
  'check-worker': 'platform/validation/check-worker.js',
}

/** Those that package.json exports. */
const DOORS = ['index', 'contract', 'blobs', 'shell', 'redaction', 'formats', 'search', 'mcp']

rmSync(FRESH, { recursive: true, force: true })
await build({
  cwd: DIST,
  input: Object.fromEntries(Object.entries(input).map(([name, file]) => [name, `./${file}`])),
  platform: 'node',
  external: (id) => !id.startsWith('.') && !id.startsWith('/'),
  // In one folder: files that are started by their path lie beside whoever starts them.
  output: { dir: FRESH, format: 'esm', chunkFileNames: '[name]-[hash].js' },
})
copyTypes(DOORS.map((name) => join(DIST, input[name].replace(/\.js$/, '.d.ts'))))
rmSync(LIB, { recursive: true, force: true })
renameSync(FRESH, LIB)

/** The declarations that a user’s compiler can come to: a fifth of all. */
function copyTypes(files) {
  const seen = new Set(files)
  for (const file of seen) {
    cpSync(file, join(FRESH, 'types', relative(DIST, file)))
    for (const [, target] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import)\s*\(?['"](\.[^'"]+)\.js['"]/g,
    ))
      seen.add(resolve(dirname(file), `${target}.d.ts`))
  }
}
