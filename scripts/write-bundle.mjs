// Bundles the build: Node opens a few dozen files instead of a thousand, which takes a third of the time of every command.
// All entry points share their chunks, so that a tool that imports toolcrib gets the copy that runs it. What is imported on
// first use stays a file of its own. Small packages that every command needs are bundled too, with their licenses; other
// packages stay outside. Beside the bundle are the types that the entry points lead to.
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { groupModules } from './bundle/group-modules.mjs'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const DIST = join(ROOT, 'dist')
const LIB = join(ROOT, 'lib')
/** Written here first, so that a program that runs meanwhile finds the old bundle or the new one. */
const FRESH = join(ROOT, 'lib.fresh')

/** The entry points, by the names that package.json exports, and the files that are started by their path. */
const input = {
  index: 'index.js',
  contract: 'contract/index.js',
  blobs: 'blobs.js',
  shell: 'shell.js',
  redaction: 'redaction.js',
  formats: 'formats.js',
  search: 'search.js',
  mcp: 'mcp.js',
  openapi: 'openapi.js',
  'tool-files': 'tool-files.js',
  builtins: 'builtins.js',
  server: 'server.js',
  main: 'edges/cli/main.js',
  'background-main': 'edges/cli/calls/background-main.js',
  'check-worker': 'platform/validation/check-worker.js',
  'code-worker': 'sources/builtins/code/code-worker.js',
  'python-child': 'sources/builtins/code/python-child.js',
}

/** The entry points that package.json exports. */
const EXPORTED = [
  'index',
  'contract',
  'blobs',
  'shell',
  'redaction',
  'formats',
  'search',
  'mcp',
  'openapi',
  'tool-files',
  'builtins',
  'server',
]

/** Each is many small files: loading them takes longer than running them. */
const BUNDLED = [
  'ajv',
  'ajv-formats',
  'argparse',
  'commander',
  'entities',
  'htmlparser2',
  'js-yaml',
  'oauth4webapi',
  'string-width',
  'unbash',
  'yaml',
]

/** Of one file, which only commands that check an input load. */
const VALIDATOR = /\/node_modules\/(?:ajv|ajv-formats|fast-deep-equal|fast-uri|json-schema-traverse)\//

/** What a package prepares when it is loaded, and its replacement that prepares it for the first text that is not ASCII. */
const ON_FIRST_USE = {
  '/node_modules/string-width/index.js': [
    [
      'const segmenter = new Intl.Segmenter();',
      'const segmenter = {segment: text => (segmenter.made ??= new Intl.Segmenter()).segment(text)};',
    ],
    [
      'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
      "const rgiEmojiRegex = {test: text => (rgiEmojiRegex.made ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text)};",
    ],
  ],
}

/** How much more the time of what is started often counts than that of other entry points and commands. */
const OFTEN = 4
const CLI = 'edges/cli/main.js'
const PROGRAM = 'edges/cli/program/create-program.js'
const STEPS = [
  ...Object.values(input).map((file) => ({
    files: [file],
    weight: file === CLI || file === 'index.js' ? OFTEN : 1,
  })),
  ...[
    'edges/cli/commands/tools/tools.js',
    'edges/cli/commands/call.js',
    'edges/cli/commands/servers/serve.js',
  ].map((file) => ({ files: [CLI, PROGRAM, 'index.js', file], weight: OFTEN })),
  ...[
    'edges/cli/commands/tools/tools-search.js',
    'edges/cli/commands/doctor.js',
    'edges/cli/commands/policy/explain.js',
    'edges/cli/commands/policy/redact.js',
    'edges/cli/commands/policy/rules.js',
    'edges/cli/commands/policy/shell-read.js',
  ].map((file) => ({ files: [CLI, PROGRAM, file], weight: 1 })),
].map(({ files, weight }) => ({ files: files.map((file) => join(DIST, file)), weight }))

let groups
rmSync(FRESH, { recursive: true, force: true })
const { output } = await build({
  cwd: DIST,
  input: Object.fromEntries(Object.entries(input).map(([name, file]) => [name, `./${file}`])),
  platform: 'node',
  plugins: [{ name: 'on-first-use', transform: prepareOnFirstUse }],
  preserveEntrySignatures: 'allow-extension',
  // A module that one file loads late may share a file with another one that needs it at once.
  checks: { ineffectiveDynamicImport: false },
  external: (id, importer) => !/^[./]/.test(id) && !isBundled(id) && !importer?.includes('/node_modules/'),
  // In one folder: files that are started by their path are beside the files that start them.
  output: {
    dir: FRESH,
    format: 'esm',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: nameGroup, debugName: 'parts' }],
    },
  },
})
writeLicenses(output)
copyTypes(EXPORTED.map((name) => join(DIST, input[name].replace(/\.js$/, '.d.ts'))))
rmSync(LIB, { recursive: true, force: true })
renameSync(FRESH, LIB)

/** The declarations that a user’s compiler can reach: a fifth of all. */
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

function prepareOnFirstUse(code, id) {
  const changes = Object.entries(ON_FIRST_USE).find(([file]) => id.endsWith(file))?.[1] ?? []
  for (const [found] of changes)
    if (!code.includes(found)) throw new Error(`${id} no longer has this line: ${found}`)
  return changes.reduce((text, [found, replacement]) => text.replace(found, () => replacement), code)
}

function isBundled(id) {
  return BUNDLED.includes(id.split('/')[0])
}

/**
 * The name of the file of a module. An entry point stays alone: it may wait at its top level for a module that it loads, which
 * must not wait for it in turn.
 */
function nameGroup(id, context) {
  if (VALIDATOR.test(id)) return 'ajv'
  groups ??= groupModules(STEPS, moduleReader(context), (each) =>
    Object.values(input).some((file) => each === join(DIST, file)),
  )
  return groups.get(id)
}

/** Reads each module of the graph once. */
function moduleReader(context) {
  const seen = new Map()
  return (id) => {
    if (!seen.has(id)) {
      const { code = null, importedIds = [] } = context.getModuleInfo(id) ?? {}
      seen.set(id, { code, importedIds })
    }
    return seen.get(id)
  }
}

/** The licenses of the packages whose code is in the bundle. */
function writeLicenses(chunks) {
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules ?? {}))
  const folders = new Set(
    modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
  )
  const texts = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    if (file === undefined) throw new Error(`${name} has no license file, so it cannot be bundled.`)
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  writeFileSync(join(FRESH, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`))
}
