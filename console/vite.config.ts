import { defineConfig } from 'vite'

// The policy of the server forbids inline scripts and styles and foreign addresses, so everything is a file of its own.
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: '../lib/console',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    // One small file: a page whose styles could not be loaded would not be loaded again.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What pages use is one file, named in the HTML: a page waited for a dozen small ones. The styles that components
        // refine come first in it, because main.tsx imports them first.
        codeSplitting: {
          groups: [{ name: 'shared', test: /console\/src\/(?:(?:styles|api|live|shell|ui)\/|paths)/ }],
        },
      },
    },
    license: { fileName: 'LICENSES.txt' },
  },
  server: {
    proxy: { '/api': process.env['TOOLCRIB_URL'] ?? 'http://127.0.0.1:4747' },
  },
})
