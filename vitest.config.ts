import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    alias: [
      { find: /^toolcrib$/, replacement: new URL('./src/index.ts', import.meta.url).pathname },
      {
        find: /^toolcrib\/contract$/,
        replacement: new URL('./src/foundation/contract/index.ts', import.meta.url).pathname,
      },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
