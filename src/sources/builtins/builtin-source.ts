import type { BuiltinName, BuiltinSettings } from '../../platform/config/schema/builtins-schema.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'
import type { Source, SourceStorage } from '../source.js'
import type { OpenBuiltin, OpenedBuiltin } from './builtin.js'

type BuiltinModules = {
  readonly [Name in BuiltinName]?: () => Promise<{ readonly open: OpenBuiltin<Name> }>
}

/** The module of each set of built-in tools, loaded when a config names the set. */
const builtinModules: BuiltinModules = {
  code: () => import('./code/code-tools.js'),
  fetch: () => import('./fetch/fetch-tools.js'),
  browser: () => import('./browser/browser-tools.js'),
  native: () => import('./native/native-tools.js'),
  artifacts: () => import('./artifacts/artifact-tools.js'),
  policy: () => import('./policy/policy-tools.js'),
  files: () => import('./files/file-tools.js'),
  docs: () => import('./docs/docs-tools.js'),
  shell: () => import('./shell/shell-tools.js'),
}

export interface BuiltinSourceOptions {
  /** The base of relative paths in the settings, and the default folder of the tools. Default: the working folder. */
  folder?: string
  env?: NodeJS.ProcessEnv
  secrets?: LiveSecrets
  onProblem?: (message: string) => void
}

/** A set of built-in tools as a source. */
export function builtinSource<Name extends BuiltinName>(
  name: Name,
  settings: BuiltinSettings<Name> = {} as BuiltinSettings<Name>,
  options: BuiltinSourceOptions = {},
): Source {
  const { folder = process.cwd(), env = process.env, secrets, onProblem = () => {} } = options
  let storage: SourceStorage | undefined
  let opened: Promise<OpenedBuiltin> | undefined

  async function open(): Promise<OpenedBuiltin> {
    const module = await builtinModules[name]!()
    const openTools = module.open as OpenBuiltin<Name>
    return openTools(settings, { folder, env, secrets, storage: storage!, onProblem })
  }

  return {
    name: `builtin:${name}`,
    entry: name,
    async open(given) {
      storage = given
    },
    async list() {
      opened ??= open()
      try {
        return (await opened).drafts
      } catch (error) {
        opened = undefined
        throw error
      }
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close?.()
    },
  }
}
