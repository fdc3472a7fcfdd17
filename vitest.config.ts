import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const settings = join(tmpdir(), `toolcrib-tests-${process.pid}`)

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
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Tests and the processes that they start neither read nor leave anything in the settings of whoever runs them.
    env: {
      TOOLCRIB_SEAL_KEY: 'dG9vbGNyaWIgdGVzdHMgc2VhbCB3aXRoIHRoaXMga2U=',
      XDG_CONFIG_HOME: join(settings, 'config'),
      TOOLCRIB_POLICY: join(settings, 'no-policy.yaml'),
    },
    // One more than there are cores where CI runs: many tests wait for processes.
    maxWorkers: 3,
  },
})
