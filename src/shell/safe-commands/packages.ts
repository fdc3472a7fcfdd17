import type { CommandFamily, CommandSpec } from '../command-spec.js'

// Not --log, which writes, and --python, which names a program to run.
const PIP = `-v -q --verbose --quiet --no-color --disable-pip-version-check --no-input --isolated
  --require-virtualenv --no-cache-dir --timeout= --retries= --proxy=`

const LIST = `-o -u -e -l -r= --outdated --uptodate --editable --exclude-editable --include-editable --local
  --user --path= --pre --format= --not-required --exclude= --all --index-url= --extra-index-url= -i= -f=
  --find-links= --no-index --requirement=`

const NPM = `--json --long -l --all -a --depth= -g --global --parseable -p --omit= --include= --workspace= -w
  --workspaces --production --prod --only= --unicode --no-color --silent -s -q --quiet --searchlimit= --link
  --package-lock-only --offline --prefer-offline --no-fund --no-audit --audit-level= --no-update-notifier`

/** A package of the registry, or a field of it. git would fetch a path or URL, with the folder's settings. */
const isPackage = (value: string) => /^(?:@[\w.-]+\/)?[\w*][\w.*[\]-]*(?:@[\w.^~*+-]+)?$/.test(value)
/** A setting without a secret. */
const isOpenSetting = (value: string) =>
  /^(?:@[\w-]+:registry|[a-z][a-z-]*)$/.test(value) && !/auth|password|token|otp|cert|key/.test(value)

const tells: CommandSpec = { options: NPM }
const asks: CommandSpec = { options: NPM, operand: isPackage }
const setting: CommandSpec = { options: NPM, operand: isOpenSetting }

/** dnf and yum, which update their lists first. */
export const asksDnf: CommandSpec = {
  isOpenWorld: true,
  verbs: {
    'list info search repolist provides whatprovides check-update': {
      options: '-q -v -C --installed --available --all --updates --showduplicates --cacheonly',
    },
  },
}

/** Package managers, if they only list or describe. Those that run a project's own code to do so are not in here. */
export const packages: CommandFamily = {
  npm: {
    // The folder's settings decide where it writes its log, and which git it runs.
    reliesOn: 'folder',
    // It also looks for a newer version of itself.
    isOpenWorld: true,
    isPersistent: true,
    options: `${NPM} -v -h`,
    isBare: true,
    helpOf: 'install i ci uninstall update publish test start exec init link pack version cache',
    verbs: {
      'ls list la ll explain why root prefix query bin completion': tells,
      get: setting,
      'view info show v outdated search find s se whoami ping stars': asks,
      audit: { ...asks, operands: 0 },
      // With a name it opens a browser.
      fund: { options: NPM, operands: 0 },
      // Alone it lists the scripts.
      'run run-script rum urn': { options: '--json -l --long', operands: 0 },
      'config c': { verbs: { get: setting, 'list ls': { options: NPM, operands: 0 } } },
      pkg: { verbs: { get: tells } },
      access: { verbs: { 'list get': asks } },
      'dist-tag dist-tags owner author team': { verbs: { ls: asks } },
      profile: { verbs: { get: asks } },
    },
  },
  pnpm: {
    // package.json decides which version of itself it fetches and runs.
    reliesOn: 'folder',
    isOpenWorld: true,
    isBare: true,
    options: '-v -h',
    verbs: {
      'list ls la ll why': {
        options: '--json --long --parseable --depth= -g --global -P -D --prod --dev -r',
      },
      'root bin': { options: '-g --global', operands: 0 },
      help: { operands: 1 },
    },
  },
  yarn: {
    // Its settings name the program that is run instead, and the plugins.
    reliesOn: 'folder',
    isOpenWorld: true,
    isBare: true,
    options: '-v -h',
    verbs: {
      list: { options: '--depth= --pattern= --json --prod --production', operands: 0 },
      'why info': { options: '--json -A -R --all --recursive', operand: isPackage },
      outdated: { options: '--json', operand: isPackage },
      audit: { options: '--json --level= --groups=', operands: 0 },
    },
  },
  'pip pip3': {
    isPersistent: true,
    options: `${PIP} -V -h`,
    helpOf: 'install uninstall download wheel',
    verbs: {
      list: {
        // Versions before 24.1 look for a newer one of themselves.
        isOpenWorld: true,
        options: LIST,
      },
      freeze: {
        options: LIST,
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
    // Not --eval, --define and --pipe, which run commands, nor -p: in the name of a file, and in a list of names that it
    // holds, %(…) is run too. The query must come first: -i alone installs.
    verbs: {
      '-q --query -qa -qi -ql -qf -qc -qd -qR -qai -qal -qia': {
        options: `-a -i -l -f -c -d -s -R -v --all --info --list --file --configfiles --docfiles --state --requires
          --provides --whatrequires --whatprovides --conflicts --obsoletes --changelog --scripts --last --qf=
          --queryformat=`,
        operand: (value) => /^[\w./+*?:~()-]+$/.test(value) && !value.includes('://'),
      },
    },
  },
  dnf: asksDnf,
  pacman: {
    // Only what begins with Q: -S may install and -y brings the database up to date.
    needs: '-Q',
    options: '-Q -i -l -o -q -e -d -m -n -s -t -u -g -c -p',
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
  pipx: { verbs: { list: { options: '--short --json --include-injected' } } },
  cargo: {
    // Its rust-toolchain.toml names the programs that are run under its name.
    reliesOn: 'folder',
    // Not tree and metadata: they write a missing Cargo.lock. What compiles also runs what it compiles.
    options: '-V -v -q -h --version --verbose --quiet --list',
    isBare: true,
    verbs: {
      'search info': {
        isOpenWorld: true,
        options: '--limit= --registry= --index= -q -v --quiet --verbose --color=',
      },
      // With a name it opens a manual.
      'help locate-project': { options: '--message-format= --workspace', operands: 0 },
    },
  },
  go: {
    // go.mod decides which version of itself it fetches and runs.
    reliesOn: 'folder',
    verbs: {
      version: { options: '-m -v' },
      // -w and -u set values.
      env: { style: 'words', options: '-json -changed' },
      help: {},
    },
  },
}
