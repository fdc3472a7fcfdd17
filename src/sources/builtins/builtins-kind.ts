import type { BuiltinName } from '../../platform/config/schema/builtins-schema.js'
import { builtinSettings, builtinsSection } from '../../platform/config/source-sections.js'
import { projectFolder } from '../../platform/trust/named-files.js'
import { isOwnConfig } from '../../platform/trust/own-config.js'
import type { OpenedKind, SourceConfig, SourceKind } from '../kind.js'
import { openEntries } from '../open-entries.js'
import { readEntries, type ReadEntries } from '../read-entries.js'

/** Tools of Toolcrib itself, under `builtins`: each set that the config names. */
export const builtinsKind: SourceKind = {
  ...builtinsSection,
  check: (file, env) => [...readBuiltins(file, env).problems],
  namespaceOf: (entry) => `local.${entry}`,
  callsTools: (entry) => entry === 'code' || entry === 'policy',
  keepsSessions: (entry) => entry === 'browser' || entry === 'shell',
  async open(_settings, environment): Promise<OpenedKind> {
    const { entries, problems, secrets } = readBuiltins(environment.file, environment.env)
    // Without sets nothing is loaded.
    if (entries.size === 0) return { sources: [], problems, secrets }
    const { builtinSource } = await import('./builtin-source.js')
    return openEntries<object>(environment, {
      read: ({ file, env }) => readBuiltins(file, env),
      open(name, settings, { folder, within }) {
        const { env, live, onProblem } = within
        return builtinSource(name as BuiltinName, settings, { folder, env, secrets: live, onProblem })
      },
    })
  },
}

/** The sets of a config, with resolved settings; and the problems of the others. */
function readBuiltins(file: SourceConfig, env: NodeJS.ProcessEnv): ReadEntries<object> {
  const { configPath, config } = file
  const folder =
    configPath === undefined || isOwnConfig(configPath) ? process.cwd() : projectFolder(configPath)
  const builtins = builtinSettings(config.builtins)
  return readEntries<object>(
    { ...file, config: { ...config, builtins } },
    {
      section: builtinsSection,
      env,
      folder,
      whyUnusable: () => undefined,
    },
  )
}
