import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { openTemporaryFolder } from '../../temporary-folder.js'

// Vitest replaces import() by its own importer, so these run in a plain Node against a compiled copy of the build, in a
// package laid out like ours.
const repository = resolve(import.meta.dirname, '../../..')
const pack = openTemporaryFolder()
const user = openTemporaryFolder()

beforeAll(() => {
  pack.write(
    'package.json',
    JSON.stringify({
      name: 'toolcrib',
      type: 'module',
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './contract': { default: './dist/contract.js' },
        './schemas/*': './schemas/*',
      },
    }),
  )
  pack.write(
    'dist/index.js',
    'export const instance = {}\nexport const defineTool = (tool) => ({ ...tool, instance })\n',
  )
  pack.write('dist/contract.js', `export const contract = 'contract'\n`)
  symlinkSync(join(repository, 'node_modules'), join(pack.path, 'node_modules'), 'junction')
  const project = pack.write(
    'tsconfig.json',
    JSON.stringify({
      extends: join(repository, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        rootDir: join(repository, 'src'),
        outDir: 'dist',
        typeRoots: [join(repository, 'node_modules/@types')],
      },
      include: [],
      files: [
        join(repository, 'src/platform/modules/import-module.ts'),
        join(repository, 'src/platform/config/load-config.ts'),
      ],
    }),
  )
  execFileSync(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', project], {
    stdio: 'inherit',
  })
})

/** Runs statements in a fresh Node in the user's folder, and returns their result. */
function run(statements: string): unknown {
  const built = pathToFileURL(join(pack.path, 'dist/platform')).href
  const program = `
    import { importModule } from '${built}/modules/import-module.js'
    import { describeProblem } from '${built}/config/describe-problem.js'
    import { loadConfig } from '${built}/config/load-config.js'
    const loadModule = async (path) => {
      const imported = await importModule(path)
      if (imported.ok) return imported.exports
      throw new Error('cannot load ' + describeProblem(imported.problem), { cause: imported.cause })
    }
    const failure = (promise) => promise.then(() => 'no failure', (error) => error.message)
    const answer = await (async () => { ${statements} })()
    console.log(JSON.stringify(answer))`
  const env = { ...process.env, TOOLCRIB_HOME: join(user.path, '.home') }
  const args = ['--input-type=module', '-e', program]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: user.path, env, encoding: 'utf8' }))
}

test('JavaScript and TypeScript, default and named exports', () => {
  user.write('a.mjs', `export const one = 1\nexport default ['x']`)
  user.write('b.ts', `export const one: number = 1\nexport default ['x'] as string[]`)
  user.write('c.mts', `export enum Kind { A = 'a' }\nexport type Gone = string`)
  user.write('d.cjs', `module.exports = { name: 'd' }`)
  user.write('e.cts', `module.exports = { name: 'e' }`)
  expect(run(`return Promise.all(['a.mjs', 'b.ts', 'c.mts', 'd.cjs', 'e.cts'].map(loadModule))`)).toEqual([
    { one: 1, default: ['x'] },
    { one: 1, default: ['x'] },
    { Kind: { A: 'a' } },
    expect.objectContaining({ default: { name: 'd' } }),
    expect.objectContaining({ default: { name: 'e' } }),
  ])
})

test('a TypeScript tool gets the toolcrib that runs, also through files beside it', () => {
  user.write(
    'tools/deep.ts',
    `import { defineTool } from 'toolcrib'\nexport const deep = defineTool({ name: 'deep' })`,
  )
  user.write(
    'tools/tool.ts',
    `import { defineTool } from 'toolcrib'\nimport { contract } from 'toolcrib/contract'\n` +
      `export { deep } from './deep.js'\nexport default defineTool({ name: contract })`,
  )
  expect(
    run(`
      const { instance } = await import('${pathToFileURL(join(pack.path, 'dist/index.js')).href}')
      const { default: tool, deep } = await loadModule('tools/tool.ts')
      return [tool.name, tool.instance === instance, deep.instance === instance]`),
  ).toEqual(['contract', true, true])
})

test('jiti and yaml are loaded only when they are needed', () => {
  user.write('toolcrib.yaml', 'store: memory\n')
  user.write('toolcrib.json', '{ "store": "memory" }')
  expect(
    run(`
      const { createRequire } = await import('node:module')
      const { cache } = createRequire(import.meta.url)
      const loaded = () => ['yaml', 'jiti'].filter((name) => Object.keys(cache).some((path) => path.includes(name)))
      const seen = []
      await loadModule('a.mjs')
      await loadConfig('toolcrib.json')
      seen.push(loaded())
      await loadConfig('toolcrib.yaml')
      seen.push(loaded())
      await loadModule('b.ts')
      return [...seen, loaded()]`),
  ).toEqual([[], ['yaml'], ['yaml', 'jiti']])
})

test.each<[string, string, RegExp]>([
  ['gone.mjs', '', /^cannot load gone\.mjs: there is no such file$/],
  [
    'needs.mjs',
    `import 'toolcrib'`,
    /^cannot load needs\.mjs: it imports "toolcrib"; run `npm install toolcrib` in\s+\S+$/,
  ],
  [
    'other.mjs',
    `import '@scope/nope/sub'`,
    /^cannot load other\.mjs: it imports "@scope\/nope", which is not installed in\s+\S+$/,
  ],
  [
    'other.ts',
    `import 'nope'`,
    /^cannot load other\.ts: it imports "nope", which is not installed in\s+\S+$/,
  ],
  [
    'beside.mjs',
    `import './lost.mjs'`,
    /^cannot load beside\.mjs: it imports lost\.mjs, which does not exist$/,
  ],
  [
    'throws.mjs',
    `\n\nthrow new TypeError('no luck\\nat all')`,
    /^cannot load throws\.mjs:3: TypeError: no luck$/,
  ],
  ['throws.ts', `\n\nthrow new Error('no luck')`, /^cannot load throws\.ts: no luck$/],
  ['word.mjs', `throw 'no luck'`, /^cannot load word\.mjs: it threw no luck$/],
  ['syntax.cjs', `\nconst x = ;`, /^cannot load syntax\.cjs:2: SyntaxError: Unexpected token ';'$/],
  [
    'syntax.mjs',
    `export const a = 1\nexport const b = ((2\n\n`,
    /^cannot load syntax\.mjs:\d+: SyntaxError: /,
  ],
  [
    'twice.mjs',
    `let a = 1\nlet a = 2\nexport default a`,
    /^cannot load twice\.mjs:2: SyntaxError: Identifier/,
  ],
  [
    'outer.mjs',
    `import './a.mjs'\nimport { a } from './twice.mjs'`,
    /^cannot load twice\.mjs:2: SyntaxError: Identifier 'a' [^(]*\(outer\.mjs\s+imports it\)$/,
  ],
  ['syntax.ts', `\nconst x = ;`, /^cannot load syntax\.ts:2: .*Unexpected token/],
  [
    'outer.ts',
    `import './syntax.ts'`,
    /^cannot load syntax\.ts:2: .*Unexpected token\s+\(outer\.ts imports it\)$/,
  ],
  [
    'named.mjs',
    `import { gone } from './a.mjs'`,
    /^cannot load named\.mjs:1: SyntaxError: .*does not provide an\s+export named 'gone'$/,
  ],
])('a failure is one sentence: %s', (name, text, sentence) => {
  if (text !== '') user.write(name, text)
  expect(run(`return failure(loadModule('${name}'))`)).toMatch(sentence)
})

test('a TypeScript module that failed can be loaded once it is repaired', () => {
  user.write('mend.ts', 'export default (')
  expect(
    run(`
      const first = await failure(loadModule('mend.ts'))
      const { writeFileSync } = await import('node:fs')
      writeFileSync('mend.ts', 'export default 2')
      return [first, (await loadModule('mend.ts')).default]`),
  ).toEqual([expect.stringContaining('cannot load mend.ts'), 2])
})
