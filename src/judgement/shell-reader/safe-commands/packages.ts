import type { CommandFamily, CommandSpec } from '../command-spec.js'

// Not --log, which writes, and --python, which names a program to run.
const PIP = `-v -q --verbose --quiet --no-color --disable-pip-version-check --no-input --isolated
  --require-virtualenv --no-cache-dir --timeout= --retries= --proxy=`

const NPM = `--json --long -l --all -a --depth= -g --global --parseable -p --omit= --include= --workspace= -w
  --workspaces --production --prod --only= --unicode --no-color --silent -s -q --quiet --searchlimit= --link
  --package-lock-only --offline --prefer-offline --no-fund --no-audit --audit-level= --no-update-notifier`

const tells: CommandSpec = { options: NPM }
const asks: CommandSpec = { options: NPM, isOpenWorld: true }

const BREW = `-v --verbose -q --quiet -d --debug --formula --formulae --cask --casks --json? --installed --all
  --eval-all --full-name -1 --versions --multiple --pinned -l -r -t`

/** Package managers, where they only tell what there is. Those that run a project's own code to do so are not in here. */
export const packages: CommandFamily = {
  npm: {
    // A .npmrc there names registries, with what is sent to them.
    reliesOn: 'folder',
    isPersistent: true,
    options: `${NPM} -v -h`,
    isBare: true,
    helpOf: 'install i ci uninstall update publish test start exec init link pack version cache',
    verbs: {
      'ls list la ll explain why root prefix query bin completion get': tells,
      'view info show v outdated search find s se whoami ping stars': asks,
      audit: { ...asks, operands: 0 },
      // With a name it opens a browser.
      fund: { options: NPM, operands: 0 },
      // Alone it lists the scripts.
      'run run-script rum urn': { options: '--json -l --long', operands: 0 },
      'config c': { verbs: { 'get list ls': tells } },
      pkg: { verbs: { get: tells } },
      access: { verbs: { 'list get': asks } },
      'dist-tag dist-tags owner author team': { verbs: { ls: asks } },
      token: { verbs: { list: asks } },
      profile: { verbs: { get: asks } },
    },
  },
  'pip pip3': {
    isPersistent: true,
    options: `${PIP} -V -h`,
    helpOf: 'install uninstall download wheel',
    verbs: {
      'list freeze': {
        reachesOutWith: '-o -u --outdated --uptodate',
        options: `-o -u -e -l -r= --outdated --uptodate --editable --exclude-editable --include-editable --local
          --user --path= --pre --format= --not-required --exclude= --all --index-url= --extra-index-url= -i= -f=
          --find-links= --no-index --requirement=`,
      },
      show: { options: '-f --files' },
      inspect: { options: '--local --user --path=' },
      check: {},
      hash: { options: '-a= --algorithm=' },
      help: {},
      debug: {},
      config: {
        options: '--user --global --site',
        verbs: { 'list get debug': { options: '--user --global --site' } },
      },
      cache: { verbs: { 'dir info': {}, list: { options: '--format= --abspath' } } },
      index: {
        isOpenWorld: true,
        verbs: {
          versions: { options: '-i= --index-url= --extra-index-url= --no-index --pre --platform= --json' },
        },
      },
    },
  },
  uv: {
    reliesOn: 'folder',
    isPersistent: true,
    options: '-q -v -V -h --quiet --verbose --no-cache --offline --color= --no-progress',
    helpOf: 'run sync add remove lock build publish pip python tool venv init cache export tree',
    verbs: {
      help: {},
      // With a value it would set the version.
      version: { options: '--short --output-format= --frozen', operands: 0 },
      pip: {
        isBare: true,
        verbs: {
          'list freeze check': {
            options: '--format= --exclude= --editable -e --exclude-editable --strict --system',
          },
          show: { options: '-f --files --strict --system' },
          tree: { options: '--depth= -d= --prune= --package= --invert --no-dedupe --strict --system' },
        },
      },
      python: {
        verbs: {
          list: {
            isOpenWorld: true,
            options: `--all-versions --all-platforms --all-arches --only-installed --only-downloads --show-urls --output-format=`,
          },
          dir: { options: '--bin' },
        },
      },
      cache: { verbs: { dir: {} } },
      tool: {
        verbs: { list: { options: '--show-paths --show-version-specifiers' }, dir: { options: '--bin' } },
      },
    },
  },
  brew: {
    isPersistent: true,
    options: `${BREW} -h`,
    isBare: true,
    helpOf:
      'install uninstall update upgrade tap untap bundle services cleanup fetch link unlink pin reinstall',
    // Not `outdated` and `bundle`, which bring Homebrew up to date first, nor `home` and `deps --graph`, which open a browser.
    verbs: {
      'list ls leaves': {
        options: `-p --full-name --pinned --versions --installed-on-request --installed-as-dependency
          --poured-from-bottle --built-from-source`,
      },
      missing: { options: '--hide=' },
      'doctor dr': { options: '--list-checks -D --audit-debug' },
      'config shellenv commands help tap-info': { options: '--include-aliases' },
      '--prefix --cellar --cache --caskroom --repo --repository --env --taps': {
        options: '-s --force-bottle --build-from-source --unbrewed --HEAD',
      },
      'info abv': { isOpenWorld: true, options: '--analytics --days= --category= --sizes' },
      'search -S': {
        isOpenWorld: true,
        options: '--desc --pull-request --open --closed --debian --fedora --macports',
      },
      'deps uses': {
        isOpenWorld: true,
        options: `-n --topological --direct -1 --union --full-name --include-build --include-optional --include-test
          --missing --skip-recommended --include-requirements --recursive --tree --dot --annotate --for-each --HEAD
          --declared`,
      },
      desc: { isOpenWorld: true, options: '-s -n --search --name --description' },
      log: { isOpenWorld: true, options: '-p -u --patch --stat --oneline -1 -n= --max-count=' },
      options: { isOpenWorld: true, options: '--compact --command=' },
      'cat formulae casks': { isOpenWorld: true },
    },
  },
  apt: {
    verbs: {
      list: { options: '-a --installed --upgradable --upgradeable --all-versions --manual-installed' },
      'show search policy depends rdepends madison': { options: '-a -n -f --names-only --full --installed' },
    },
  },
  'apt-cache': {
    verbs: {
      'show showpkg search policy depends rdepends madison stats pkgnames dump unmet': {
        options: '-a -n -f -i --names-only --full --installed --important --recurse --no-all-versions',
      },
    },
  },
  dpkg: {
    needs: `-l -L -s -S -p -C -I -c --list --listfiles --status --search --print-avail --audit --print-architecture
        --get-selections --info --contents --version`,
    options: `-l -L -s -S -p -C -I -c --list --listfiles --status --search --print-avail --audit --print-architecture
        --get-selections --info --contents --version`,
  },
  'dpkg-query': {
    options: '-l -L -s -S -p -W -f= --list --listfiles --status --search --print-avail --show --showformat=',
  },
  rpm: {
    // Not --eval, --define and --pipe, which run commands. The query must come first: -i alone installs.
    verbs: {
      '-q --query -qa -qi -ql -qf -qc -qd -qR -qp -qpi -qip -qpl -qlp -qai -qal -qia': {
        options: `-a -i -l -f -p -c -d -s -R -v --all --info --list --file --package --configfiles --docfiles
          --state --requires --provides --whatrequires --whatprovides --conflicts --obsoletes --changelog --scripts
          --last --qf= --queryformat=`,
      },
    },
  },
  'dnf yum': {
    isOpenWorld: true,
    verbs: {
      'list info search repolist provides whatprovides check-update': {
        options: '-q -v -C --installed --available --all --updates --showduplicates --cacheonly',
      },
    },
  },
  pacman: {
    // Only what begins with Q: -S may install and -y brings the database up to date.
    needs: '-Q',
    options: '-Q -i -l -o -q -e -d -m -n -s -t -u -g -c -p',
  },
  apk: {
    verbs: { 'info list search policy stats version': { options: '-a -d -e -L -R -r -v -q -I -u -o -x -D' } },
  },
  snap: {
    isOpenWorld: true,
    verbs: {
      'list info find version changes connections': { options: '--all --color= --unicode= --verbose' },
    },
  },
  flatpak: {
    isOpenWorld: true,
    verbs: {
      'list info search history remotes': {
        options: '--app --runtime --user --system --columns= -d -a --all',
      },
    },
  },
  gem: {
    isOpenWorld: true,
    verbs: {
      'list search info outdated environment env contents dependency which': {
        options: `-l -r -a -d -e -q --local --remote --all --details --exact --no-verbose --versions --no-versions
            --installed`,
      },
    },
  },
  conda: {
    isOpenWorld: true,
    verbs: {
      list: { options: '-n= --name= --json --export -e --explicit --full-name -f --no-pip -c --canonical' },
      info: { options: '-a --all -e --envs --json -s --system' },
      env: { verbs: { list: { options: '--json' } } },
      search: { options: '-c= --channel= --json --info -i' },
    },
  },
  pipx: { verbs: { list: { options: '--short --json --include-injected' } } },
  cargo: {
    reliesOn: 'folder',
    // Not tree and metadata: they write a missing Cargo.lock. What compiles also runs what it compiles.
    options: '-V -v -q -h --version --verbose --quiet --list',
    isBare: true,
    verbs: {
      'search info': {
        isOpenWorld: true,
        options: '--limit= --registry= --index= -q -v --quiet --verbose --color=',
      },
      'help locate-project': { options: '--message-format= --workspace' },
    },
  },
  go: {
    // A go.mod there names the version of go that is fetched and run instead.
    reliesOn: 'folder',
    verbs: {
      version: { options: '-m -v' },
      // -w and -u set values.
      env: { style: 'words', options: '-json -changed' },
      help: {},
    },
  },
  rustup: { reliesOn: 'folder', verbs: { toolchain: { verbs: { list: { options: '-v --verbose -q' } } } } },
}
