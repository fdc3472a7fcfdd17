import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'
import { loadSettings } from '../../src/host/load-settings.js'
import type { CribSettings } from '../../src/host/crib-settings.js'
import { temporaryFolder } from '../temporary-folder.js'
import { trustConfig } from '../trust-config.js'

/** A project and a user's settings in temporary folders, independent of this machine. */
export interface SettingsFixture {
  readonly project: string
  /** The user's settings folder. */
  readonly home: string
  write(name: string, text: string): string
  read(name: string): string
  settings(): Promise<CribSettings>
  /** As a person does at a terminal. */
  trust(name?: string): void
}

export function createSettings(): SettingsFixture {
  const folder = temporaryFolder()
  const [project, config] = [join(folder, 'project'), join(folder, 'config')]
  for (const each of [project, config]) mkdirSync(each)
  vi.stubEnv('XDG_CONFIG_HOME', config)
  vi.stubEnv('TOOLCRIB_POLICY', join(folder, 'policy.yaml'))
  const at = (name: string): string => join(project, name)
  return {
    project,
    home: join(config, 'toolcrib'),
    write(name, text) {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), text)
      return at(name)
    },
    trust: (name = 'toolcrib.yaml') => trustConfig(at(name)),
    read: (name) => readFileSync(at(name), 'utf8'),
    async settings() {
      const loaded = await loadSettings({ cwd: project })
      if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join())
      return loaded
    },
  }
}
