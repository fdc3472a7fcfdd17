import { describe, expect, it } from 'vitest'
import { runAll, whyNoRoot } from '../attack/throwaway-root.mjs'
import { commandJudge } from '../attack/judge-command.mjs'

const judge = commandJudge({
  allow: ['echo', 'printf', 'read', 'test', '[', 'unset', 'declare', 'export', 'let', 'wait', 'set', ':'].map(
    (program) => `Bash(${program}:*)`,
  ),
})

const SET = `x='a[$(canary)]'; `

/** Lines in which bash runs the canary although every command in them is allowed by name. */
const evaluated = [
  `${SET}echo $((x))`,
  `${SET}echo $(( 1 + x ))`,
  `${SET}echo $[x]`,
  `${SET}echo \${b[$x]}`,
  `${SET}echo \${b[x]}`,
  `${SET}echo \${#b[x]}`,
  `z=abc; ${SET}echo \${z:$x}`,
  `z=abc; ${SET}echo \${z:x}`,
  `z=abc; ${SET}echo \${z:0:x}`,
  `${SET}echo \${!x}`,
  `x='$(canary)'; echo "\${x@P}"`,
  `${SET}(( x )); echo`,
  `${SET}for (( i=x; i<0; i++ )); do echo; done`,
  `${SET}b[$x]=1; echo`,
  `${SET}b[x]=1; echo`,
  `${SET}b=([x]=1); echo`,
  `[[ 'a[$(canary)]' -eq 1 ]] || echo hi`,
  `${SET}[[ 1 -lt x ]] || echo hi`,
  `[[ -v 'a[$(canary)]' ]] || echo hi`,
  `[ -v 'a[$(canary)]' ] || echo hi`,
  `test -v 'a[$(canary)]' || echo hi`,
  `printf -v 'a[$(canary)]' x`,
  `read 'a[$(canary)]' <<< x`,
  `a=1; unset 'a[$(canary)]'`,
  `declare 'a[$(canary)]=1'`,
  `declare -i y='a[$(canary)]'`,
  `declare -n y='a[$(canary)]'; echo $y`,
  `let 'y=a[$(canary)]'`,
  `PS4='$(canary)'; set -x; echo`,
  `read PS4 <<< '$(canary)'; set -x; echo`,
  `echo "\${y:-$((x))}" \${x:='a[$(canary)]'} $((x))`,
  `${SET}echo "\${HOME#$((x))}"`,
  `${SET}echo <<EOF\n$((x))\nEOF`,
  // Texts that the parser of the full grammar takes for quoted.
  `echo "\${y:-'$(canary)'}"`,
  `echo "\${HOME:+'$(canary)'}"`,
  `echo "\${y:?<(canary)}" "\${y:-'\`canary\`'}"`,
  `echo <<EOF\n\${y:-'$(canary)'}\nEOF`,
]

const reason = whyNoRoot()
if (reason) console.log(`skipped: commands in a throwaway root, for ${reason}`)

describe('code that a value hides', () => {
  it.each(evaluated)('is not allowed by the names around it: %s', (line) => {
    expect(judge(line)).toBe('ask')
  })

  it.skipIf(reason !== undefined)('is really run by bash', () => {
    const seen = runAll(evaluated)
    const quiet = evaluated.filter((_, index) => !seen[index]!.hasRun)
    // `${y:?…}` stops the shell before the next word, and an unset name is not looked up.
    expect(quiet.length).toBeLessThan(4)
  })

  it('meets a deny for what it runs', () => {
    const denies = commandJudge({ allow: ['Bash'], deny: ['Bash(canary:*)'] })
    for (const line of evaluated) expect(denies(line), line).not.toBe('allow')
    expect(denies(`echo "\${y:-'$(canary)'}"`)).toBe('deny')
  })

  it('needs approval if a path is denied', () => {
    const denies = commandJudge({ allow: ['Bash'], deny: ['Read(.env)'] })
    for (const line of evaluated) expect(denies(line), line).toBe('ask')
  })

  it.each([
    `echo $((1 + 2))`,
    `i=0; echo $((i + 1)); i=$((i + 1)); echo $((i * 2))`,
    `echo \${b[0]} \${b[@]} \${#b[@]}`,
    `echo \${HOME:1:2}`,
    `echo "\${x:-y}"`,
    `[[ 1 -eq 2 ]] || echo hi`,
    `x=1; echo "$x"`,
    `printf '%s' "$HOME"`,
    `export NODE_ENV=test && echo hi`,
  ])('is not assumed in numbers and plain values: %s', (line) => {
    expect(judge(line)).toBe('allow')
  })
})
