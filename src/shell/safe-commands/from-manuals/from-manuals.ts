import type { CommandFamily } from '../../command-spec.js'
import { cloudClients } from './cloud-clients.js'
import { databasesFromManuals } from './databases.js'
import { helm } from './helm.js'
import { homebrew } from './homebrew.js'
import { macos } from './macos.js'
import { packageManagers } from './package-managers.js'
import { projectTools } from './project-tools.js'
import { systemFromManuals } from './system.js'
import { terraform } from './terraform.js'

/**
 * Commands that are neither in Debian 12 nor in the npm registry. They were not tested with the program itself, so a
 * word that only the shell can expand is never proven.
 */
export const fromManuals: readonly CommandFamily[] = [
  homebrew,
  packageManagers,
  helm,
  cloudClients,
  terraform,
  projectTools,
  macos,
  databasesFromManuals,
  systemFromManuals,
]
