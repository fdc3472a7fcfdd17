import { seededRandom } from './seeded-random.js'

const payloads = [
  'canary',
  'touch made',
  'rm a.txt',
  'echo x > made',
  'cat a.txt',
  'ls -la',
  'echo canary',
  'git status',
]

// Contexts for a command. Nested in each other they break quotes, end words early and hide in unusual places.
const frames: readonly ((inner: string) => string)[] = [
  (inner) => `$(${inner})`,
  (inner) => `\`${inner}\``,
  (inner) => `echo "$(${inner})"`,
  (inner) => `echo '${inner}'`,
  (inner) => `echo "${inner}"`,
  (inner) => `echo $'${inner}'`,
  (inner) => `echo \${x:-$(${inner})}`,
  (inner) => `echo \${x:-${inner}}`,
  (inner) => `echo $(( 1 + $(${inner}) ))`,
  (inner) => `cat <(${inner})`,
  (inner) => `bash -c '${inner}'`,
  (inner) => `bash -c "${inner}"`,
  (inner) => `sh -c '${inner}'`,
  (inner) => `env ${inner}`,
  (inner) => `timeout 2 ${inner}`,
  (inner) => `nice ${inner}`,
  (inner) => `command ${inner}`,
  (inner) => `eval '${inner}'`,
  (inner) => `time ${inner}`,
  (inner) => `! ${inner}`,
  (inner) => `{ ${inner}; }`,
  (inner) => `(${inner})`,
  (inner) => `if ${inner}; then ls; fi`,
  (inner) => `if true; then ${inner}; fi`,
  (inner) => `for i in 1; do ${inner}; done`,
  (inner) => `for i in $(${inner}); do echo "$i"; done`,
  (inner) => `while ${inner}; do break; done`,
  (inner) => `case x in x) ${inner};; esac`,
  (inner) => `case $(${inner}) in *) ls;; esac`,
  (inner) => `[[ -n $(${inner}) ]]`,
  (inner) => `[ -n "$(${inner})" ]`,
  (inner) => `x=$(${inner}); echo "$x"`,
  (inner) => `x='${inner}'; echo "$x"`,
  (inner) => `x='${inner}'; $x`,
  (inner) => `cat <<EOF\n${inner}\nEOF`,
  (inner) => `cat <<EOF\n$(${inner})\nEOF`,
  (inner) => `cat <<'EOF'\n$(${inner})\nEOF`,
  (inner) => `cat <<< "$(${inner})"`,
  (inner) => `${inner} | cat`,
  (inner) => `ls | ${inner}`,
  (inner) => `${inner} 2>/dev/null`,
  (inner) => `${inner} 2>&1`,
  (inner) => `ls; ${inner}`,
  (inner) => `ls && ${inner}`,
  (inner) => `${inner}\nls`,
  (inner) => `ls # ${inner}`,
  (inner) => `echo x | xargs ${inner}`,
  (inner) => `echo ${inner} | xargs -I{} sh -c '{}'`,
  (inner) => `find . -maxdepth 0 -exec ${inner} \\;`,
  (inner) => `find . -maxdepth 0 -exec sh -c '${inner}' \\;`,
]

const commands =
  `sort uniq sed awk find xargs tar gzip gunzip xxd base64 cat head tail wc grep ls stat file date cut tr nl tac od
    diff cmp comm paste join fold env timeout nice echo printf test read type command jq shuf iconv du df zcat
    md5sum strings column tree bash sh`.split(/\s+/)
const gitCommands =
  `status log show diff branch tag remote stash config rev-parse ls-files grep blame describe cat-file reflog
    archive fsck symbolic-ref for-each-ref bundle notes worktree`.split(/\s+/)
const pieces =
  `-o ¦ -i ¦ -n ¦ -e ¦ -f ¦ -r ¦ -w ¦ -x ¦ -c ¦ -d ¦ -k ¦ -l ¦ -t ¦ -v ¦ -z ¦ -O ¦ -I ¦ -s ¦ -u ¦ -p ¦ -omade ¦ -i.bak ¦ -ni ¦ -tf ¦
  -cf ¦ -lc ¦ -I{} ¦ -n1 ¦ -20 ¦ -- ¦ - ¦ {} ¦ \\; ¦ + ¦ * ¦ *.txt ¦ ./* ¦ made ¦ a.txt ¦ b.txt ¦ b.txt.gz ¦ archive.tar ¦ sub ¦ . ¦ HEAD ¦
  canary ¦ script.sh ¦ data.json ¦ 1 ¦ --output=made ¦ --output ¦ --in-place ¦ --compress-program=canary ¦ --exec=canary ¦ -exec ¦
  -delete ¦ -fprint ¦ --list ¦ --all ¦ --stdout ¦ --decode ¦ -print ¦ -name ¦ --format=%H ¦ --edit ¦ --delete ¦ -D ¦ --global ¦ p ¦
  s/a/b/ ¦ 'w made' ¦ 's/a/b/e' ¦ '1e canary' ¦ '{print}' ¦ '{print > "made"}' ¦ 'BEGIN{system("canary")}' ¦ "$(canary)" ¦ $x ¦
  "$HOME" ¦ ~ ¦ > made ¦ 2>/dev/null ¦ < a.txt ¦ | cat ¦ | xargs canary ¦ ; canary`.split(/\s*¦\s*/)

const sedPieces = [
  '\n',
  ' ',
  ...`p ¦ d ¦ n ¦ N ¦ $ ¦ 1 ¦ 1,2 ¦ /a/ ¦ \\,a, ¦ ! ¦ ; ¦ ; ¦ { ¦ } ¦ s/a/b/ ¦ s/a/b/g ¦ s,a,b, ¦ w made ¦ W made ¦ e canary ¦ s/a/b/w made ¦
  s/.*/canary/e ¦ s/[/]/w made/ ¦ s/a/w made/ ¦ r a.txt ¦ y/a/b/ ¦ a x ¦ i\\ ¦ c x ¦ :a ¦ ba ¦ t ¦ # ¦ q ¦ = ¦ l ¦ h ¦ G ¦ x ¦ /[/]/ ¦
  s#a#w made# ¦ s/\\//w made/ ¦ \\`.split(/\s*¦\s*/),
]
const awkPieces = [
  '\n',
  ...`print ¦ printf ¦ "x" ¦ "made" ¦ "canary" ¦ > "made" ¦ >> "made" ¦ | "canary" ¦ system("canary") ¦ | ¦ > ¦ >= ¦ /a/ ¦ / ¦ " ¦ { ¦ } ¦ ( ¦ )
  ¦ [ ¦ ] ¦ ; ¦ , ¦ $1 ¦ x ¦ 1 ¦ 2 ¦ + ¦ ++ ¦ || ¦ && ¦ if (1) ¦ BEGIN ¦ END ¦ NR ¦ length ¦ length($1) ¦ getline ¦ "canary" | getline ¦ in
  ¦ else ¦ ~ ¦ ! ¦ ? ¦ : ¦ = ¦ /"/`.split(/\s*¦\s*/),
]

/** Unusual command lines, the same ones every time. */
export function generateCases(seed: number, count: number): readonly string[] {
  const { below, pick } = seededRandom(seed)
  const some = (items: readonly string[], most: number) =>
    Array.from({ length: 1 + below(most) }, () => pick(items))
  const kinds: readonly (() => string)[] = [
    () => {
      let text = pick(payloads)
      for (let depth = 1 + below(3); depth > 0; depth--) text = pick(frames)(text)
      return text
    },
    () => [pick(commands), ...some(pieces, 5)].join(' '),
    () => ['git', pick(gitCommands), ...some(pieces, 4)].join(' '),
    () => `sed ${pick(['', '-n ', '-E ', '-s '])}'${some(sedPieces, 6).join('')}' a.txt`,
    () => `awk '${pick(['{ ', 'BEGIN { ', ''])}${some(awkPieces, 9).join(' ')}${pick([' }', ''])}' a.txt`,
  ]
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]!())
}
