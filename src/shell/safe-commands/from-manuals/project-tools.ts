import type { CommandFamily } from '../../command-spec.js'

/** Languages and project tools that are neither in Debian nor in the npm registry. */
export const projectTools: CommandFamily = {
  'swift julia': { verbs: {} },
  // Its global.json may name a folder of the project that holds the toolchain to run.
  dotnet: {
    reliesOn: 'folder',
    verbs: {},
    isBare: true,
    needs: '--version --info --list-sdks --list-runtimes -h',
    options: '--version --info --list-sdks --list-runtimes -h',
  },
  pulumi: { reliesOn: 'folder', isOpenWorld: true, verbs: {} },
  ruff: {
    verbs: {
      'version help rule linter config': { options: '--all --output-format= -v' },
      check: {
        // A project's settings may turn fixing on, and a cache is written in the project.
        options: `--no-fix --diff --no-cache -n --select= --ignore= --extend-select= --line-length= --output-format=
          --statistics --show-files --show-settings --preview --no-preview --target-version= --exclude= -q --quiet
          -v --verbose -s --silent -e --exit-zero`,
        // `@file` adds options from a file.
        operand: (value) => !value.startsWith('@'),
        check: ({ options }) =>
          (options.has('--no-cache') || options.has('-n')) &&
          (options.has('--no-fix') || options.has('--diff')),
      },
    },
  },
}
