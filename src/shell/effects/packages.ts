import { valueOf } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import type { Trace } from '../detection/trace.js'
import { guessProgram } from './guess-program.js'
import { nodeInterpreter } from './interpreters.js'
import { tool } from './tool.js'
import { each, options, type Act, type Effect, type EffectTable, type Usage } from './usage.js'
import { runJoined, wrap } from './wrap.js'

const installs: Usage = { rest: 'maybe', isPartial: true, isOpenWorld: true }
const pipInstalls: Usage = {
  ...installs,
  takes: {
    ...options('-r -c -e --requirement --constraint --editable', 'read'),
    ...options('-t --target', 'write'),
  },
}
const removes: Usage = { rest: 'maybe', isPartial: true, destroys: 'It removes packages.' }
const builds: Usage = { rest: 'maybe', isPartial: true }
const looks: Usage = { rest: 'maybe' }
const asks: Usage = { rest: 'text', isOpenWorld: true }

const runsInner = wrap({})
const runsPackage: Act = (call, trace) => {
  trace.openWorld('It may fetch a package.')
  npx(call, trace)
}

const nodeVerbs: Readonly<Record<string, Effect>> = {
  ...each('install i ci add update upgrade up create init dedupe rebuild link import audit fetch', installs),
  ...each('uninstall remove rm un unlink prune', removes),
  ...each('run run-script test t start stop restart build dev lint version pack', builds),
  ...each('publish deprecate access login logout adduser token team owner dist-tag hook', { ...installs }),
  unpublish: { ...installs, destroys: 'It withdraws a package.' },
  ...each('exec x dlx', runsPackage),
  ...each('ls list la ll root prefix bin help config get why explain fund', looks),
  ...each('view info show search outdated ping whoami doctor', asks),
  'cache clean': { ...removes },
  'config set': builds,
  'config delete': removes,
}

const nodeTool = tool({
  takes: '--prefix -C --cwd --dir --workspace -w --filter --registry --userconfig',
  verbs: nodeVerbs,
})

/** Package managers and build tools: most of them run code of the project or fetch code of others. */
export const packages: EffectTable = {
  ...each('npm pnpm yarn', nodeTool),
  bun: (call, trace) => {
    const verb = valueOf(call.args[call.from + 1] ?? '')
    if (Object.hasOwn(nodeVerbs, verb)) nodeTool(call, trace)
    else nodeInterpreter(call, trace)
  },
  ...each('npx bunx pnpx', npx),
  ...each(
    'pip pip3 pipx pipenv conda mamba micromamba poetry pdm rye',
    tool({
      verbs: {
        ...each('install download wheel add update upgrade sync lock create inject', pipInstalls),
        ...each('uninstall remove', removes),
        ...each('list show freeze check inspect hash debug config help env', looks),
        ...each('search index', asks),
        run: runsInner,
        'cache purge': removes,
      },
    }),
  ),
  uv: tool({
    takes: '--directory --project --python -p',
    verbs: {
      ...each('sync lock add venv init build publish', installs),
      remove: removes,
      run: wrap({
        takes: '--with --python -p --extra --group --env-file --directory --project',
        flags: '--no-sync --frozen --isolated',
      }),
      'tool run': runsPackage,
      'pip install': pipInstalls,
      'pip sync': pipInstalls,
      'pip uninstall': removes,
      ...each('tree version help', looks),
    },
  }),
  uvx: npx,
  cargo: tool({
    takes: '--manifest-path --color -Z --config -C',
    verbs: {
      ...each('install add update fetch publish vendor login', installs),
      ...each('build b run r test t bench check c clippy fmt doc new init fix package', builds),
      ...each('uninstall remove rm clean', removes),
      ...each('tree metadata pkgid locate-project version help', looks),
      ...each('search info', asks),
      yank: { ...installs, destroys: 'It withdraws a package.' },
    },
  }),
  go: tool({
    takes: '-C',
    verbs: {
      ...each('get install mod work', installs),
      ...each('build run test generate fmt fix vet tool', builds),
      ...each('list version env doc help', looks),
      clean: removes,
    },
  }),
  ...each(
    'gem bundle bundler composer cabal stack opam mix rebar3 nimble luarocks cpan cpanm',
    tool({
      verbs: {
        ...each('install update add require create-project fetch push get deps', installs),
        ...each('uninstall remove cleanup', removes),
        exec: runsInner,
        ...each('list show env help', looks),
      },
    }),
  ),
  ...each(
    'brew port',
    tool({
      verbs: {
        ...each('install reinstall upgrade update tap fetch bundle', installs),
        ...each('uninstall remove rm untap cleanup autoremove', removes),
        ...each(
          'list ls info deps uses leaves config doctor outdated desc home cat formulae casks options --prefix',
          looks,
        ),
        search: asks,
      },
    }),
  ),
  ...each(
    'apt apt-get aptitude yum dnf microdnf zypper apk snap flatpak nix nix-env choco winget scoop',
    tool({
      isOpenWorld: true,
      verbs: {
        ...each('remove purge autoremove erase del uninstall', removes),
        ...each('install update upgrade dist-upgrade add full-upgrade download source build-dep', installs),
      },
    }),
  ),
  pacman: (call, trace) => {
    guessProgram(undefined, call, trace)
    trace.openWorld('It talks to other machines.')
    if (call.args.some((arg) => /^-R|^--remove/.test(valueOf(arg)))) trace.destructive('It removes packages.')
  },
  ...each('dpkg rpm', tool({})),
  ...each(
    'make gmake just task rake ninja bazel buck meson cmake gradle gradlew mvn ant sbt tox nox invoke',
    make,
  ),
  ...each(
    'tsc webpack vite rollup esbuild jest vitest mocha pytest rspec phpunit playwright cypress turbo nx lerna',
    {
      rest: 'maybe',
      isPartial: true,
    },
  ),
  ...each('pre-commit', tool({})),
}

const NPX_TAKES = /^(?:-p|--package|-w|--workspace|--from|--with)$/

/** `npx -p package command args`, `npm exec -- command`, `npx -c 'script'` */
function npx(call: Call, trace: Trace): void {
  const { args, from, index } = call
  trace.openWorld('It may fetch a package.')
  let at = from + 1
  for (; at < args.length; at++) {
    const value = valueOf(args[at]!)
    if (value === '-c' || value === '--call') return runJoined(args.slice(at + 1, at + 2), index, trace)
    if (NPX_TAKES.test(value)) at++
    else if (value === '--') {
      at++
      break
    } else if (!value.startsWith('-')) break
  }
  trace.engine.run(args, { from: at, by: index }, trace)
}

/** The commands of a build file are unknown; `SHELL=` sets the program that runs them. */
function make(call: Call, trace: Trace): void {
  guessProgram(valueOf(call.args[call.from]!), call, trace)
  for (const arg of call.args.slice(call.from + 1)) {
    const value = valueOf(arg)
    if (/^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|CC|CXX)=/.test(value)) {
      trace.strict('An argument sets the shell that it uses.')
      trace.engine.runText(value.slice(value.indexOf('=') + 1), call.index, trace)
    }
    if (/^--eval(?:=|$)/.test(value)) trace.strict('It runs rules that are given as text.')
    if (/^(?:clean|distclean|mrproper|uninstall|clobber)$/.test(value))
      trace.destructive('It removes what was built.')
  }
}
