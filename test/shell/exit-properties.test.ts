import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { readExit } from '../../src/shell/read-exit.js'
import { temporaryFolder } from '../temporary-folder.js'

/** A simple command, its exit code, and whether that is an answer and not a failure. */
interface Atom {
  readonly text: string
  readonly code: number
  readonly isAnswer: boolean
  readonly isLoud?: boolean
}

const atoms: readonly Atom[] = [
  { text: 'true', code: 0, isAnswer: true },
  { text: 'grep -q alpha a.txt', code: 0, isAnswer: true },
  { text: 'grep zzz a.txt', code: 1, isAnswer: true },
  { text: 'env nice grep zzz a.txt', code: 1, isAnswer: true },
  { text: 'test -f missing', code: 1, isAnswer: true },
  { text: 'false', code: 1, isAnswer: false },
  { text: "sh -c 'exit 1'", code: 1, isAnswer: false },
  { text: "sh -c 'exit 2'", code: 2, isAnswer: false },
  { text: 'cd missing', code: 1, isAnswer: false, isLoud: true },
  { text: 'cat missing', code: 1, isAnswer: false, isLoud: true },
  { text: 'grep zzz < missing', code: 1, isAnswer: false, isLoud: true },
  { text: 'cd missing 2>/dev/null', code: 1, isAnswer: false },
]

type Tree =
  | { kind: 'atom'; atom: Atom }
  | { kind: '&&' | '||' | ';' | '|'; left: Tree; right: Tree }
  | { kind: '!' | '()' | '{}'; inner: Tree }

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ kind: fc.constant('atom' as const), atom: fc.constantFrom(...atoms) }),
    fc.record({
      kind: fc.constantFrom('&&' as const, '||' as const, ';' as const, '|' as const),
      left: tie('tree'),
      right: tie('tree'),
    }),
    fc.record({
      kind: fc.constantFrom('!' as const, '()' as const, '{}' as const),
      inner: tie('tree'),
    }),
  ),
}))

function write(node: Tree): string {
  switch (node.kind) {
    case 'atom':
      return node.atom.text
    case '!':
      return `! { ${write(node.inner)}; }`
    case '()':
      return `( ${write(node.inner)} )`
    case '{}':
      return `{ ${write(node.inner)}; }`
    case ';':
      return `${write(node.left)}; ${write(node.right)}`
    case '&&':
    case '||':
    case '|':
      return `{ ${write(node.left)}; } ${node.kind} { ${write(node.right)}; }`
  }
}

interface Outcome {
  readonly code: number
  /** Whether the origin of the code meant it as an answer. */
  readonly isAnswer: boolean
}

/** A second implementation of the shell's behavior: which part ends it, with what code, and what is on stderr. */
function evaluate(node: Tree, options: { pipefail: boolean }, said: string[]): Outcome {
  switch (node.kind) {
    case 'atom':
      if (node.atom.isLoud) said.push(node.atom.text)
      return node.atom
    case '!': {
      const { code } = evaluate(node.inner, options, said)
      return { code: code === 0 ? 1 : 0, isAnswer: true }
    }
    case '()':
    case '{}':
      return evaluate(node.inner, options, said)
    case ';':
      evaluate(node.left, options, said)
      return evaluate(node.right, options, said)
    case '&&': {
      const left = evaluate(node.left, options, said)
      return left.code === 0 ? evaluate(node.right, options, said) : left
    }
    case '||': {
      const left = evaluate(node.left, options, said)
      return left.code === 0 ? left : evaluate(node.right, options, said)
    }
    case '|': {
      const left = evaluate(node.left, options, said)
      const right = evaluate(node.right, options, said)
      return options.pipefail && right.code === 0 ? left : right
    }
  }
}

const setting = fc.record({ pipefail: fc.boolean(), isSetInText: fc.boolean(), isStderrKnown: fc.boolean() })

function makeCase(node: Tree, { pipefail, isSetInText, isStderrKnown }: Record<string, boolean>) {
  const command = `${pipefail && isSetInText ? 'set -o pipefail; ' : ''}${write(node)}`
  const said: string[] = []
  const outcome = evaluate(node, { pipefail: pipefail! }, said)
  const options = {
    ...(pipefail && !isSetInText && { pipefail }),
    ...(isStderrKnown && { stderr: said.join('\n') }),
  }
  return { command, outcome, options }
}

it('a failure of the part that ends a command is never read as an answer', () => {
  let answers = 0
  fc.assert(
    fc.property(tree, setting, (node, given) => {
      const { command, outcome, options } = makeCase(node, given)
      const { meaning } = readExit(command, outcome.code, options)
      if (outcome.code === 0) expect(meaning).toBe('success')
      else if (!outcome.isAnswer) expect(meaning, command).toBe('failure')
      else if (meaning !== 'failure') answers++
    }),
    { numRuns: 4000, seed: 7 },
  )
  // Guards against an empty test: not everything may be a failure.
  expect(answers).toBeGreaterThan(300)
})

it('a real shell ends them with the computed code', () => {
  const place = temporaryFolder()
  onTestFinished(() => rmSync(place, { recursive: true }))
  writeFileSync(join(place, 'a.txt'), 'alpha\n')
  const cases = fc
    .sample(fc.tuple(tree, setting), { numRuns: 200, seed: 8 })
    .map(([node, given]) => makeCase(node, { ...given, isSetInText: true }))
  const script = cases.map(({ command }) => `( ${command} ) </dev/null >/dev/null 2>&1; echo $?`).join('\n')
  const { stdout, error } = spawnSync('bash', ['-c', script], { cwd: place, encoding: 'utf8' })
  if (error) return console.log('skipped: a real shell, for bash is not installed')
  const codes = stdout.trim().split('\n').map(Number)
  expect(cases.map(({ command }, index) => [command, codes[index]])).toEqual(
    cases.map(({ command, outcome }) => [command, outcome.code]),
  )
})

it('no text makes it throw, and only zero is a success', () => {
  const words = fc.constantFrom(
    ...'grep test [ ] [[ ]] a $x ! | || && ; & ( ) { } < > 2>&1 if then fi set -e xargs find -name -o env -c'.split(
      ' ',
    ),
    ...'bash \'a b\' "$(b)" `c` ${d:?} $((1)) exec exit \\ # \n f() git diff jq -e'.split(' '),
  )
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), fc.integer({ min: 1, max: 255 }), (given, code) => {
      const { meaning, sentence } = readExit(given.join(' '), code, { stderr: '' })
      expect(meaning).not.toBe('success')
      expect(sentence).toMatch(/\.$/)
    }),
    { numRuns: 5000, seed: 9 },
  )
})
