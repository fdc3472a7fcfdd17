import { parse } from 'unbash'
import { describe, expect, it } from 'vitest'
import { parseCommand } from '../../src/shell/parse/parse-command.js'
import { prove } from '../../src/shell/proof/prove.js'
import type { ShellKind } from '../../src/shell/shell-kind.js'
import { parseStrict } from '../../src/shell/strict-grammar/parse-strict.js'
import { cleanContext } from './clean-context.js'
import { generateCases } from './generate-cases.js'

const isIn = (text: string, shell: ShellKind) => typeof parseStrict(text, shell) !== 'string'
const isProven = (text: string, shell: ShellKind = 'bash') =>
  prove(parseCommand(text, shell), cleanContext).isReadOnly

describe('texts with the same meaning in every shell', () => {
  it.each([
    `ls -la`,
    `ls 'a b' "c d" e\\ f`,
    `echo "$HOME/x" $1 \${x} "\${#x}" \${10}`,
    `echo "\${x:-a b}" \${x#*/} \${x%%.*} "\${x:-$y}" \${x+\${y}}`,
    `echo "a\\"b\\$c" 'it is'`,
    `echo $(ls | wc -l) "$(cat a)" \`date\``,
    `echo $((1 + 2 * (3 - 4))) $((x + 1))`,
    `a && b || c; d & e`,
    `! grep x y | wc -l`,
    `if a; then b; elif c; then d; else e; fi`,
    `for i in 1 2; do echo $i; done`,
    `while read x; do echo "$x"; done < a`,
    `case $x in a|b) c;; (*) d;; esac`,
    `(a; b) > /dev/null 2>&1`,
    `{ a; b; } | c`,
    `cat <<EOF\nhi $x $(ls)\nEOF\nls`,
    `cat <<'EOF' | wc\n$(x) "\` \\\nEOF`,
    `find . -name '*.ts' -exec grep x {} \\;`,
    `git show HEAD@{1} stash@{0}`,
    `ls *.ts [a-z]?`,
    `x=1 y=$z ls`,
    `ls # what 'ever\nls`,
    `grep 'a$' b`,
    `grep "a$" b`,
  ])('%s', (text) => {
    expect(isIn(text, 'sh')).toBe(true)
    expect(isIn(text, 'bash')).toBe(true)
  })
})

describe('texts that bash and other shells parse differently', () => {
  it.each([
    `[[ a > f ]]`,
    `[[ -f a && ( $x == b || ! -d c ) ]]`,
    `echo $'a\\n'`,
    `ls &> /dev/null`,
    `ls |& wc`,
    `cat <<< "$x"`,
    `diff <(a) <(b)`,
    `echo \${x:1:2} \${x//a/b} \${x^^} \${x@Q} \${a[0]}`,
    `x+=1`,
  ])('%s', (text) => {
    expect(isIn(text, 'sh')).toBe(false)
    expect(isIn(text, 'bash')).toBe(true)
  })

  it('are proven for bash only', () => {
    expect([isProven('[[ a > f ]]'), isProven('[[ a > f ]]', 'sh')]).toEqual([true, false])
    expect([isProven(`bash -c '[[ a > f ]]'`), isProven(`sh -c '[[ a > f ]]'`)]).toEqual([true, false])
    expect([isProven(`echo $'a'`), isProven(`dash -c "echo $'a'"`)]).toEqual([true, false])
  })

  it('are judged for the shell that runs an inner script', () => {
    expect(isProven(`bash -c 'cat <<< x'`, 'sh')).toBe(true)
    expect(isProven(`bash -c 'sh -c "[[ a ]]"'`)).toBe(false)
  })
})

describe('texts outside the strict grammar', () => {
  it.each([
    // A quote in an operand does not quote between double quotes and in here-documents.
    `echo "\${x:-'$(touch F)'}"`,
    `echo "\${x:+'$(touch F)'}"`,
    `echo "\${x:?'$(touch F)'}"`,
    `echo "\${x-'\`touch F\`'}"`,
    `echo "\${x:?<(touch F)}"`,
    `echo "\${x#'$(touch F)'}"`,
    `echo "\${x/'$(touch F)'/b}"`,
    `cat <<EOF\n\${x:-'$(touch F)'}\nEOF`,
    `echo \${x:-"$(touch F)"}`,
    `echo \${x:-\\}$(touch F)}`,
    // Values that are evaluated.
    `echo $((x = 1))`,
    `echo $((x++))`,
    `echo $((a[x]))`,
    `echo $((x $y))`,
    `echo $[1]`,
    `(( 1 ))`,
    `for ((;;)); do ls; done`,
    `echo \${a[x]}`,
    `echo \${x:y}`,
    `echo \${!x}`,
    `echo \${x@P}`,
    `a[x]=1`,
    `echo \${x:=1}`,
    // Text that the shell joins, translates or splits before it parses.
    `ec\\\nho`,
    `echo "a\\\nb"`,
    `echo $"hi"`,
    `echo \`echo \\\`date\\\`\``,
    `echo "\`echo "x"\`"`,
    `echo {a,$x}`,
    `echo {$,}{HOME}`,
    `echo {a,\\$b}`,
    `echo $'\\x41'`,
    // Here-documents that begin or end in unusual positions.
    `cat <<EOF`,
    `cat <<E"O"F\nx\nEOF`,
    `cat <<\\EOF\nx\nEOF`,
    `cat <<EOF "\nEOF\n"`,
    `cat <<EOF $(\nls)\nEOF`,
    `echo $(cat <<EOF)\nEOF`,
    // Bash ends a here-document in a substitution at a line that only begins like its end.
    `echo $(cat <<'E'\nE canary )\nE\n)`,
    `cat <(cat <<-E\n\tE canary )\n\tE\n)`,
    // A comment in the position of a word hides the rest.
    `[[ #'\n x ]]\ncanary\n[[ ' ]]`,
    `[[ a == #'\n ]]\ncanary\n[[ ' ]]`,
    `case #'\n x in\n' in *) ls;; esac`,
    `cat < #'\n'`,
    // Brackets.
    `f() { ls; }`,
    `x=(1 2)`,
    `echo @(a|b)`,
    `echo a<(ls)`,
    `echo >(ls)`,
    `echo $((1)+(2))`,
    `echo $(ls # )\n)`,
    `echo $(case x in x) ls;; esac)`,
    `ls 12>a`,
    `ls {fd}>a`,
    // Incomplete commands.
    `ls &&`,
    `ls | | wc`,
    `; ls`,
    `if ls; then`,
    `ls )`,
    `echo "a`,
    `echo 'a`,
    `echo $(ls`,
    `fi`,
    `case x in a) b;& *) c;; esac`,
    `${'( '.repeat(120)}ls${' )'.repeat(120)}`,
    `${'{ '.repeat(9000)}`,
    `[[ ${'( '.repeat(900)}x ]]`,
    `${'$('.repeat(900)}`,
  ])('%s', (text) => {
    expect(isIn(text, 'bash')).toBe(false)
    expect(isProven(text)).toBe(false)
  })

  it('have a reason in a sentence', () => {
    expect(parseStrict('echo ${x@P}', 'bash')).toBe('The expansion ${x@P} can do more than read a variable.')
    expect(parseStrict('[[ a ]]', 'sh')).toBe('Not every shell knows [[.')
  })
})

/** What both trees must agree on: everything except positions, and fields that one of them omits for plain text. */
function essence(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(essence)
  const { type } = node as { type?: string }
  const found: Record<string, unknown> = {}
  const fields =
    `type kind text name prefix suffix commands command operators operator background redirects parts script
    parameter index operation operand pattern replacement offset length clause then elif else body wordlist word items
    terminator target delimiter quoted left right operands prefixes append`.split(/\s+/)
  for (const field of fields) {
    const value = (node as Record<string, unknown>)[field]
    if (value === undefined || (field === 'parts' && isPlain(type, value))) continue
    found[field] = essence(value)
  }
  return found
}

function isPlain(type: string | undefined, parts: unknown): boolean {
  if (type === 'BraceExpansion' || type === 'Glob') return true
  if (type !== 'HereDocBody' || !Array.isArray(parts)) return false
  return parts.every((part: { type: string }) => part.type === 'Literal')
}

describe('words that may become anything', () => {
  it.each([
    'find *{sub,delete}',
    'find ?{ub,delete}',
    'sort *{made,.txt}',
    'tar -tf archive.tar *{.txt,exec=canary}',
    'bash -xc ls',
    `zsh -c 'ls'`,
    `ksh -c 'test h -eq 1'`,
    `LC_ALL=zh_CN.GBK bash -c 'ls'`,
    'LANG=zh_TW ls',
    'script -q /dev/null grep -c canary',
  ])('are not proven: %s', (text) => expect(isProven(text)).toBe(false))

  it.each(['x=# ls', 'LC_ALL=C sort a', 'LANG=en_US.UTF-8 ls', 'script -q /dev/null pwd', `[[ a# == b ]]`])(
    'do not touch plain ones: %s',
    (text) => expect(isProven(text)).toBe(true),
  )
})

describe('a tree of the grammar', () => {
  it('equals the tree of the parser of the full language', () => {
    const texts = generateCases(4_711, 1_500).filter((text) => isIn(text, 'bash'))
    expect(texts.length).toBeGreaterThan(700)
    for (const text of texts) {
      // Braces are one part here; an operand's variables are parts of it there too.
      if (/\{[^}]*(?:,|\.\.)/.test(text)) continue
      expect(essence(parseStrict(text, 'bash')), text).toEqual(essence(parse(text)))
    }
  })
})
