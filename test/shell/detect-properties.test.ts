import fc from 'fast-check'
import { expect, it } from 'vitest'
import { detect } from '../../src/shell/detect.js'
import type { Detection } from '../../src/shell/detection/detection.js'
import { parseCommand } from '../../src/shell/parse/parse-command.js'

const place = { cwd: '/w', home: '/home/me' }
const look = (command: string): Detection => detect(parseCommand(command), place)

const word = fc.oneof(
  fc.stringMatching(/^[a-z.][a-z0-9_]{0,5}(?:\/[a-z.]{1,4}){0,2}$/),
  fc.constantFrom(
    '~/.env',
    '/etc/passwd',
    '"a b"',
    '*.ts',
    '.e*',
    '$HOME/x',
    '../up',
    'a{1,2}',
    '"$D/key"',
    '$f',
  ),
)
const host = fc.stringMatching(/^[a-z]{1,6}\.(?:com|org)$/)

/** One command without control operators: a wrapper can stand in front of it. */
const simple = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      'cat',
      'rm -rf',
      'cp',
      'mv',
      'tee',
      'unheard-of',
      'grep -r x',
      'chmod +x',
      'ls',
      'git add',
    ),
    word,
    word,
  ),
  fc.tuple(
    fc.constantFrom('curl -o', 'curl -d @x -T', 'wget -O'),
    word,
    host.map((name) => `https://${name}/x`),
  ),
  fc.tuple(
    fc.constantFrom('scp', 'rsync -a'),
    word,
    host.map((name) => `me@${name}:x`),
  ),
  fc.tuple(
    fc.constant('find'),
    word,
    fc.constantFrom('-delete', '-exec cat {} +', "-name '*.x' -exec rm {} \\;"),
  ),
  fc.tuple(fc.constantFrom('sort', 'echo hi', 'cat'), fc.constantFrom('>', '>>', '<', '2>'), word),
  fc.tuple(fc.constantFrom("sh -c 'rm a'", 'xargs rm', 'env B=2 cat', 'sudo cat', 'timeout 1 rm'), word),
)
const command = simple.map((parts) => parts.join(' '))

const script = fc.oneof(
  command,
  fc
    .tuple(command, fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n'), command)
    .map((parts) => parts.join('')),
  fc.tuple(word, command).map(([name, inner]) => `f=${name}; ${inner}`),
  command.map((inner) => `for f in a b; do ${inner}; done`),
  command.map((inner) => `if ${inner}; then cd sub; fi`),
)

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Everything that X has is still there. */
function expectKept(inner: string, outer: string): void {
  const [before, after] = [look(inner), look(outer)]
  for (const list of ['reads', 'writes', 'deletes', 'redirects', 'executes', 'hosts'] as const)
    expect([...new Set([...after[list], ...before[list]])].sort(), outer).toEqual([...after[list]].sort())
  const texts = after.commands.map(({ text }) => text)
  for (const { text } of before.commands) expect(texts, outer).toContain(text)
  const guessed = after.guesses.flatMap(({ writes }) => writes)
  for (const { writes } of before.guesses) for (const path of writes) expect(guessed, outer).toContain(path)
  for (const flag of ['is_destructive', 'is_open_world', 'changesMeaning'] as const)
    if (before[flag]) expect(after[flag], `${flag} of ${outer}`).toBe(true)
  if (!before.isComplete) expect(after.isComplete, outer).toBe(false)
}

it('a wrapper in front of a command hides nothing of it', () => {
  const wrappers = [
    'sudo',
    'timeout 5',
    'env A=1',
    'nice -n 3',
    'command',
    'nohup',
    'stdbuf -oL',
    'exec',
    'time',
    'A=1',
  ]
  fc.assert(
    fc.property(command, fc.constantFrom(...wrappers), (inner, wrapper) =>
      expectKept(inner, `${wrapper} ${inner}`),
    ),
    { numRuns: 600, seed: 777 },
  )
})

it('a shell around a script hides nothing of it', () => {
  const around: ((inner: string) => string)[] = [
    (inner) => `sh -c ${quoted(inner)}`,
    (inner) => `sudo bash -lc ${quoted(inner)}`,
    (inner) => `eval ${quoted(inner)}`,
    (inner) => `(${inner})`,
    (inner) => `{ ${inner}; }`,
    (inner) => `{ ${inner}; } && true`,
    (inner) => `true || { ${inner}; }`,
    (inner) => `echo $(${inner})`,
    (inner) => `echo "x$(${inner})"`,
    (inner) => `cat <(${inner})`,
    (inner) => `g() { ${inner}; }; g`,
    (inner) => `trap ${quoted(inner)} EXIT`,
    (inner) => `while true; do ${inner}; done`,
    (inner) => `sh <<'END'\n${inner}\nEND\n`,
  ]
  fc.assert(
    fc.property(script, fc.constantFrom(...around), (inner, wrap) => expectKept(inner, wrap(inner))),
    { numRuns: 1500, seed: 777 },
  )
})

it('no text makes it throw, and no unparsed text looks harmless', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom(
      ' ',
      '$(',
      ')',
      '`',
      "'",
      '"',
      '{',
      '}',
      '|',
      '&&',
      ';',
      '\n',
      '<<E\n',
      '\nE\n',
      '$x',
      '${',
      '*',
      '[',
      '\\',
    ),
    fc.constantFrom(
      'rm ',
      'cat ',
      'sh -c ',
      'eval ',
      'cd ',
      'for f in ',
      'do ',
      'done',
      'if ',
      'then ',
      'fi',
      '()',
      '> ',
      '< ',
    ),
    fc.constantFrom(
      'tar ',
      'xf ',
      'sed -e ',
      'awk ',
      'git ',
      'find ',
      '-exec ',
      'xargs ',
      'env ',
      '-S ',
      'docker run ',
      '-- ',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const found = look(pieces.join(''))
      expect(found.reasons.every((reason) => reason.endsWith('.'))).toBe(true)
      if (!found.isParsed)
        expect(found).toMatchObject({ isComplete: false, is_destructive: true, is_open_world: true })
      for (const path of [...found.reads, ...found.writes, ...found.executes]) expect(path[0]).toBe('/')
    }),
    { numRuns: 3000, seed: 777 },
  )
})
