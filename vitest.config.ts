import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const settings = join(tmpdir(), `toolcrib-tests-${process.pid}`)
const folders = join(settings, 'folders')
mkdirSync(folders, { recursive: true })

// Most files share a process with others of their worker, which saves loading the sources for each. Three kinds get a process
// of their own: files that start the command line (a process that has run tools may approve nothing), files that replace
// modules, and files that import test/own-process.ts.
const ALL = 'test/**/*.test.ts'
const isApart = (file: string): boolean =>
  /\/(?:run-cli|on-terminal|own-process)\.js'|\bvi\.mock\(/.test(readFileSync(join('test', file), 'utf8'))
const apart = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && isApart(file))
  .map((file) => `test/${file}`)

// Short files fill what is left of each worker's time at the end, where a long one would keep the others waiting.
const LONG = [
  'test/attack/attack.test.ts',
  'test/platform/sandbox/escapes.test.ts',
  'test/redaction/canary.test.ts',
  'test/shell/canary.test.ts',
  'test/soak/soak.test.ts',
  'test/sources/builtins/shell/same-as-bash.test.ts',
]
const isLong = ({ moduleId }: TestSpecification): boolean =>
  LONG.some((file) => moduleId.endsWith(`/${file}`))

/** Files that share a process stay together; of these, the longest are first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isShared = ({ project }: TestSpecification): boolean => project.name === 'shared'
    const rankOf = (file: TestSpecification): number => (isShared(file) ? (isLong(file) ? 1 : 2) : 0)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

export default defineConfig({
  resolve: {
    alias: [
      { find: /^toolcrib$/, replacement: new URL('./src/index.ts', import.meta.url).pathname },
      {
        find: /^toolcrib\/contract$/,
        replacement: new URL('./src/contract/index.ts', import.meta.url).pathname,
      },
    ],
  },
  test: {
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      { extends: true, test: { name: 'shared', include: [ALL], exclude: apart, isolate: false } },
    ],
    globalSetup: 'test/remove-folders.ts',
    setupFiles: 'test/fixed-seed.ts',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Tests and the processes that they start do not read or write the settings of the user who runs them.
    env: {
      TOOLCRIB_SEAL_KEY: 'dG9vbGNyaWIgdGVzdHMgc2VhbCB3aXRoIHRoaXMga2U=',
      TOOLCRIB_TEST_FOLDERS: folders,
      XDG_CONFIG_HOME: join(settings, 'config'),
      TOOLCRIB_POLICY: join(settings, 'no-policy.yaml'),
      // Nor do they ask the metadata service of the machine that they run on.
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    sequence: { sequencer: LongestFirst },
    // One more than the cores of the CI machine: many tests wait for processes.
    maxWorkers: 3,
  },
})
