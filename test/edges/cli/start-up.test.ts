import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { collect, createPlace, root, workshop, type Place } from './run-cli.js'
import { temporaryFolder } from '../../temporary-folder.js'

/**
 * The files that a command loaded, relative to the repository, from Node's coverage. Of the build, where each module is
 * a file: the bundle does not show modules.
 */
async function loadedBy(
  place: Place,
  args: readonly string[],
  main = 'dist/edges/cli/main.js',
): Promise<string[]> {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const env = { ...process.env, ...place.env, NODE_V8_COVERAGE: folder }
  const child = spawn(process.execPath, [join(root, main), ...args], { cwd: place.folder, env })
  // A gateway ends with its input.
  child.stdin.end()
  const { code } = await collect(child)
  expect(code).toBe(0)
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const scripts = files.flatMap((text) => (JSON.parse(text) as { result: { url: string }[] }).result)
  return scripts.flatMap(({ url }) =>
    url.includes(root) ? [url.slice(url.indexOf(root) + root.length)] : [],
  )
}

/** Packages that every command may load. */
const SMALL = /node_modules\/(?:commander|string-width|get-east-asian-width)\//

it('--help loads the table of commands and little else, and no parser', async () => {
  const loaded = await loadedBy(createPlace(), ['--help'])
  expect(loaded.some((path) => path.includes('edges/cli/program/commands.js'))).toBe(true)
  const rest = loaded.filter(
    (path) =>
      !/^dist\/edges\/cli\/(?:(?:command-rows|program|terminal)\/)?[^/]+$/.test(path) && !SMALL.test(path),
  )
  expect(rest).toEqual(['dist/platform/text/printable.js'])
  expect(loaded.filter((path) => path.includes('commander'))).toEqual([])
})

it('tools loads neither the runtime nor the store nor Ajv', async () => {
  const loaded = await loadedBy(createPlace('tools: []'), ['tools'])
  expect(loaded.some((path) => path.includes('catalog/catalog.js'))).toBe(true)
  expect(
    loaded.filter((path) =>
      /create-crib|dist\/(?:storage|pipeline|results|scheduling)\/|validation|ajv|sqlite|jiti/.test(path),
    ),
  ).toEqual([])
  expect(loaded.filter((path) => /dist\/search\/|discovery\/|tokens\//.test(path))).toEqual([])
})

it('tools search loads the search, but no vocabulary without a budget, and no store', async () => {
  const loaded = await loadedBy(createPlace('tools: []'), ['tools', 'search', 'drawer'])
  expect(loaded.some((path) => path.includes('search/create-tool-search.js'))).toBe(true)
  expect(
    loaded.filter((path) =>
      /create-crib|dist\/(?:storage|pipeline|results|scheduling)\/|tokens\/|ajv|sqlite|jiti/.test(path),
    ),
  ).toEqual([])
})

it.each([['--help'], ['tools'], ['redact a.txt'], ['call math.add a=1 b=2'], ['serve --stdio']])(
  'the bundle loads no more packages than the build: %s',
  async (line) => {
    const place = createPlace(`tools: ['${workshop}']`)
    place.write('a.txt', 'nothing secret\n')
    const packagesOf = async (main: string): Promise<string[]> =>
      (await loadedBy(place, line.split(' '), main)).flatMap(
        (path) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
      )
    const built = new Set(await packagesOf('dist/edges/cli/main.js'))
    expect((await packagesOf('bin/toolcrib.js')).filter((name) => !built.has(name))).toEqual([])
  },
)

it('a command that checks no input loads no validator of the bundle', async () => {
  const place = createPlace(`tools: ['${workshop}']`)
  for (const args of [['--help'], ['tools'], ['redact', place.write('a.txt', 'nothing secret\n')]]) {
    const loaded = await loadedBy(place, args, 'bin/toolcrib.js')
    expect(loaded.filter((path) => path.startsWith('lib/ajv-'))).toEqual([])
  }
})

it('a command that checks an input loads the validator of the bundle', async () => {
  const place = createPlace(`tools: ['${workshop}']`)
  const loaded = await loadedBy(place, ['call', 'math.add', 'a=1', 'b=2'], 'bin/toolcrib.js')
  expect(loaded.some((path) => path.startsWith('lib/ajv-'))).toBe(true)
  expect(loaded.filter((path) => path.includes('node_modules/ajv'))).toEqual([])
})

it('tools that import toolcrib load its code, but no SQLite and no Ajv', async () => {
  const loaded = await loadedBy(createPlace(`tools: ['${workshop}']`), ['tools'])
  expect(loaded.filter((path) => /node_modules\/(ajv|@photostructure|jiti)/.test(path))).toEqual([])
})

it('redact loads its engine and nothing of the crib', async () => {
  const place = createPlace('')
  const loaded = await loadedBy(place, ['redact', place.write('a.txt', 'nothing secret\n')])
  expect(loaded.some((path) => path.includes('redaction/find-secrets.js'))).toBe(true)
  expect(
    loaded.filter(
      (path) =>
        /dist\/(?:storage|pipeline|results|scheduling|crib|host|catalog|sources|policy|hooks|shell)\/|node_modules\//.test(
          path,
        ) && !SMALL.test(path),
    ),
  ).toEqual([])
})
