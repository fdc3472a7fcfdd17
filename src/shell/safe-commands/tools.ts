import type { CommandFamily, CommandSpec } from '../command-spec.js'

// A tool without known sub-commands is known only for `--version` and `--help`, and for what it needs of the folder.
// Those that run code of a project before they print their version are not in here: pytest, flake8, bazel.
const verbs = {}
const asksFor = (options: string, more?: CommandSpec): CommandSpec => ({
  verbs,
  isBare: true,
  needs: options,
  options,
  ...more,
})
const inPlace: CommandSpec = { reliesOn: 'folder' }

/** A file. With a scheme it would be fetched, or `org.openssl.engine:` would load the library after it. */
const isFile = (value: string) => !value.includes(':')
const input = { '-in': isFile }

const X509 = `-in= -inform= -noout -text -subject -issuer -dates -startdate -enddate -serial -hash -subject_hash
  -issuer_hash -fingerprint -sha1 -sha256 -sha384 -sha512 -md5 -modulus -pubkey -email -purpose -ocsp_uri -ocspid
  -alias -checkend= -checkhost= -checkemail= -checkip= -nameopt= -certopt= -ext= -nocert -dateopt=`

/** Languages, builders and other tools: most are known here only for printing their version. */
export const tools: CommandFamily = {
  'python python3 deno': asksFor('-V -h'),
  'node nodejs ruby perl php make tsc bun': asksFor('-v -h'),
  'java javac kotlin scala': asksFor('-version', { style: 'words' }),
  // rust-toolchain.toml, .mvn/jvm.config and gradle.properties decide what runs, and with which options.
  'rustc rustfmt': asksFor('-V -h', inPlace),
  'mvn gradle': asksFor('-v -h', inPlace),
  // ansible.cfg names plugins and a log file, with any arguments.
  'ansible ansible-playbook ansible-inventory ansible-vault ansible-lint ansible-pull ansible-console':
    asksFor('-h', inPlace),
  'prometheus ansible-test cmake meson ant mypy eslint prettier vim nvim nano rsync gpg': asksFor('-h'),
  'gcc g++ cc c++ clang clang++ ld ninja gofmt lua ghc R Rscript ffmpeg ffprobe emacs ssh nc': { verbs },
  corepack: { verbs },
  // The folder's settings decide where its log goes.
  npx: { reliesOn: 'folder', verbs },
  lsb_release: { isFree: true },
  'ssh-keygen': { needs: '-l', options: '-l -v -f= -E=', operands: 0 },
  'ssh-add': { needs: '-l -L', options: '-l -L -q -E=', operands: 0 },
  tmux: { verbs: { 'ls list-sessions lsw list-windows lsp list-panes': { operands: 0 } } },

  openssl: {
    // Not -out, -engine and -provider-path: files to write and libraries to load.
    verbs: {
      x509: { style: 'words', options: X509, values: input, operands: 0 },
      'req crl': {
        style: 'words',
        needs: '-noout',
        options: '-in= -inform= -noout -text -subject -issuer -verify -modulus -pubkey',
        values: input,
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
      asn1parse: { style: 'words', options: '-in= -inform= -i -dump -noout', values: input, operands: 0 },
      help: {},
    },
  },
  packer: {
    // It runs every packer-plugin-… in the folder, with any arguments.
    reliesOn: 'folder',
    verbs: {
      version: {},
      inspect: { style: 'words', options: '-machine-readable' },
      validate: { style: 'words', needs: '-syntax-only', options: '-syntax-only -machine-readable' },
      fmt: { style: 'words', needs: '-check', options: '-check -diff -recursive' },
    },
  },
  cdk: {
    // It loads the plugins that cdk.json names, and fetches notices from its vendor.
    reliesOn: 'folder',
    isOpenWorld: true,
    isBare: true,
    options: '-h',
    verbs: { version: { operands: 0 }, context: { options: '-j --json', operands: 0 } },
  },
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
  shellcheck: {
    options: `-x -a -C? -s= -f= -e= -i= -S= -o= -P= -W= --severity= --shell= --format= --exclude= --include=
      --color? --external-sources --check-sourced --enable= --source-path= --list-optional`,
  },
  yamllint: {
    options: '-c= -d= -f= -s -v --config-file= --config-data= --format= --strict --no-warnings --list-files',
  },
  'pre-commit': { verbs: { 'validate-config validate-manifest help': {} } },
}
