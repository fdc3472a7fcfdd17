import type { CommandFamily } from '../../command-spec.js'
import { asksDnf } from '../packages.js'

/** Package managers that Debian does not have, if they only list or describe. */
export const packageManagers: CommandFamily = {
  yum: asksDnf,
  uv: {
    // It runs the interpreter of the folder's environment to list its packages.
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
  apk: {
    verbs: { 'info list search policy stats version': { options: '-a -d -e -L -R -r -v -q -I -u -o -x -D' } },
  },
  conda: {
    isOpenWorld: true,
    verbs: {
      list: { options: '-n= --name= --json --export -e --explicit --full-name -f --no-pip -c --canonical' },
      // Not --unsafe-channels, which prints tokens.
      info: { options: '-a --all -e --envs --json -s --system', operands: 0 },
      env: { verbs: { list: { options: '--json' } } },
      search: { options: '-c= --channel= --json --info -i' },
    },
  },
  rustup: { verbs: { toolchain: { verbs: { list: { options: '-v --verbose -q' } } } } },
}
