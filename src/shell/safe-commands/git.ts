import type { CommandFamily, CommandSpec, Given } from '../command-spec.js'
import {
  folderOfGit,
  isGuardedBlame,
  isGuardedDiff,
  isGuardedList,
  isGuardedLog,
  isGuardedLook,
  isGuardedReading,
  isGuardedSearch,
  isHarmlessOverride,
} from '../grammars/git-guards.js'

// A signature is checked by the program that the repository's configuration names.
const checksNothing = (format: string) => !format.includes('%G') && !format.includes('signature')
const formats = {
  '--format': checksNothing,
  '--pretty': checksNothing,
  '--sort': checksNothing,
  // The others open the submodules, also those that exist only in history.
  '--submodule': (value: string) => value === 'short',
}

const history = { reliesOn: 'git history' } as const satisfies CommandSpec
const files = { reliesOn: 'git files' } as const satisfies CommandSpec
const remote = { reliesOn: 'git remote', isOpenWorld: true } as const satisfies CommandSpec
/** Reads only names and settings. */
const look = { ...history, isGuarded: isGuardedLook } as const satisfies CommandSpec
/** Reads objects, and shows them unchanged. */
const reading = { ...history, isGuarded: isGuardedReading } as const satisfies CommandSpec

// Not --output, which writes, and --ext-diff and --textconv, which run programs.
const DIFF = `-p -u --patch -s --no-patch -U= --unified= --raw --patch-with-raw --indent-heuristic
  --no-indent-heuristic --minimal --patience --histogram --anchored= --diff-algorithm= --stat? --compact-summary
  --numstat --shortstat -X? --dirstat? --cumulative --dirstat-by-file? --summary --patch-with-stat -z --name-only
  --name-status --submodule= --color? --no-color --color-moved? --no-color-moved --color-moved-ws=
  --no-color-moved-ws --word-diff? --word-diff-regex= --color-words? --no-renames --rename-empty --no-rename-empty
  --check --ws-error-highlight= --full-index --binary --abbrev? --no-abbrev -B? --break-rewrites? -M?
  --find-renames? -C? --find-copies? --find-copies-harder -D --irreversible-delete -l= --diff-filter= -S= -G=
  --find-object= --pickaxe-all --pickaxe-regex -O? --skip-to= --rotate-to= -R --relative? --no-relative -a --text
  --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space --ignore-blank-lines -I=
  --ignore-matching-lines= -W --function-context --exit-code --quiet --no-ext-diff --no-textconv
  --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix=
  --ita-invisible-in-index --ita-visible-in-index`

// Not --show-signature, which runs a program.
const LOG = `--oneline --graph --no-graph --all --branches? --tags? --remotes? --glob= --exclude= -n= -#
  --max-count= --skip= --since= --after= --until= --before= --since-as-filter= --author= --committer= --grep=
  --grep-reflog= --all-match --invert-grep -i --regexp-ignore-case -E --extended-regexp -F --fixed-strings -P
  --perl-regexp --basic-regexp --remove-empty --merges --no-merges --min-parents= --max-parents= --no-min-parents
  --no-max-parents --first-parent --not --reflog --walk-reflogs -g --cherry-mark --cherry-pick --left-only
  --right-only --left-right --cherry --boundary --simplify-by-decoration --simplify-merges --full-history --dense
  --sparse --show-pulls --ancestry-path? --topo-order --date-order --author-date-order --reverse --no-walk?
  --do-walk --pretty? --format= --abbrev-commit --no-abbrev-commit --encoding= --expand-tabs? --no-expand-tabs
  --notes? --no-notes --relative-date --date= --parents --children --follow --decorate? --no-decorate
  --decorate-refs= --decorate-refs-exclude= --source --full-diff --log-size -L= -c --cc -m -t -r --root
  --use-mailmap --no-mailmap --mailmap --show-linear-break? --count --timestamp --quiet -q --bisect --merge`

const FILTERS = `--contains? --no-contains? --merged? --no-merged? --points-at= --sort= --format= --column? --no-column --color?
    --no-color -i --ignore-case --omit-empty`

/** Without one of these, a name after `git branch` or `git tag` creates one. */
function isListing({ options, operands }: Given): boolean {
  if (operands.length === 0) return true
  const isList = ['--list', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at'].some(
    (name) => options.has(name),
  )
  return isList && operands.every((operand) => typeof operand === 'string' && !operand.startsWith('-'))
}

/** One name reads a value; a second one would set it. */
function isAsking({ options, operands }: Given): boolean {
  const isNamed = ['--get', '--get-all', '--get-regexp', '--list', '-l'].some((name) => options.has(name))
  if (isNamed) return true
  const [first] = operands
  if (first === 'list') return operands.length === 1
  if (first === 'get') return operands.length === 2
  return operands.length === 1 && typeof first === 'string' && /^[\w-]+\.[\w.-]+$/.test(first)
}

const remoteName = /^[\w][\w.-]*$/
// Another name is a folder, unless a remote has it: git would start itself there.
const isOrigin = (value: string) => value === 'origin'
const isRemote = (value: string) => isOrigin(value) || /^https:\/\/[\w.~:/-]+$/.test(value)

// Questions of rev-parse about its location. Others look for objects.
const ABOUT_PLACE = new Set(
  `--show-toplevel --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir
    --is-bare-repository --is-shallow-repository --show-prefix --show-cdup --abbrev-ref --symbolic-full-name HEAD
    --show-superproject-working-tree`.split(/\s+/),
)

/**
 * git, if it only inspects a repository. It obeys a repository's configuration, which can run any program, so every
 * sub-command states what it relies on: test/shell has the tests with a hostile configuration.
 */
export const git: CommandFamily = {
  git: {
    // Not --config-env, which sets anything, --git-dir and --work-tree, which choose another repository with a
    // configuration of its own, --exec-path, which chooses the programs, and -p, which starts the pager.
    options: `--no-pager -P --no-optional-locks --no-replace-objects --no-lazy-fetch --literal-pathspecs
      --no-advice -C= -c= -h -v`,
    values: { '-c': isHarmlessOverride, '-C': (value) => value !== '' },
    folderOf: folderOfGit,
    isBare: true,
    verbs: {
      // No guard is enough: a file with changed times goes through `filter.<name>.clean` of any name, which neither -c
      // nor another option turns off. The same holds for diffs of the working tree, `ls-files -m` and `describe
      // --dirty`.
      status: {
        ...files,
        options: `-s --short -b --branch --show-stash --porcelain? --long -v --verbose -u? --untracked-files?
          --ignore-submodules? --ignored? -z --column? --no-column --ahead-behind --no-ahead-behind --renames
          --no-renames --find-renames?`,
      },
      diff: {
        ...files,
        isGuarded: isGuardedDiff,
        options: `${DIFF} --cached --staged --merge-base -1 -2 -3 -0 --base --ours --theirs --no-index -c --cc -q -m
          -r -t`,
        values: formats,
      },
      'diff-tree diff-index': {
        ...files,
        isGuarded: isGuardedDiff,
        options: `${DIFF} -r -t --root --stdin -m -c --cc --no-commit-id --cached -q -v --always --merge-base
          --pretty? --format=`,
        values: formats,
      },
      'diff-files': {
        ...files,
        options: `${DIFF} -r -t --root --stdin -m -c --cc --no-commit-id --cached -q -v --always --merge-base
          --pretty? --format=`,
        values: formats,
      },
      'log show whatchanged': {
        ...history,
        isGuarded: isGuardedLog,
        options: `${DIFF} ${LOG} --no-show-signature --objects --no-object-names`,
        values: formats,
      },
      'rev-list': {
        ...history,
        isGuarded: isGuardedList,
        options: `${DIFF} ${LOG} --objects --no-object-names`,
        values: formats,
      },
      shortlog: {
        ...history,
        isGuarded: isGuardedList,
        options: `-s -n -e -c -w? --summary --numbered --email --committer --group= --format= --all --since=
          --after= --until= --before= --author= --no-merges --merges --grep= -i -E -F --first-parent --branches?
          --tags? --remotes?`,
        values: formats,
      },
      'blame annotate': {
        ...files,
        isGuarded: isGuardedBlame,
        options: `-b --no-textconv --root --show-stats -L= -l -t --reverse -p --porcelain --line-porcelain --incremental
          --encoding= --contents= --date= -M? -C? -c --score-debug -f --show-name -n --show-number -s -e
          --show-email -w --abbrev= --ignore-rev= --ignore-revs-file= --color-lines --color-by-age --progress
          --no-progress --first-parent --since=`,
      },
      branch: {
        ...history,
        options: `-a --all -r --remotes --list -v --verbose -q --quiet --show-current --abbrev= --no-abbrev
          ${FILTERS}`,
        values: formats,
        check: isListing,
        isGuarded: (args, from) =>
          isGuardedLook(args, from) && args.length === from + 1 && args[from] === '--show-current',
      },
      tag: { ...history, options: `-l --list -n? ${FILTERS}`, values: formats, check: isTagListing },
      remote: {
        options: '-v --verbose',
        ...look,
        isBare: true,
        verbs: {
          // Without -n it connects to the remote.
          show: { ...remote, options: '-n', operand: isOrigin },
          'get-url': {
            ...look,
            options: '--push --all',
            operand: (value) => remoteName.test(value),
            operands: 1,
          },
        },
      },
      stash: {
        verbs: {
          list: { ...history, options: `${DIFF} ${LOG}`, values: formats },
          show: { ...files, options: `${DIFF} --include-untracked --only-untracked`, values: formats },
        },
      },
      worktree: { verbs: { list: { ...history, options: '-v --verbose --porcelain -z' } } },
      submodule: { verbs: { status: { ...files, options: '--cached --recursive' } } },
      config: {
        ...look,
        // `git config user.name --list` sets the name.
        optionsFirst: true,
        options: `--get --get-all --get-regexp --list -l --global --local --system --worktree --show-origin
          --show-scope --name-only -z --null --type= --bool --int --bool-or-int --includes --no-includes --all
          --regexp --show-names`,
        check: isAsking,
      },
      // Plumbing that cannot write with any arguments.
      'rev-parse': {
        ...history,
        isFree: true,
        isGuarded: (args, from) =>
          isGuardedReading(args, from) ||
          (isGuardedLook(args, from) &&
            args.slice(from).every((arg) => typeof arg === 'string' && ABOUT_PLACE.has(arg))),
      },
      'ls-tree merge-base': { ...reading, isFree: true },
      cherry: { ...history, isFree: true },
      'check-ref-format': { ...look, isFree: true },
      'ls-files check-ignore check-attr': { ...files, isFree: true },
      describe: {
        ...files,
        isGuarded: (args, from) =>
          isGuardedReading(args, from) &&
          args.slice(from).every((arg) => typeof arg === 'string' && !/^--(?:dirty|broken)/.test(arg)),
        options: `--all --tags --contains --abbrev= --candidates= --exact-match --debug --long --match= --exclude=
          --always --first-parent --dirty? --broken?`,
      },
      'show-ref': {
        ...reading,
        options:
          '--head --heads --branches --tags --verify -s --hash? --abbrev? -d --dereference -q --quiet --exists',
      },
      'for-each-ref': {
        ...reading,
        options: `--count= --stdin --shell --perl --python --tcl --exclude= --include-root-refs ${FILTERS}`,
        values: formats,
      },
      'cat-file': {
        // Not --textconv and --filters, which run programs.
        ...reading,
        options: `-t -s -e -p --batch? --batch-check? --batch-all-objects --buffer --follow-symlinks --unordered
          --allow-unknown-type -z -Z`,
      },
      'name-rev': {
        ...reading,
        options: '--tags --refs= --exclude= --all --annotate-stdin --name-only --no-undefined --always',
      },
      'count-objects': { ...history, options: '-v -H --verbose --human-readable' },
      var: { ...history, options: '-l', operands: 1 },
      grep: {
        // Not -O, which opens matches in a program, --textconv, and --recurse-submodules, which opens other
        // repositories.
        ...files,
        isGuarded: isGuardedSearch,
        options: `--cached --untracked --no-index --no-recurse-submodules --exclude-standard
          --no-exclude-standard -v --invert-match -i --ignore-case -w --word-regexp -a --text --no-textconv -I -r
          --recursive --no-recursive --max-depth= -E --extended-regexp -G --basic-regexp -F --fixed-strings -P
          --perl-regexp -n --line-number --column -h -H --full-name -l --files-with-matches --name-only -L
          --files-without-match -z --null -o --only-matching -c --count -m= --max-count= --color? --no-color --break
          --heading -p --show-function -C= --context= -A= --after-context= -B= --before-context= -W
          --function-context --threads= -f= -e= --and --or --not --all-match -q --quiet -#`,
      },
      'show-branch': {
        ...history,
        options: `-r --remotes -a --all --current --topo-order --date-order --sparse --more= --list --merge-base
          --independent --no-name --sha1-name --topics --color? --no-color`,
      },
      // With a second name it would set what the first points to.
      'symbolic-ref': { ...look, options: '--short -q --quiet --recurse --no-recurse', operands: 1 },
      reflog: {
        ...history,
        isGuarded: isGuardedLog,
        options: `${DIFF} ${LOG}`,
        values: formats,
        operand: (value) => !/^(?:expire|delete|drop|write)$/.test(value),
      },
      bundle: { verbs: { 'list-heads': history, verify: { ...history, options: '-q --quiet' } } },
      bisect: { verbs: { log: history } },
      notes: { verbs: { list: history, show: history } },
      rerere: { verbs: { status: files, diff: files, remaining: files } },
      // Not the others: git-lfs writes into the configuration of every repository that it finds.
      lfs: { verbs: { version: history } },
      archive: {
        // Other formats are made by programs that the configuration names. Filters of the user may fetch large files.
        ...files,
        isOpenWorld: true,
        options: '--format= --prefix= -l --list -v --verbose',
        values: { '--format': (value) => value === 'tar' || value === 'zip' },
      },
      fsck: {
        ...files,
        options: `--unreachable --dangling --no-dangling --root --tags --cache --no-reflogs --full --no-full
          --strict -v --verbose --progress --no-progress --connectivity-only --name-objects`,
      },
      'ls-remote': {
        // Not --upload-pack, which names a program.
        ...remote,
        options: '--heads --branches -t --tags --refs -q --quiet --exit-code --get-url --sort= --symref',
        operand: (value) => isRemote(value) || /^refs\/[\w*/.-]+$/.test(value),
        // The first is the remote, in any form.
        check: ({ operands }) => operands.length === 0 || isRemote(operands[0] as string),
        values: formats,
      },
      version: { options: '--build-options' },
    },
  },
}

/** `git tag -n` and `-l` list as well. */
function isTagListing(given: Given): boolean {
  const isList = given.options.has('-n') || given.options.has('-l')
  return isListing(isList ? { ...given, options: new Map([...given.options, ['--list', '']]) } : given)
}
