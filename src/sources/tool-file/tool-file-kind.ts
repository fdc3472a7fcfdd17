import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { toolFilesSection } from '../../platform/config/source-sections.js'
import { stateFolder } from '../../platform/config/state-folder.js'
import type { KindEnvironment, OpenedKind, SourceConfig, SourceKind } from '../kind.js'
import { openEntries } from '../open-entries.js'
import { readEntries, type ReadEntries } from '../read-entries.js'
import { sourceNamespace } from '../source-namespace.js'
import type { ToolFolderSettings } from './folder-settings.js'

/** Folders under `toolFiles`, each with tool files and agent files of AML. */
export const toolFileKind: SourceKind = {
  ...toolFilesSection,
  check: (file, env) => [...readFolders(file, env).problems],
  async contacts({ config, configPath }, entry) {
    const { folder = '.' } = config.toolFiles?.[entry] ?? {}
    const { compileFolder } = await import('./compile/compile-folder.js')
    const { describeTools } = await import('./describe-tools.js')
    return describeTools(await compileFolder(resolve(baseOf(configPath), folder), { lock: false }))
  },
  isLight: true,
  hasAgents: true,
  namespaceOf: (entry) => sourceNamespace('aml', entry),
  changes: {
    list: async (storage, entry) =>
      (await import('./changes/accepted-tools.js')).toolChanges.list(storage, entry),
    accept: async (storage, entry, name) =>
      (await import('./changes/accepted-tools.js')).toolChanges.accept(storage, entry, name),
  },
  async open(_settings, environment): Promise<OpenedKind> {
    const { entries, problems, secrets } = readFolders(environment.file, environment.env)
    // Without folders nothing is loaded.
    if (entries.size === 0) return { sources: [], problems, secrets }
    const { toolFileSource } = await import('./tool-file-source.js')
    return openEntries<ToolFolderSettings>(environment, {
      read: ({ file, env }) => readFolders(file, env),
      open(name, settings, { folder, within }) {
        const { env, live, onProblem, whyUntrusted } = within
        const cacheFolder = cacheFolderOf(within)
        const given = { ...settings, name, base: folder, cacheFolder, env, secrets: live }
        return toolFileSource({ ...given, whyUntrusted, onProblem })
      },
    })
  },
}

/** Paths are relative to the config, wherever that is: trust finds the code there too. */
function readFolders(file: SourceConfig, env: NodeJS.ProcessEnv): ReadEntries<ToolFolderSettings> {
  return readEntries(file, {
    section: toolFilesSection,
    env,
    folder: baseOf(file.configPath),
    whyUnusable: ({ code }, given) =>
      // Trust covers the file that the config itself names.
      code === given.code ? undefined : 'its "code" has a variable; write the path of the module itself',
  })
}

function baseOf(configPath: string | undefined): string {
  return configPath === undefined ? process.cwd() : dirname(configPath)
}

/** Of the user, and not beside the config: a project could bring a cache that differs from the files that were trusted. */
function cacheFolderOf({ env }: KindEnvironment): string {
  return join(stateFolder({ env, platform: process.platform, home: homedir() }), 'cache', 'tool-files')
}
