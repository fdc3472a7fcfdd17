import { homedir } from 'node:os'
import { join } from 'node:path'
import { secretsOfHeader } from '../../credentials/secrets-of-proof.js'
import { openapiSection } from '../../platform/config/source-sections.js'
import { stateFolder } from '../../platform/config/state-folder.js'
import { projectFolder } from '../../platform/trust/named-files.js'
import { isOwnConfig } from '../../platform/trust/own-config.js'
import type { KindEnvironment, OpenedKind, SourceConfig, SourceKind } from '../kind.js'
import { openEntries } from '../open-entries.js'
import { readEntries, type ReadEntries } from '../read-entries.js'
import type { ApiSettings } from './api-settings.js'
import { whyUnusable } from './check-settings.js'
import { sourceNamespace } from '../source-namespace.js'

/** APIs under `openapi`, each with its OpenAPI document. */
export const openapiKind: SourceKind = {
  ...openapiSection,
  check: (file, env) => [...readApis(file, env).problems],
  namespaceOf: (entry) => sourceNamespace('api', entry),
  changes: {
    list: async (storage, entry) =>
      (await import('./changes/accepted-operations.js')).operationChanges.list(storage, entry),
    accept: async (storage, entry, name) =>
      (await import('./changes/accepted-operations.js')).operationChanges.accept(storage, entry, name),
  },
  async logins(entry, { file, env, live }) {
    const { entries, folder } = readApis(file, env)
    const settings = entries.get(entry)
    if (!settings) return []
    const { findLogins } = await import('./find-logins.js')
    return findLogins({ api: entry, settings, folder, env, live })
  },
  async open(_settings, environment): Promise<OpenedKind> {
    const { entries, problems, secrets } = readApis(environment.file, environment.env)
    // Without APIs nothing is loaded.
    if (entries.size === 0) return { sources: [], problems, secrets }
    const { openapiSource } = await import('./openapi-source.js')
    return openEntries<ApiSettings>(environment, {
      read: ({ file, env }) => readApis(file, env),
      open(name, settings, { folder, within }) {
        const { env, live, onProblem } = within
        const cacheFolder = cacheFolderOf(within)
        return openapiSource({ ...settings, name, folder, cacheFolder, env, secrets: live, onProblem })
      },
    })
  },
}

/** The APIs of a config, with resolved settings; and the problems of the others. */
function readApis(file: SourceConfig, env: NodeJS.ProcessEnv): ReadEntries<ApiSettings> {
  const { configPath } = file
  const folder =
    configPath === undefined || isOwnConfig(configPath) ? process.cwd() : projectFolder(configPath)
  return readEntries(file, {
    section: openapiSection,
    env,
    folder,
    whyUnusable,
    secretsOf: ({ headers = {} }) =>
      Object.entries(headers).flatMap(([name, value]) => secretsOfHeader(name, value)),
  })
}

/** Of the user, and not beside the config: a project could bring a cache that differs from the files that were trusted. */
function cacheFolderOf({ env }: KindEnvironment): string {
  return join(stateFolder({ env, platform: process.platform, home: homedir() }), 'cache', 'openapi')
}
