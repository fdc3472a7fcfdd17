import type { CommandFamily } from '../../command-spec.js'

const BREW = `-v --verbose -q --quiet -d --debug --formula --formulae --cask --casks --json? --installed --all
  --eval-all --full-name -1 --versions --multiple --pinned -l -r -t`

/** A formula or cask of Homebrew itself. A path or URL is Ruby code that is run, another tap is fetched first. */
const isFormula = (value: string) =>
  /^(?:homebrew\/(?:core|cask)\/)?[\w@+][\w@.+-]*$/.test(value) && !value.endsWith('.rb')
const isSearch = (value: string) => isFormula(value) || /^\/[^/]*\/$/.test(value)

/** Homebrew, if it only lists or describes. */
export const homebrew: CommandFamily = {
  brew: {
    isPersistent: true,
    options: `${BREW} -h`,
    isBare: true,
    helpOf:
      'install uninstall update upgrade tap untap bundle services cleanup fetch link unlink pin reinstall',
    // Not `outdated` and `bundle`, which update Homebrew first, nor `home` and `deps --graph`, which open a browser.
    verbs: {
      'list ls leaves': {
        options: `-p --full-name --pinned --versions --installed-on-request --installed-as-dependency
          --poured-from-bottle --built-from-source`,
        operand: isFormula,
      },
      missing: { options: '--hide=', operand: isFormula },
      'doctor dr': { options: '--list-checks -D --audit-debug' },
      'config commands': { options: '--include-aliases', operands: 0 },
      'shellenv help': { operand: isFormula },
      '--prefix --cellar --cache --caskroom --repo --repository --env --taps': {
        options: '-s --force-bottle --build-from-source --unbrewed --HEAD',
        operand: isFormula,
      },
      'info abv': {
        isOpenWorld: true,
        options: '--analytics --days= --category= --sizes',
        operand: isFormula,
      },
      'search -S': {
        isOpenWorld: true,
        options: '--desc --pull-request --open --closed --debian --fedora --macports',
        operand: isSearch,
      },
      'deps uses': {
        isOpenWorld: true,
        options: `-n --topological --direct -1 --union --full-name --include-build --include-optional --include-test
          --missing --skip-recommended --include-requirements --recursive --tree --dot --annotate --for-each --HEAD
          --declared`,
        operand: isFormula,
      },
      desc: { isOpenWorld: true, options: '-s -n --search --name --description', operand: isSearch },
      log: {
        isOpenWorld: true,
        options: '-p -u --patch --stat --oneline -1 -n= --max-count=',
        operand: isFormula,
      },
      options: { isOpenWorld: true, options: '--compact --command=', operand: isFormula },
      'cat formulae casks': { isOpenWorld: true, operand: isFormula },
    },
  },
}
