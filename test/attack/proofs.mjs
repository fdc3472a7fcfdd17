// Texts in which a command hides behind quotes, operands, here-documents and substitutions. Those that are proven to only
// read are run for real, in bash and in dash: none may start the canary or change a file.
import { parseCommand } from '../../dist/shell/parse/parse-command.js'
import { prove } from '../../dist/shell/proof/prove.js'
import { cleanContext } from './clean-context.mjs'
import { createRandom } from './random.mjs'
import { runAll, whyNoRoot } from './throwaway-root.mjs'

export const name = 'proofs'
export const whyNot = whyNoRoot

export async function round({ seed, size }) {
  const texts = [...new Set(generateTexts(seed, size))]
  const broken = []
  let proven = 0
  for (const [kind, shells] of Object.entries({ bash: ['bash'], sh: ['dash', 'bash'] })) {
    const claimed = texts.filter((text) => prove(parseCommand(text, kind), cleanContext).isReadOnly)
    proven += claimed.length
    for (const shell of shells) {
      const seen = runAll(claimed, { shell })
      claimed.forEach((text, index) => {
        const { hasRun, hasChanged } = seen[index]
        if (hasRun || hasChanged) broken.push({ kind: `${kind} by ${shell}`, text })
      })
    }
  }
  return { attempts: texts.length, proven, broken }
}

/** Texts of three kinds: commands in frames in frames, such texts with a few tokens changed, and tokens in a row. */
export function generateTexts(seed, count) {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    const kind = random.next()
    if (kind < 0.4) return nest(random, 1 + random.below(4))
    if (kind < 0.8) return mutate(random, nest(random, 1 + random.below(3)))
    return Array.from({ length: 2 + random.below(12) }, () => random.pick(TOKENS)).join('')
  })
}

const CORES = [
  'canary',
  '$(canary)',
  '`canary`',
  '<(canary)',
  '>made',
  '; canary',
  '| canary',
  '$((h))',
  '${t}',
  '$t',
  'ls',
  'echo hi',
  'cat a.txt',
  'a.txt',
  '*',
  'delete',
  'exec',
  '=made',
  "' canary '",
  '# canary',
]

const OPERATORS = [
  ':-',
  '-',
  ':+',
  '+',
  ':?',
  '?',
  ':=',
  '=',
  '#',
  '##',
  '%',
  '%%',
  '/',
  '//',
  ':',
  '^',
  '^^',
  '@',
  '/x/',
]
const NAMES = ['x', 'h', 't', 'n', '1', '@', '*', '#', '?', '!x', '#x', 'x[0]', 'x[h]', 'h[$t]', 'HOME']

const FRAMES = [
  (inner) => `echo ${inner}`,
  (inner) => `echo '${inner}'`,
  (inner) => `echo "${inner}"`,
  (inner) => `echo "'${inner}'"`,
  (inner) => `echo '"${inner}"'`,
  (inner) => `echo "\\"${inner}\\""`,
  (inner) => `echo $'${inner}'`,
  (inner) => `echo $"${inner}"`,
  (inner) => `echo \\${inner}`,
  (inner) => `echo "\\${inner}"`,
  (inner) => `$(${inner})`,
  (inner) => `"$(${inner})"`,
  (inner) => `\`${inner}\``,
  (inner) => `"\`${inner}\`"`,
  (inner) => `$((${inner}))`,
  (inner) => `$[${inner}]`,
  (inner) => `((${inner}))`,
  (inner) => `[[ ${inner} ]]`,
  (inner) => `[[ -n ${inner} ]]`,
  (inner) => `[[ x == ${inner} ]]`,
  (inner) => `[[ x =~ ${inner} ]]`,
  (inner) => `[[ ${inner} -eq 1 ]]`,
  (inner) => `[[ -v ${inner} ]]`,
  (inner) => `[ ${inner} ]`,
  (inner) => `[ -v ${inner} ]`,
  (inner) => `test -n ${inner}`,
  (inner) => `cat <(${inner})`,
  (inner) => `cat <<EOF\n${inner}\nEOF`,
  (inner) => `cat <<'EOF'\n${inner}\nEOF`,
  (inner) => `cat <<"EOF"\n${inner}\nEOF\n`,
  (inner) => `cat <<\\EOF\n${inner}\nEOF`,
  (inner) => `cat <<-EOF\n\t${inner}\n\tEOF`,
  (inner) => `cat <<EOF <<'END'\n${inner}\nEOF\n${inner}\nEND`,
  (inner) => `cat <<E'O'F\n${inner}\nEOF`,
  (inner) => `cat <<EOF; ${inner}\nx\nEOF`,
  (inner) => `cat <<EOF "${inner}\nEOF\n"`,
  (inner) => `$(cat <<EOF\n${inner}\nEOF\n)`,
  (inner) => `echo $(cat <<'E'\nE ${inner} )\nE\n)`,
  (inner) => `cat <(cat <<-E\n\t${inner}\n\tE x )\n\tE\n)`,
  (inner) => `[[ #'\n x ]]\n${inner}\n[[ ' ]]`,
  (inner) => `[[ x == #"\n ]]\n${inner}\n[[ " ]]`,
  (inner) => `find *{sub,${inner}}`,
  (inner) => `sort ?{ub,${inner}}`,
  (inner) => `cat <<< ${inner}`,
  (inner) => `cat <<< "${inner}"`,
  (inner) => `bash -c '${inner}'`,
  (inner) => `bash -c "${inner}"`,
  (inner) => `sh -c '${inner}'`,
  (inner) => `sh -c "${inner}"`,
  (inner) => `env ${inner}`,
  (inner) => `timeout 1 ${inner}`,
  (inner) => `xargs -I{} ${inner} <names.txt`,
  (inner) => `echo a | xargs ${inner}`,
  (inner) => `find . -name ${inner}`,
  (inner) => `find . -exec ${inner} {} \\;`,
  (inner) => `x=${inner}; echo $x`,
  (inner) => `x="${inner}"; echo "$x"`,
  (inner) => `x='${inner}'; echo \${x@P}`,
  (inner) => `x='${inner}'; $x`,
  (inner) => `x[${inner}]=1`,
  (inner) => `x=(${inner})`,
  (inner) => `x=${inner} ls`,
  (inner) => `ls ${inner} | cat`,
  (inner) => `ls # ${inner}`,
  (inner) => `ls # ${inner}\nls`,
  (inner) => `{ ${inner}; }`,
  (inner) => `(${inner})`,
  (inner) => `if ${inner}; then ls; fi`,
  (inner) => `for i in ${inner}; do echo "$i"; done`,
  (inner) => `for ((${inner};;)); do break; done`,
  (inner) => `while read x; do echo ${inner}; done <a.txt`,
  (inner) => `case ${inner} in *) ls;; esac`,
  (inner) => `case x in ${inner}) ls;; esac`,
  (inner) => `case x in x) ${inner};; esac`,
  (inner) => `f() { ${inner}; }; f`,
  (inner) => `echo {a,${inner}}`,
  (inner) => `echo {${inner},b}{1..3}`,
  (inner) => `echo [${inner}]`,
  (inner) => `echo @(${inner})`,
  (inner) => `ls 2>${inner}`,
  (inner) => `ls <${inner}`,
  (inner) => `ls &>${inner}`,
  (inner) => `! ${inner}`,
  (inner) => `time ${inner}`,
  (inner) => `awk '${inner}' a.txt`,
  (inner) => `sed '${inner}' a.txt`,
  (inner) => `printf '${inner}'`,
  (inner) => `read ${inner} <a.txt`,
]

const TOKENS = [
  ...`' " \\ $ \` ( ) (( )) { } [ ] [[ ]] < > | & ; ! # ~ = + - , : / ? * @ % ^`.split(' '),
  ...'$( ${ $(( $[ $\' $" <( >( <<EOF << <<- <<< && || ;; |& &> >& <& {a,b} {1..3} ${x:- ${x} ${h[ $t $h $1'.split(
    ' ',
  ),
  ...'canary echo ls cat a.txt x EOF in do done if then fi case esac for while bash -c'.split(' '),
  ' ',
  ' ',
  ' ',
  '\n',
  '\nEOF\n',
  '\t',
]

function nest(random, depth) {
  let text = random.pick(CORES)
  for (let level = 0; level < depth; level++) {
    if (random.chance(0.35)) text = `\${${random.pick(NAMES)}${random.pick(OPERATORS)}${quote(random, text)}}`
    else text = random.pick(FRAMES)(text)
    if (random.chance(0.2)) text = quote(random, text)
  }
  return random.chance(0.5) && !/^(?:echo|cat|ls)\b/.test(text) ? `echo ${quote(random, text)}` : text
}

function quote(random, text) {
  const around = random.pick(['', '', '', '"', "'", "$'", "\\'", '\\"', "''", '""'])
  return `${around}${text}${around.replace('$', '')}`
}

function mutate(random, text) {
  let changed = text
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(changed.length + 1)
    const removed = random.chance(0.5) ? random.below(3) : 0
    changed =
      changed.slice(0, at) + (random.chance(0.8) ? random.pick(TOKENS) : '') + changed.slice(at + removed)
  }
  return changed
}
