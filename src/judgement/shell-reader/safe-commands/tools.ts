import type { CommandFamily, CommandSpec } from '../command-spec.js'

// What has no sub-command that is known is known for `--version` and `--help` alone, and for what it needs here. Those
// that run code of a project before they tell their version are not in here: yarn, pytest, flake8, bazel.
const verbs = {}
const asksFor = (options: string, style?: 'words'): CommandSpec => ({
  verbs,
  isBare: true,
  needs: options,
  options,
  ...(style && { style }),
})

const X509 = `-in= -inform= -noout -text -subject -issuer -dates -startdate -enddate -serial -hash -subject_hash
  -issuer_hash -fingerprint -sha1 -sha256 -sha384 -sha512 -md5 -modulus -pubkey -email -purpose -ocsp_uri -ocspid
  -alias -checkend= -checkhost= -checkemail= -checkip= -nameopt= -certopt= -ext= -nocert -dateopt=`

/** Languages, builders and other tools: most are known here only for telling their version. */
export const tools: CommandFamily = {
  'python python3 deno': asksFor('-V'),
  // A rust-toolchain.toml there names the compiler, a folder .mvn and gradle.properties what Java loads.
  rustc: { ...asksFor('-V'), reliesOn: 'folder' },
  'mvn gradle': { ...asksFor('-v'), reliesOn: 'folder' },
  'node nodejs ruby perl php make tsc bun': asksFor('-v'),
  'java javac kotlin scala': asksFor('-version', 'words'),
  prometheus: asksFor('-h'),
  // An ansible.cfg there names the folders of plugins.
  'ansible ansible-playbook ansible-inventory ansible-vault ansible-test ansible-lint': {
    ...asksFor('-h'),
    reliesOn: 'folder',
  },
  'ansible-pull ansible-console': { verbs, reliesOn: 'folder' },
  'gcc g++ cc c++ clang clang++ ld cmake ninja meson ant lua ghc julia R Rscript': { verbs },
  // Files there name the version that is run instead.
  'rustfmt gofmt swift npx': { verbs, reliesOn: 'folder' },
  'mypy eslint prettier corepack pulumi ffmpeg ffprobe': { verbs },
  'vim nvim nano emacs ssh rsync gpg nc': { verbs },
  lsb_release: { isFree: true },
  // A global.json there names where the SDK lies.
  dotnet: { ...asksFor('--version --info --list-sdks --list-runtimes'), reliesOn: 'folder' },
  'ssh-keygen': { needs: '-l', options: '-l -v -f= -E=', operands: 0 },
  'ssh-add': { needs: '-l -L', options: '-l -L -q -E=', operands: 0 },
  tmux: { verbs: { 'ls list-sessions lsw list-windows lsp list-panes': { operands: 0 } } },

  openssl: {
    // Not -out, -engine and -provider-path: files to write and libraries to load.
    verbs: {
      x509: { style: 'words', options: X509, operands: 0 },
      'req crl': {
        style: 'words',
        needs: '-noout',
        options: '-in= -inform= -noout -text -subject -issuer -verify -modulus -pubkey',
        operands: 0,
      },
      version: { options: '-a -v -b -o -f -p -d -e' },
      list: {
        style: 'words',
        options: `-1 -commands -cipher-commands -digest-commands -cipher-algorithms -digest-algorithms
          -mac-algorithms -public-key-algorithms -public-key-methods -kdf-algorithms -providers -disabled -verbose`,
      },
      ciphers: { style: 'words', options: '-v -V -s -tls1 -tls1_1 -tls1_2 -tls1_3 -stdname' },
      dgst: { style: 'words', options: '-md5 -sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -hex -r -c' },
      asn1parse: { style: 'words', options: '-in= -inform= -i -dump -noout=', operands: 0 },
      help: {},
    },
  },
  'terraform tofu': {
    reliesOn: 'folder',
    style: 'words',
    isBare: true,
    options: '-version -help',
    helpOf: 'apply plan destroy init import taint untaint refresh get console test login logout force-unlock',
    // Not plan, which may run programs for external data, nor console and refresh. -chdir would go elsewhere.
    verbs: {
      version: { style: 'words', options: '-json' },
      validate: { style: 'words', options: '-json -no-color -no-tests' },
      fmt: {
        style: 'words',
        // Otherwise it formats in place.
        needs: '-check',
        options: '-check -diff -list= -recursive -no-color',
      },
      'show output graph modules': {
        isOpenWorld: true,
        style: 'words',
        options: '-json -no-color -raw -type= -draw-cycles -module-depth=',
      },
      state: {
        isOpenWorld: true,
        verbs: { 'list show': { style: 'words', options: '-json -no-color -id=' } },
      },
      workspace: { isOpenWorld: true, verbs: { 'list show': {} } },
      providers: { isBare: true, verbs: { schema: { style: 'words', options: '-json' } } },
    },
  },
  packer: {
    // Plugins that lie there are loaded.
    reliesOn: 'folder',
    verbs: {
      version: {},
      inspect: { style: 'words', options: '-machine-readable' },
      validate: { style: 'words', needs: '-syntax-only', options: '-syntax-only -machine-readable' },
      fmt: { style: 'words', needs: '-check', options: '-check -diff -recursive' },
    },
  },
  cdk: { reliesOn: 'folder', verbs: { version: {}, context: { options: '-j --json' } } },
  'ansible-doc': {
    reliesOn: 'folder',
    options: '-l -F -s -j -h -t= -v --list --list_files --snippet --json --type= --metadata-dump',
  },
  'ansible-config': {
    reliesOn: 'folder',
    options: '-h',
    isBare: true,
    verbs: { 'list dump view': { options: '-t= --type= -f= --format= --only-changed' } },
  },
  'ansible-galaxy': {
    reliesOn: 'folder',
    isOpenWorld: true,
    verbs: {
      role: { verbs: { 'search info list': { options: '-v' } } },
      collection: { verbs: { list: { options: '-v --format=' } } },
    },
  },

  black: {
    needs: '--check --diff',
    options: `--check --diff -q -v --quiet --verbose --color --no-color -l= --line-length= -t= --target-version=
      --fast --safe --include= --exclude= --extend-exclude= --preview --skip-string-normalization -S`,
  },
  isort: {
    needs: '-c --check --check-only -d --diff',
    options:
      '-c --check --check-only -d --diff -q -v --profile= -l= --line-length= --skip= --skip-gitignore --gitignore',
  },
  ruff: {
    verbs: {
      'version help rule linter config': { options: '--all --output-format= -v' },
      check: {
        // A project's settings may turn fixing on, and a cache is kept in the project.
        options: `--no-fix --diff --no-cache -n --select= --ignore= --extend-select= --line-length= --output-format=
          --statistics --show-files --show-settings --preview --no-preview --target-version= --exclude= -q --quiet
          -v --verbose -s --silent -e --exit-zero`,
        // Behind an at sign it reads more options from a file.
        operand: (value) => !value.startsWith('@'),
        check: ({ options }) =>
          (options.has('--no-cache') || options.has('-n')) &&
          (options.has('--no-fix') || options.has('--diff')),
      },
    },
  },
  shellcheck: {
    options: `-x -a -C? -s= -f= -e= -i= -S= -o= -P= -W= --severity= --shell= --format= --exclude= --include=
      --color? --external-sources --check-sourced --enable= --source-path= --list-optional`,
  },
  yamllint: {
    options: '-c= -d= -f= -s -v --config-file= --config-data= --format= --strict --no-warnings --list-files',
  },
  'pre-commit': { verbs: { 'validate-config validate-manifest help': {} } },
}
