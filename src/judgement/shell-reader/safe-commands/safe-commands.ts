import { byName } from '../compile-spec.js'
import { archives } from './archives.js'
import { cloud } from './cloud.js'
import { containers } from './containers.js'
import { databases } from './databases.js'
import { files } from './files.js'
import { filesAndText } from './files-and-text.js'
import { databasesFromManuals } from './from-manuals/databases.js'
import { systemFromManuals } from './from-manuals/system.js'
import { git } from './git.js'
import { github } from './github.js'
import { helm } from './helm.js'
import { macos } from './macos.js'
import { network } from './network.js'
import { packages } from './packages.js'
import { search } from './search.js'
import { shellAndWrappers } from './shell-and-wrappers.js'
import { system } from './system.js'
import { text } from './text.js'
import { tools } from './tools.js'

/** Every command that is known to be able to only read, by its name. */
export const safeCommands = byName([
  shellAndWrappers,
  text,
  files,
  filesAndText,
  search,
  git,
  packages,
  containers,
  helm,
  cloud,
  github,
  network,
  system,
  archives,
  databases,
  tools,
  macos,
  databasesFromManuals,
  systemFromManuals,
])
