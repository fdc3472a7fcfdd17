// Rules allow a few harmless commands by their names. Whatever they allow is run for real: none may start the canary,
// however a command is hidden in a value that the shell evaluates.
import { commandJudge } from './judge-command.mjs'
import { generateTexts } from './proofs.mjs'
import { createRandom } from './random.mjs'
import { runAll, whyNoRoot } from './throwaway-root.mjs'

export const name = 'narrow allows'
export const whyNot = whyNoRoot

const ALLOWED = 'echo printf cat ls true : test [ read unset wait set shift pwd head'.split(' ')

export async function round({ seed, size }) {
  const judge = commandJudge({ allow: ALLOWED.map((program) => `Bash(${program}:*)`) })
  const random = createRandom(seed)
  const texts = [
    ...new Set([...Array.from({ length: size }, () => evaluate(random)), ...generateTexts(seed, size)]),
  ]
  const allowed = texts.filter((text) => judge(text) === 'allow')
  const seen = runAll(allowed)
  const broken = allowed.flatMap((text, index) => (seen[index].hasRun ? [{ kind: 'code ran', text }] : []))
  return { attempts: texts.length, proven: allowed.length, broken }
}

/** A line that sets or finds a value with a command in it, and evaluates it in one of many ways. */
export function evaluate(random) {
  const command = random.pick(['$(canary)', '`canary`', '$(canary 1)'])
  const value = random.pick([`a[${command}]`, `b[0${command}]`, command, `x+a[${command}]`, 'h', 't'])
  const name = random.pick(['x', 'y', 'i', 'BASH_ENV', 'PS4', 'n'])
  const setting = random.pick([
    `${name}='${value}'; `,
    `${name}="${value.replaceAll(/[$`]/g, '\\$&')}"; `,
    `read ${name} <<< '${value}'; `,
    `printf -v ${name} %s '${value}'; `,
    `for ${name} in '${value}'; do :; done; `,
    `: \${${name}:='${value}'}; `,
    '',
  ])
  const use = random.pick(USES)(random.pick([name, `$${name}`, `'${value}'`, `"$${name}"`]), name)
  return `${setting}${use}`
}

const USES = [
  (word) => `echo $((${word}))`,
  (word) => `echo $[${word}]`,
  (word) => `echo \${b[${word}]}`,
  (word) => `echo \${#b[${word}]}`,
  (word) => `echo \${b[${word}]:-x}`,
  (word) => `echo \${HOME:${word}}`,
  (word) => `echo \${HOME:0:${word}}`,
  (_, name) => `echo \${!${name}}`,
  (_, name) => `echo \${${name}@P}`,
  (_, name) => `echo "\${${name}@P}"`,
  (_, name) => `echo \${${name}@E}`,
  (word) => `(( ${word} )) && echo hi`,
  (word) => `echo hi; (( ${word} ))`,
  (word) => `for (( i=${word}; i<1; i++ )); do echo; done`,
  (word) => `b[${word}]=1; echo`,
  (word) => `b=([${word}]=1); echo`,
  (word) => `[[ ${word} -eq 1 ]] && echo hi`,
  (word) => `[[ 1 -lt ${word} ]] || echo hi`,
  (word) => `[[ -v ${word} ]] || echo hi`,
  (word) => `[ -v ${word} ] || echo hi`,
  (word) => `test -v ${word} || echo hi`,
  (word) => `test ${word} -eq 1 || echo hi`,
  (word) => `printf -v ${word} x`,
  (word) => `printf %d ${word}`,
  (word) => `read ${word} < a.txt`,
  (word) => `unset ${word}`,
  (word) => `wait -n -p ${word}`,
  (word) => `cat <<EOF\n$((${word}))\nEOF`,
  (word) => `cat <<< $((${word}))`,
  (word) => `echo {1..$((${word}))}`,
  (word) => `cat a.txt > $((${word}))`,
  (word) => `cat < \${b[${word}]}`,
  (word) => `case $((${word})) in *) echo;; esac`,
  (word) => `echo "\${x:-$((${word}))}"`,
  (word) => `echo "\${x#$((${word}))}"`,
  (word) => `echo \${HOME/\${b[${word}]}/x}`,
  (word) => `set -x; echo ${word}`,
  (word) => `shift ${word}`,
  (word) => `ls ${word} | head -$((${word}))`,
  (word) => `echo $(( 1 ? ${word} : 2 ))`,
]
