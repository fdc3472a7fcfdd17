import type { CommandFamily } from '../command-spec.js'
import { byName } from '../compile-spec.js'
import { archives } from './archives.js'
import { cloud } from './cloud.js'
import { containers } from './containers.js'
import { databases } from './databases.js'
import { files } from './files.js'
import { filesAndText } from './files-and-text.js'
import { fromManuals } from './from-manuals/from-manuals.js'
import { git } from './git.js'
import { github } from './github.js'
import { network } from './network.js'
import { packages } from './packages.js'
import { search } from './search.js'
import { shellAndWrappers } from './shell-and-wrappers.js'
import { system } from './system.js'
import { text } from './text.js'
import { tools } from './tools.js'

const tried: readonly CommandFamily[] = [
  shellAndWrappers,
  text,
  files,
  filesAndText,
  search,
  git,
  packages,
  containers,
  cloud,
  github,
  network,
  system,
  archives,
  databases,
  tools,
]

/** Every command that can be proven read-only, by name. */
export const safeCommands = byName(fromManuals, 'manual', byName(tried, 'tried'))
