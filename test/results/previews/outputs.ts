/** Outputs as programs write them, long enough to need a preview. */

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

export const npmTest = [
  '> shop@2.4.1 test',
  '> vitest run',
  '',
  ' RUN  v4.1.12 /srv/shop',
  '',
  ...range(300).map(
    (index) => ` ✓ test/unit/part-${index}.test.ts (${(index % 9) + 1} tests) ${index % 40}ms`,
  ),
  ' ❯ test/cart.test.ts (12 tests | 1 failed) 84ms',
  '   × adds the tax once 14ms',
  ...range(200).map(
    (index) => ` ✓ test/api/route-${index}.test.ts (${(index % 5) + 1} tests) ${index % 70}ms`,
  ),
  '',
  '⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯',
  '',
  ' FAIL  test/cart.test.ts > cart > adds the tax once',
  'AssertionError: expected 119 to be 142 // Object.is equality',
  ' ❯ test/cart.test.ts:41:23',
  '     39|     cart.add({ price: 100 })',
  '     40|',
  '     41|     expect(cart.total()).toBe(142)',
  '       |                          ^',
  '',
  ' Test Files  1 failed | 500 passed (501)',
  '      Tests  1 failed | 2203 passed (2204)',
  '   Duration  12.41s',
  '',
].join('\n')

export const serverLog = [
  ...range(4000).map((index) => {
    if (index === 2210)
      return [
        '2026-03-02T10:36:50Z ERROR payment 2210 not stored',
        'Error: connect ECONNREFUSED 10.0.0.7:5432',
        '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
        '    at Pool.acquire (/srv/shop/node_modules/pool/index.js:88:11)',
        '    at store (/srv/shop/src/store.js:12:9)',
        '    at pay (/srv/shop/src/pay.js:31:3)',
        '    at async serve (/srv/shop/src/serve.js:9:5)',
      ].join('\n')
    if (index >= 2211 && index < 2693) return 'waiting for the database'
    return `2026-03-02T10:${String(index % 60).padStart(2, '0')}:00Z INFO request ${index} served in ${index % 97} ms`
  }),
  '',
].join('\n')

export const pythonTrace = [
  ...range(400).map((index) => `epoch ${index}: loss ${(1 / (index + 1)).toFixed(6)}`),
  'Traceback (most recent call last):',
  '  File "/app/train.py", line 88, in <module>',
  '    main()',
  '  File "/app/train.py", line 61, in main',
  '    save(model, path)',
  "FileNotFoundError: [Errno 2] No such file or directory: 'out/model.bin'",
  ...range(400).map((index) => `cleaning up shard ${index}`),
].join('\n')

export const javaTrace = [
  ...range(500).map((index) => `[INFO] Building module-${index} [${index + 1}/500]`),
  'Exception in thread "main" java.lang.IllegalStateException: queue is closed',
  '\tat shop.Queue.put(Queue.java:44)',
  '\tat shop.Main.main(Main.java:12)',
  'Caused by: java.io.IOException: disk is full',
  '\tat shop.Disk.write(Disk.java:9)',
  ...range(500).map((index) => `[INFO] Skipped module-${index}`),
].join('\n')

export const goPanic = [
  ...range(500).map((index) => `=== RUN   TestRoute/${index}`),
  'panic: runtime error: invalid memory address or nil pointer dereference',
  '[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48a2f1]',
  '',
  'goroutine 1 [running]:',
  'main.load(...)',
  '\t/srv/app/load.go:17',
  ...range(500).map((index) => `--- PASS: TestRoute/${index} (0.00s)`),
].join('\n')

export const rustErrors = [
  ...range(500).map((index) => `   Compiling crate-${index} v0.${index}.0`),
  'error[E0308]: mismatched types',
  '  --> src/main.rs:14:9',
  '   |',
  '14 |         "five"',
  '   |         ^^^^^^ expected `u32`, found `&str`',
  ...range(500).map((index) => `   Compiling later-${index} v1.${index}.0`),
].join('\n')

export const gitLog = range(400)
  .map((index) =>
    [
      `commit ${index.toString(16).padStart(40, '3')}`,
      'Author: A. Writer <writer@example.test>',
      `Date:   Mon Mar 2 10:${String(index % 60).padStart(2, '0')}:00 2026 +0100`,
      '',
      `    Change number ${index} for a reason`,
      '',
    ].join('\n'),
  )
  .join('\n')

export const gitDiff = range(30)
  .map((file) =>
    [
      `diff --git a/src/part-${file}.ts b/src/part-${file}.ts`,
      `index 3f2a${file}..91bc${file} 100644`,
      `--- a/src/part-${file}.ts`,
      `+++ b/src/part-${file}.ts`,
      ...range(3).flatMap((hunk) => [
        `@@ -${hunk * 40 + 1},12 +${hunk * 40 + 1},12 @@ function part${file}() {`,
        ...range(5).map((line) => ` context ${line} of ${file}`),
        `-  const before = ${file}`,
        '--- a comment of SQL that was removed',
        `+  const after = ${file}`,
        `+  const more = ${hunk}`,
        ...range(5).map((line) => ` context ${line + 5} of ${file}`),
      ]),
    ].join('\n'),
  )
  .join('\n')

export const lsRecursive = range(40)
  .map((folder) =>
    [`./src/room-${folder}:`, 'README.md', ...range(25).map((file) => `file-${file}.ts`), ''].join('\n'),
  )
  .join('\n')

export const findOutput = range(3000)
  .map((index) => `./packages/${['core', 'web', 'cli'][index % 3]}/src/deep/file-${index}.ts`)
  .join('\n')

export const grepOutput = range(900)
  .map(
    (index) =>
      `src/${['store', 'route', 'page'][index % 3]}.ts:${index + 1}:  const value${index} = read(error)`,
  )
  .join('\n')

export const psAux = [
  'USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND',
  ...range(300).map(
    (index) =>
      `root      ${String(index).padStart(6)}  0.${index % 10}  0.1 168${index % 10}00 11${index % 10}20 ?        Ss   Mar01   0:0${index % 10} /usr/lib/daemon-${index} --flag`,
  ),
].join('\n')

export const csv = [
  'id,name,city,note',
  ...range(2000).map((index) =>
    index === 1 ? '1,"Doe, A.",Köln,"two\nlines"' : `${index},Name ${index},City ${index % 7},plain`,
  ),
  '',
].join('\n')

export const markdownTable = [
  '| key | value |',
  '|-----|------:|',
  ...range(500).map((index) => `| k${index} | ${index} |`),
].join('\n')

export const apiAnswer = JSON.stringify({
  total: 4812,
  next: 'https://api.example.test/users?page=2',
  items: range(400).map((index) => ({
    id: index,
    name: `User ${index}`,
    roles: ['reader', 'writer'],
    address: { city: 'Bern', place: { lat: 46.9, lng: 7.4 } },
    about: 'about this person '.repeat(12),
  })),
  links: { self: '/users', help: '/help' },
})

export const jsonLines = range(1200)
  .map((index) =>
    JSON.stringify({
      time: index,
      level: 'info',
      message: `request ${index}`,
      ...(index % 3 ? {} : { slow: true }),
    }),
  )
  .join('\n')

export const source = [
  "import { readFile } from 'node:fs/promises'",
  '',
  ...range(60).flatMap((index) => [
    `/** Part ${index}. */`,
    `export async function part${index}(input: string): Promise<string> {`,
    ...range(8).map((line) => `  const step${line} = input + '${line}'`),
    '  return input',
    '}',
    '',
  ]),
  'export class Last {',
  '  constructor(readonly name: string) {}',
  '}',
].join('\n')

export const page = [
  '<!doctype html>',
  '<html><head><title>The handbook</title></head><body>',
  ...range(60).flatMap((index) => [
    `<h2>Chapter ${index}</h2>`,
    `<p>${'Words of a chapter. '.repeat(10)}</p>`,
  ]),
  '</body></html>',
].join('\n')

export const prose = {
  chinese: '工具的输出很长，需要预览。'.repeat(800),
  arabic: range(200)
    .map((index) => `السطر ${index} من نص طويل جدا يحتاج إلى معاينة`)
    .join('\n'),
  emoji: '👩‍👩‍👧‍👦🇨🇭👍🏽é'.repeat(900),
}
